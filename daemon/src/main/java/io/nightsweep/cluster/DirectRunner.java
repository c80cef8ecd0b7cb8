package io.nightsweep.cluster;

import io.nightsweep.files.SecretNames;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs commands as children of this process. */
final class DirectRunner implements CommandRunner {
  private static final Duration AFTER_ITS_END = Duration.ofSeconds(2);

  private final Map<String, String> environment;

  DirectRunner(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  @Override
  public Output run(List<String> arguments, Duration timeout)
      throws ClusterUnreachableException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(arguments);
    builder.environment().keySet().removeIf(DirectRunner::isOfAJob);
    // Slurm would pass them to every job, whose log may show its environment.
    builder.environment().keySet().removeIf(SecretNames::isSecret);
    builder.environment().putAll(environment);
    Process process;
    try {
      process = builder.start();
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new ClusterUnreachableException(
          CommandRunner.program(arguments) + ": " + e.getMessage(), e);
    }
    Drain out = new Drain(process.getInputStream());
    Drain err = new Drain(process.getErrorStream());
    try {
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new ClusterUnreachableException(
            CommandRunner.program(arguments)
                + " gave no answer within "
                + timeout.toSeconds()
                + " s");
      }
      return new Output(process.exitValue(), out.text(AFTER_ITS_END), err.text(AFTER_ITS_END));
    } catch (IOException e) {
      throw new ClusterUnreachableException(
          CommandRunner.program(arguments) + ": " + e.getMessage(), e);
    } finally {
      kill(process);
    }
  }

  /** Kills the command, so that it cannot act later: the intent is looked up right afterwards. */
  private static void kill(Process process) throws InterruptedException {
    if (process.isAlive()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }

  private static boolean isOfAJob(String name) {
    return name.startsWith("SBATCH_")
        || name.startsWith("SQUEUE_")
        || name.startsWith("SLURM_JOB")
        || name.startsWith("SLURM_STEP");
  }
}
