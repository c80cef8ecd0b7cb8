package io.nightsweep.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Runs commands as children of this process. */
final class DirectRunner implements CommandRunner {
  private static final int MOST_BYTES = 16 << 20;
  private static final Pattern SECRET =
      Pattern.compile(
          "(?i)TG_.*|(?:.*_)?(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|KEY|ACCESS_KEY_ID|CREDENTIALS)");

  private final Map<String, String> environment;

  DirectRunner(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  @Override
  public Output run(List<String> arguments, Duration timeout)
      throws ClusterUnreachableException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(arguments);
    builder.environment().keySet().removeIf(DirectRunner::isOfAJob);
    builder.environment().keySet().removeIf(DirectRunner::isSecret);
    builder.environment().putAll(environment);
    Process process;
    try {
      process = builder.start();
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new ClusterUnreachableException(arguments.getFirst() + ": " + e.getMessage(), e);
    }
    CompletableFuture<String> out = read(process.getInputStream());
    CompletableFuture<String> err = read(process.getErrorStream());
    try {
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new ClusterUnreachableException(
            arguments.getFirst() + " gave no answer within " + timeout.toSeconds() + " s");
      }
      return new Output(process.exitValue(), out.join(), err.join());
    } catch (CompletionException e) {
      throw new ClusterUnreachableException(arguments.getFirst() + ": " + e.getMessage(), e);
    } finally {
      kill(process);
    }
  }

  /** Nobody may act in our name after we have given up: an intent is looked up only then. */
  private static void kill(Process process) throws InterruptedException {
    if (process.isAlive()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }

  private static CompletableFuture<String> read(InputStream stream) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (stream) {
            byte[] bytes = stream.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
              throw new UncheckedIOException(new IOException("answered more than 16 MiB"));
            }
            return new String(bytes, StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  /** What Slurm would hand to every job, whose log may show its environment. */
  private static boolean isSecret(String name) {
    return SECRET.matcher(name).matches();
  }

  private static boolean isOfAJob(String name) {
    return name.startsWith("SBATCH_")
        || name.startsWith("SQUEUE_")
        || name.startsWith("SLURM_JOB")
        || name.startsWith("SLURM_STEP");
  }
}
