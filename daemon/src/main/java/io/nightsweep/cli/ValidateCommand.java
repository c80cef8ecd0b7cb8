package io.nightsweep.cli;

import io.nightsweep.conductor.Standings;
import io.nightsweep.engine.Request;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Command.Origin;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@CommandLine.Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a finished sweep's winner once on real data, outside its leaderboard.",
      "The sweep file's workload.validation says what that run is, such as"
          + " {steps: 200, dataset_type: grain}. Nothing but this command ever starts it; the"
          + " loss is written to validation.md beside the report, whose figures stay as they are.",
      "A winner that changes what is trained, such as the batch size, is deployed only if its last"
          + " such run passed: at least six finite losses, which do not rise."
    })
final class ValidateCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String SETTING = "validation.";

  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Override
  public Integer call() throws IOException, CliException, InterruptedException {
    StateOptions.Chosen sweep = state.chosen();
    String id = sweep.directory().id();
    Background.ensure(state.directory(), spec.commandLine().getOut());
    Origin origin = new Origin(Origin.Door.CLI, System.getProperty("user.name", "unknown"));
    CliException.ifRefused(
        state.client().ask(new Request.Tell(id, new Command.Validate(), origin), PATIENCE));
    PrintWriter out = spec.commandLine().getOut();
    String winner = Standings.winner(sweep.state()).map(Standing::profile).orElse("the winner");
    String settings =
        sweep.state().spec().settings().entrySet().stream()
            .filter(e -> e.getKey().startsWith(SETTING))
            .map(e -> e.getKey().substring(SETTING.length()) + "=" + e.getValue())
            .collect(Collectors.joining(" "));
    out.println(id + ": one run of " + winner + " on real data: " + settings);
    out.println("Its loss: " + sweep.directory().reports().resolve("validation.md"));
    return ExitCode.OK;
  }
}
