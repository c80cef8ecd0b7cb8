package io.nightsweep.cluster;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Runs commands through {@code host_cmd.py --timeout S "command"}, which passes them out of a
 * container through files to a server on the host. The command line itself prints its output and
 * exit code, so that nothing depends on how host-cmd passes them on; if they are missing, host-cmd
 * has failed.
 */
final class HostCmd implements CommandRunner {
  /** The server refuses longer commands. */
  static final int MOST_CHARACTERS = 4096;

  private static final String MARK = "nightsweep-exit";
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final CommandRunner here;
  private final String program;
  private final Function<HostCommand, String> line;

  record HostCommand(List<String> arguments, Duration timeout) {}

  HostCmd(CommandRunner here, String program, Function<HostCommand, String> line) {
    this.here = here;
    this.program = program;
    this.line = line;
  }

  @Override
  public Output run(List<String> arguments, Duration timeout)
      throws ClusterUnreachableException, InterruptedException {
    String command =
        "e=$(mktemp); "
            + line.apply(new HostCommand(arguments, timeout))
            + " 2>\"$e\"; c=$?; printf '\\n%s %s\\n' "
            + MARK
            + " $c; cat \"$e\"; rm -f \"$e\"";
    if (command.length() > MOST_CHARACTERS) {
      throw new ClusterUnreachableException(
          CommandRunner.program(arguments)
              + " with its arguments is "
              + command.length()
              + " characters, and host-cmd takes "
              + MOST_CHARACTERS);
    }
    Output raw =
        here.run(
            List.of(
                "python3",
                program,
                "--timeout",
                Long.toString(Math.max(1, timeout.toSeconds())),
                command),
            timeout.plus(GRACE));
    String mark = "\n" + MARK + " ";
    int at = raw.stdout().lastIndexOf(mark);
    int end = at < 0 ? -1 : raw.stdout().indexOf('\n', at + mark.length());
    if (end < 0) {
      throw new ClusterUnreachableException(
          "host-cmd: " + failure(raw.exitCode()) + said(raw.stdout() + raw.stderr()));
    }
    int code = Integer.parseInt(raw.stdout().substring(at + mark.length(), end).strip());
    return Transport.inTime(
        arguments,
        timeout,
        new Output(code, raw.stdout().substring(0, at), raw.stdout().substring(end + 1)));
  }

  /**
   * The meaning of host-cmd's own exit codes: -1 to -5, of which a parent sees the lowest eight
   * bits.
   */
  private static String failure(int exitCode) {
    return switch ((byte) exitCode) {
      case -1 -> "the command timed out";
      case -2 -> "it failed with an exception";
      case -3 -> "its policy denies the command";
      case -4 -> "its server has died; start it on the host";
      case -5 -> "its server is stale; restart it on the host";
      default -> "it gave no answer (exit code " + exitCode + ")";
    };
  }

  private static String said(String text) {
    return text.isBlank() ? "" : ": " + text.strip().lines().findFirst().orElse("");
  }
}
