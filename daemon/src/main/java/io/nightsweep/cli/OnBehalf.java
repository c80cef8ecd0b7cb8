package io.nightsweep.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.journal.Json;
import io.nightsweep.sweep.Command.Origin;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Hidden options of a command that an assistant requested: for whom it acts, and who confirmed it.
 */
final class OnBehalf {
  @Option(names = AssistantRequest.ON_BEHALF_OF, hidden = true, paramLabel = "NAME")
  private @Nullable String assistant;

  @Option(names = AssistantRequest.CONFIRMED_BY, hidden = true, paramLabel = "WHO")
  private @Nullable String confirmedBy;

  @Option(
      names = AssistantRequest.CHECK,
      hidden = true,
      description = "Says what speaks against it, and does nothing.")
  private boolean check;

  boolean isCheck() {
    return check;
  }

  /** The output of a command that is only checked: its sweep, and the files that it reads. */
  static String checked(String sweep, List<Path> reads) throws JsonProcessingException {
    return Json.mapper()
        .writeValueAsString(
            Map.of("sweep", sweep, "reads", reads.stream().map(Path::toString).toList()));
  }

  Origin origin() {
    String person = confirmedBy == null ? System.getProperty("user.name", "unknown") : confirmedBy;
    return assistant == null
        ? new Origin(Origin.Door.CLI, person)
        : new Origin(Origin.Door.MCP, assistant + " for " + person);
  }
}
