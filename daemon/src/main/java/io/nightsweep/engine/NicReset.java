package io.nightsweep.engine;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.sweep.LowerCase;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Reloads the NIC drivers and counts the links that are up. This is safe only between jobs: an RDMA
 * driver in use does not unload, and the step fails.
 */
final class NicReset {
  private static final String MODULES = "ionic ionic_rdma";
  private static final Duration SETTLE = Duration.ofSeconds(3);

  private final CommandRunner runner;

  NicReset(CommandRunner runner) {
    this.runner = runner;
  }

  /**
   * {@code modules} are listed in loading order; the step waits {@code settle} between and after.
   */
  StepEnd reset(List<String> nodes, Remedy.RemedyStep step)
      throws ClusterUnreachableException, InterruptedException {
    List<String> modules = List.of(step.args().getOrDefault("modules", MODULES).split(" +"));
    Duration settle = step.duration("settle", SETTLE);
    List<String> done = new ArrayList<>();
    for (String node : nodes) {
      for (String module : modules.reversed()) {
        done.add(run(NodeCommand.RMMOD, node, module, step));
      }
      Thread.sleep(settle);
      for (String module : modules) {
        done.add(run(NodeCommand.MODPROBE, node, module, step));
      }
      Thread.sleep(settle);
    }
    return StepEnd.succeeded(Statement.words(String.join("; ", done)));
  }

  /**
   * Succeeds if at least as many links are active as {@code active} states or, without it, as there
   * are adapters.
   */
  StepEnd verify(List<String> nodes, Remedy.RemedyStep step)
      throws ClusterUnreachableException, InterruptedException {
    List<Statement> counts = new ArrayList<>();
    boolean all = true;
    for (String node : nodes) {
      CommandRunner.Output output = NodeCommand.IBSTAT.run(runner, node, step.timeout());
      if (!output.succeeded()) {
        return StepEnd.failed(
            Statement.words(node + ": " + NodeEvidence.failure(NodeCommand.IBSTAT, output)));
      }
      long active = count(output.stdout(), "State: Active");
      long expected = expected(step, count(output.stdout(), "CA '"));
      all &= expected > 0 && active >= expected;
      counts.add(Statement.phrase("remedy-links", node, active, expected));
    }
    Statement found = Statement.row("; ", counts);
    return all ? StepEnd.succeeded(found) : StepEnd.failed(found);
  }

  private String run(NodeCommand command, String node, String module, Remedy.RemedyStep step)
      throws ClusterUnreachableException, InterruptedException {
    CommandRunner.Output output = command.run(runner, node, module, step.timeout());
    if (!output.succeeded()) {
      throw new ClusterUnreachableException(node + ": " + NodeEvidence.failure(command, output));
    }
    return node + ": " + LowerCase.of(command) + " " + module;
  }

  private static long expected(Remedy.RemedyStep step, long adapters) {
    String active = step.args().get("active");
    try {
      return active == null ? adapters : Long.parseLong(active);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'active' is not a number: " + active, e);
    }
  }

  private static long count(String text, String start) {
    return text.lines().filter(l -> l.strip().startsWith(start)).count();
  }
}
