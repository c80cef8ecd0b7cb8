package io.nightsweep.cli;

import io.nightsweep.asked.Asked;
import io.nightsweep.sweep.Command.Origin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** In whose name a command acts, where an assistant asked for it. */
final class OnBehalf {
  @Option(names = Asked.ON_BEHALF_OF, hidden = true, paramLabel = "NAME")
  private @Nullable String assistant;

  @Option(names = Asked.CONFIRMED_BY, hidden = true, paramLabel = "WHO")
  private @Nullable String confirmedBy;

  Origin origin() {
    String person = confirmedBy == null ? System.getProperty("user.name", "unknown") : confirmedBy;
    return assistant == null
        ? new Origin(Origin.Door.CLI, person)
        : new Origin(Origin.Door.MCP, assistant + " for " + person);
  }
}
