package io.nightsweep.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Runs one command to its end: here, through ssh, or through whatever reaches the cluster. */
public interface CommandRunner {
  /**
   * @param arguments the vector, never a shell line
   * @throws ClusterUnreachableException where the command could not be run, or was killed with all
   *     its children after the timeout
   */
  Output run(List<String> arguments, Duration timeout)
      throws ClusterUnreachableException, InterruptedException;

  /**
   * @param stdout at most a few megabytes; a longer output is an error of its own
   */
  record Output(int exitCode, String stdout, String stderr) {
    public boolean succeeded() {
      return exitCode == 0;
    }
  }

  /**
   * Runs here, without the {@code SBATCH_} and {@code SLURM_JOB} variables of a job around us, and
   * without variables whose names tell of a secret, such as {@code HF_TOKEN}.
   */
  static CommandRunner direct(Map<String, String> environment) {
    return new DirectRunner(environment);
  }
}
