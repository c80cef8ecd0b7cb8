package io.nightsweep.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The way to the machine with the cluster's commands.
 *
 * @param target for ssh its host, for host-cmd its program, else empty
 */
public record Transport(Kind kind, String target) {
  /** The commands are on this machine. */
  public static final Transport DIRECT = new Transport(Kind.DIRECT, "");

  public enum Kind {
    DIRECT,
    /** {@code host_cmd.py}: from a container to the machine around it. */
    HOST_CMD,
    SSH
  }

  /** Time for the far side to end a command before this side gives up. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private static final int TIMED_OUT = 124;

  /**
   * A runner whose commands see the variables, wherever they run.
   *
   * @param here runs commands on this machine
   */
  public CommandRunner runner(CommandRunner here, Map<String, String> environment) {
    TreeMap<String, String> variables = new TreeMap<>(environment);
    return switch (kind) {
      case DIRECT -> here;
      case SSH ->
          (arguments, timeout) ->
              answer(
                  arguments,
                  timeout,
                  here.run(
                      List.of(
                          "ssh",
                          "-o",
                          "BatchMode=yes",
                          "-o",
                          "ConnectTimeout=10",
                          "--",
                          target,
                          line(variables, arguments, timeout)),
                      timeout.plus(GRACE)));
      case HOST_CMD ->
          new HostCmd(here, target, words -> line(variables, words.arguments(), words.timeout()));
    };
  }

  public String words() {
    return switch (kind) {
      case DIRECT -> "no way: they are here";
      case SSH -> "ssh " + target;
      case HOST_CMD -> "host-cmd, " + target;
    };
  }

  /** A runner with the default way of running commands on this machine. */
  public CommandRunner runner(Map<String, String> environment) {
    return runner(
        kind == Kind.DIRECT ? CommandRunner.direct(environment) : CommandRunner.direct(Map.of()),
        environment);
  }

  /**
   * Detects failures of the transport: 255 is ssh's own failure, and a command that the far side
   * ended by timeout gave no answer either.
   */
  private CommandRunner.Output answer(
      List<String> arguments, Duration timeout, CommandRunner.Output output)
      throws ClusterUnreachableException {
    if (output.exitCode() == 255) {
      throw new ClusterUnreachableException("ssh " + target + ": " + output.stderr().strip());
    }
    return inTime(arguments, timeout, output);
  }

  static CommandRunner.Output inTime(
      List<String> arguments, Duration timeout, CommandRunner.Output output)
      throws ClusterUnreachableException {
    if (output.exitCode() == TIMED_OUT) {
      throw new ClusterUnreachableException(
          CommandRunner.program(arguments)
              + " gave no answer within "
              + timeout.toSeconds()
              + " s");
    }
    return output;
  }

  /**
   * The argument vector as one shell line. The far side enforces the timeout itself, so that
   * nothing runs in our name after we have given up.
   */
  private static String line(
      Map<String, String> environment, List<String> arguments, Duration timeout) {
    return "timeout -k 5 "
        + Math.max(1, timeout.toSeconds())
        + " env "
        + environment.entrySet().stream()
            .map(e -> e.getKey() + "=" + Shell.quote(e.getValue()) + " ")
            .collect(Collectors.joining())
        + arguments.stream().map(Shell::quote).collect(Collectors.joining(" "));
  }
}
