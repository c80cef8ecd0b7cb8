package io.nightsweep.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Runs one command to its end: here, through ssh, or by another way to the cluster. */
public interface CommandRunner {
  /**
   * @param arguments the argument vector, never a shell line
   * @throws ClusterUnreachableException where the command could not be run, or was killed with all
   *     its children after the timeout
   */
  Output run(List<String> arguments, Duration timeout)
      throws ClusterUnreachableException, InterruptedException;

  /** The name of the program for a message; a line for {@code bash -c} has a name of its own. */
  static String program(List<String> arguments) {
    return arguments.size() > 3 && arguments.get(1).equals("-c")
        ? arguments.get(3)
        : arguments.getFirst();
  }

  /**
   * @param stdout at most a few megabytes; a longer output is an error of its own
   */
  record Output(int exitCode, String stdout, String stderr) {
    public boolean succeeded() {
      return exitCode == 0;
    }
  }

  /**
   * Runs commands here, without the {@code SBATCH_} and {@code SLURM_JOB} variables of a
   * surrounding job, and without variables named like secrets, such as {@code HF_TOKEN}.
   */
  static CommandRunner direct(Map<String, String> environment) {
    return new DirectRunner(environment);
  }
}
