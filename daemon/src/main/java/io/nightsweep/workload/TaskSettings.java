package io.nightsweep.workload;

import io.nightsweep.cluster.PerTask;
import io.nightsweep.sweep.Statement;
import java.util.Map;
import java.util.Set;

/** The settings, common to all workloads, for each rank's CPUs and GPUs. */
public final class TaskSettings {
  private static final String CPUS = "cpusPerTask";
  public static final String GPUS = "gpusPerTask";

  public static final Set<String> NAMES = Set.of(CPUS, GPUS);

  private TaskSettings() {}

  /**
   * @throws UnsupportedTrialException where one is not a valid number of CPUs or GPUs
   */
  public static PerTask of(Map<String, String> settings) throws UnsupportedTrialException {
    return new PerTask(number(settings, CPUS), number(settings, GPUS));
  }

  private static int number(Map<String, String> settings, String name)
      throws UnsupportedTrialException {
    String text = settings.getOrDefault(name, "0");
    if (!text.matches("[0-9]{1,4}")) {
      throw new UnsupportedTrialException(Statement.phrase("unsupported-number", name, text));
    }
    return Integer.parseInt(text);
  }
}
