package io.nightsweep.engine;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.files.Masking;
import io.nightsweep.files.Unseen;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.LowerCase;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/** Reads what a node itself reports about its health; the text is data for people. */
final class NodeEvidence {
  /** The most characters that are journaled for one node. */
  private static final int MOST_CHARACTERS = 2_000;

  private static final int MOST_MASKED = 65_536;

  private static final int MOST_LINES = 50;

  /** Kernel log lines that people should see (procedure: recovery primitives). */
  private static final Pattern TELLING =
      Pattern.compile("(?i)oom|kill|fault|reset|amdgpu|nvrm|xid|hsa|ionic|mlx5|mce|ecc");

  /**
   * Faults that a retry cannot cure: uncorrected memory errors, a GPU reset, a fabric that is down.
   */
  private static final Pattern HARDWARE_FAULT =
      Pattern.compile(
          "(?i)NVRM: Xid|uncorrect\\w* .*error|uncorrectable ecc|gpu hang|gpu reset|"
              + "ring \\S+ timeout|fabric link down|xgmi.*(down|error)|mce: .*hardware error");

  /** The names of RDMA NIC drivers, which begin their kernel log lines. */
  private static final Pattern OF_A_NIC =
      Pattern.compile("(?i)(?:ionic|mlx5|bnxt|irdma|infiniband|ib_|rdma)\\w*[ :]");

  /** Driver messages about a failing NIC: errors, timeouts, resets, links down. */
  private static final Pattern NIC_FAULT =
      Pattern.compile(
          "(?i)error|\\berr\\b|fail|fault|time(?:d )?-?out|reset|link (?:is )?down|fatal|hung|stuck");

  private static final Pattern SILENT_NIC =
      Pattern.compile("NETDEV WATCHDOG: [^(]*\\((?:ionic|mlx5|bnxt|irdma)\\w*\\): transmit queue");

  /**
   * A job chooses the names of its processes, which the kernel quotes if a process crashes or gets
   * no memory (TASK_COMM_LEN). The text before the colon of a driver's line is longer, since it
   * names the device.
   */
  private static final int LONGEST_NAME_OF_A_PROCESS = 15;

  /** The kernel's prefix for a process: its name, which the job chooses, and its number. */
  private static final Pattern OF_A_PROCESS =
      Pattern.compile(
          "^(?:\\S+ )?(?:traps: )?.{1,15}\\[\\d+\\]:? |potentially unexpected fatal signal|Killed process|\\bComm: |\\b(?:comm|task)=");

  private final CommandRunner runner;

  NodeEvidence(CommandRunner runner) {
    this.runner = runner;
  }

  /** The last relevant lines of each node's kernel log. */
  StepEnd dmesg(List<String> nodes, Remedy.RemedyStep step)
      throws ClusterUnreachableException, InterruptedException {
    List<Statement> parts = new ArrayList<>();
    for (String node : nodes) {
      List<String> lines = log(node, step).stream().filter(l -> TELLING.matcher(l).find()).toList();
      parts.add(
          lines.isEmpty()
              ? Statement.phrase("remedy-nothing", node)
              : Statement.words(node + ": " + last(lines)));
    }
    return StepEnd.succeeded(Statement.row("\n", parts));
  }

  /** Fails and quotes the lines if a kernel has logged a hardware fault since the job started. */
  StepEnd faults(List<String> nodes, AttemptState attempt, Remedy.RemedyStep step)
      throws ClusterUnreachableException, InterruptedException {
    Pattern fault = fault(step);
    Instant since = attempt.startedAt().orElse(attempt.intendedAt());
    List<String> found = new ArrayList<>();
    for (String node : nodes) {
      List<String> lines =
          log(node, step).stream()
              .filter(l -> fault.matcher(l).find() && !isOfAProcess(l) && !isBefore(l, since))
              .toList();
      if (!lines.isEmpty()) {
        found.add(node + ": " + last(lines));
      }
    }
    return found.isEmpty()
        ? StepEnd.succeeded(Statement.phrase("because-no-fault"))
        : StepEnd.failed(Statement.words(String.join("\n", found)));
  }

  /** The nodes with a NIC fault in the kernel log since the job started. */
  List<String> nicFaults(List<String> nodes, AttemptState attempt, Remedy.RemedyStep step)
      throws ClusterUnreachableException, InterruptedException {
    Instant since = attempt.startedAt().orElse(attempt.intendedAt());
    List<String> found = new ArrayList<>();
    for (String node : nodes) {
      if (log(node, step).stream().anyMatch(l -> isNicFault(l) && !isBefore(l, since))) {
        found.add(node);
      }
    }
    return found;
  }

  StepEnd collect(NodeCommand command, List<String> nodes, Remedy.RemedyStep step)
      throws ClusterUnreachableException, InterruptedException {
    List<String> parts = new ArrayList<>();
    boolean all = true;
    for (String node : nodes) {
      CommandRunner.Output output = command.run(runner, node, step.timeout());
      all &= output.succeeded();
      parts.add(
          node + ": " + printable(output.succeeded() ? output.stdout() : failure(command, output)));
    }
    Statement said = Statement.words(String.join("\n", parts));
    return all ? StepEnd.succeeded(said) : StepEnd.failed(said);
  }

  private List<String> log(String node, Remedy.RemedyStep step)
      throws ClusterUnreachableException, InterruptedException {
    CommandRunner.Output output = NodeCommand.DMESG.run(runner, node, step.timeout());
    if (!output.succeeded()) {
      throw new ClusterUnreachableException(node + ": " + failure(NodeCommand.DMESG, output));
    }
    return output.stdout().lines().toList();
  }

  static String failure(NodeCommand command, CommandRunner.Output output) {
    return LowerCase.of(command).replace('_', '-')
        + " exited with "
        + output.exitCode()
        + ": "
        + printable(output.stderr());
  }

  /** The pattern of faults; a playbook may replace it with {@code fault}. */
  private static Pattern fault(Remedy.RemedyStep step) {
    String own = step.args().get("fault");
    try {
      return own == null ? HARDWARE_FAULT : Pattern.compile(own);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "'fault' is not a regular expression: " + e.getMessage(), e);
    }
  }

  /** Whether a line by a driver reports a fault; its first word is the time. */
  private static boolean isNicFault(String line) {
    String said = line.substring(line.indexOf(' ') + 1);
    int device = said.indexOf(": ");
    return SILENT_NIC.matcher(said).lookingAt()
        || (device > LONGEST_NAME_OF_A_PROCESS
            && OF_A_NIC.matcher(said).lookingAt()
            && NIC_FAULT.matcher(said).region(device, said.length()).find()
            && !isOfAProcess(line));
  }

  private static boolean isOfAProcess(String line) {
    return OF_A_PROCESS.matcher(line).find();
  }

  /** Lines without a readable time count as recent. */
  private static boolean isBefore(String line, Instant since) {
    int space = line.indexOf(' ');
    if (space < 0) {
      return false;
    }
    try {
      return OffsetDateTime.parse(line.substring(0, space).replace(',', '.'))
          .toInstant()
          .isBefore(since);
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static String last(List<String> lines) {
    return printable(
        lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size()).stream()
            .collect(Collectors.joining("\n")));
  }

  static String printable(String text) {
    // The text is masked before it is cut, since a pattern cannot find half a secret.
    String end = text.substring(Math.max(0, text.length() - MOST_MASKED));
    String clean = Unseen.marked(Masking.of(end).strip());
    return clean.length() <= MOST_CHARACTERS
        ? clean
        : "..." + clean.substring(clean.length() - MOST_CHARACTERS);
  }
}
