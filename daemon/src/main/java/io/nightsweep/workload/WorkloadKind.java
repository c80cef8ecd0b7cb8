package io.nightsweep.workload;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.Metric;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One kind of workload: what a sweep file may say of it, what holds where the file says nothing,
 * and how it runs. All of a kind lies in its own package; {@link Workloads} finds it by one line of
 * {@code META-INF/services}.
 */
public interface WorkloadKind {
  /** The value of {@code workload.kind}. */
  String name();

  /** What it tunes, in a few words, for people who choose a kind. */
  String about();

  /**
   * The workload itself.
   *
   * @param home where relative program paths start
   */
  Workload open(Path home);

  /**
   * The job that checks the nodes of a sweep of any kind, where this kind has the programs for it.
   *
   * @param home where they are
   */
  default Optional<Workload> nodeGate(Path home) {
    return Optional.empty();
  }

  /**
   * What a starting sweep file says, as far as it depends on the workload's own files.
   *
   * @param repository the checkout that the file is written for, where the user names one
   * @param submitHost runs commands on the machine that jobs are submitted from
   */
  default StartingValues starting(Optional<Path> repository, CommandRunner submitHost)
      throws InterruptedException {
    return StartingValues.NONE;
  }

  /** What is wrong with the settings as written; empty where nothing is. */
  List<SettingProblem> check(SweepSettings settings);

  /** The plan template of a sweep file that names none. */
  String plan();

  /** The playbook of a sweep file that names none. */
  String playbook();

  /**
   * What is compared where the sweep file does not tell; empty where only the file can.
   *
   * @param settings the workload's, by dotted key
   */
  Optional<Metric> metric(Map<String, String> settings);

  /** Whether a parallelism may have axes beyond those of the procedure. */
  default boolean takesAnyAxis() {
    return false;
  }

  /** Settings that the workload's own files give the model; empty where there are none. */
  default SortedMap<String, String> inherited(String model, Map<String, String> settings) {
    return new TreeMap<>();
  }

  /**
   * Tells what is known of candidates before they run.
   *
   * @param axes of the parallelism, by name
   * @param settings the workload's own over the inherited ones
   */
  default Foresight foresight(Map<String, Integer> axes, Map<String, String> settings) {
    return Foresight.NONE;
  }

  /**
   * The variables that the jobs' own text speaks of, by name; empty where the kind does not know
   * it.
   */
  default Set<String> mentioned(Map<String, String> settings) {
    return Set.of();
  }

  /** Reads the steps that a job of this kind prints, from a log whose sweep is unknown. */
  default void hearSteps(JobLog log) {}

  /** How the winner is written down for deployment. */
  default Deployment deployment() {
    return new PlainDeployment();
  }
}
