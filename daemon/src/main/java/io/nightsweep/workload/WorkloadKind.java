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
 * One kind of workload: its settings in a sweep file, their defaults, and how it runs. All of a
 * kind is in one package; {@link Workloads} finds it by one line of {@code META-INF/services}.
 */
public interface WorkloadKind {
  /** The value of {@code workload.kind}. */
  String name();

  /** What it tunes, in a few words, for people who choose a kind. */
  String about();

  /**
   * Opens the workload.
   *
   * @param home base of relative program paths
   */
  Workload open(Path home);

  /**
   * The job that checks the nodes of any sweep, if this kind has programs for that.
   *
   * @param home the folder with the programs
   */
  default Optional<Workload> nodeGate(Path home) {
    return Optional.empty();
  }

  /**
   * Values for a starting sweep file from the workload's own files.
   *
   * @param repository the user's checkout for which the file is written, if there is one
   * @param submitHost runs commands on the machine from which jobs are submitted
   */
  default StartingValues starting(Optional<Path> repository, CommandRunner submitHost)
      throws InterruptedException {
    return StartingValues.NONE;
  }

  /** Problems of the settings as written; empty if there are none. */
  List<SettingProblem> check(SweepSettings settings);

  /** The default plan template. */
  String plan();

  /** The default playbook. */
  String playbook();

  /**
   * The default metric; empty if only the sweep file can name it.
   *
   * @param settings the workload's, by dotted key
   */
  Optional<Metric> metric(Map<String, String> settings);

  /** Whether a parallelism may have axes other than the procedure's. */
  default boolean takesAnyAxis() {
    return false;
  }

  /** Settings of the model from the workload's own files; may be empty. */
  default SortedMap<String, String> inherited(String model, Map<String, String> settings) {
    return new TreeMap<>();
  }

  /**
   * What is known about candidates before they run.
   *
   * @param axes of the parallelism, by name
   * @param settings the workload's own over the inherited ones
   */
  default Foresight foresight(Map<String, Integer> axes, Map<String, String> settings) {
    return Foresight.NONE;
  }

  /** Names of the variables in the jobs' own text; empty where the kind does not know the text. */
  default Set<String> mentioned(Map<String, String> settings) {
    return Set.of();
  }

  /** Reads the steps in a log of an unknown sweep, if a job of this kind printed it. */
  default void hearSteps(JobLog log) {}

  /**
   * An example of {@code workload.validation}, which describes a run of the winner on real data;
   * empty where the kind has no such runs.
   */
  default Optional<String> validation() {
    return Optional.empty();
  }

  /** How the winner is written for deployment. */
  default Deployment deployment() {
    return new PlainDeployment();
  }
}
