package io.nightsweep.workload.command;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload.SetupProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks the syntax of a sweep's commands with bash, without running them. */
final class CommandSyntax {
  static final String COMMAND = "command";

  /** Passes the text as a file, since then every version of bash counts lines from 1. */
  private static final String READ = "LC_ALL=C bash -n <(printf '%s\\n' \"$1\")";

  private static final Pattern SAID = Pattern.compile("/dev/fd/\\d+: line (\\d+): (.*)");
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private CommandSyntax() {}

  static List<SetupProblem> problems(SweepSpec spec, CommandRunner submitHost)
      throws InterruptedException {
    List<SetupProblem> problems = new ArrayList<>();
    for (Map.Entry<String, String> e : SettingPlaces.of(spec, COMMAND).entrySet()) {
      problem(e.getValue(), e.getKey(), submitHost).ifPresent(problems::add);
    }
    return problems;
  }

  /**
   * A syntax error; empty also if bash cannot be run, since another check reports an unreachable
   * host.
   */
  private static Optional<SetupProblem> problem(
      String setting, String command, CommandRunner submitHost) throws InterruptedException {
    try {
      CommandRunner.Output output =
          submitHost.run(List.of("bash", "-c", READ, "bash", command), PATIENCE);
      Matcher said = SAID.matcher(output.stderr());
      return output.succeeded() || !said.find()
          ? Optional.empty()
          : Optional.of(
              new SetupProblem(
                  Statement.words("bash cannot read the command: " + said.group(2)),
                  "correct it; it was read and not started",
                  true,
                  setting,
                  List.of(),
                  false,
                  OptionalInt.of(within(command, said.group(1)))));
    } catch (ClusterUnreachableException e) {
      return Optional.empty();
    }
  }

  /** Limits the line number: bash reports a premature end one line after the last. */
  private static int within(String command, String line) {
    return (int) Math.min(Long.parseLong(line), command.lines().count());
  }
}
