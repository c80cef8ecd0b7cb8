package io.nightsweep.cluster;

import io.nightsweep.files.OwnFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The script that a cluster runs for a submission: the wrapper of {@code templates/jobs} around the
 * payload. It claims the intent, runs the payload, under Slurm with what the user's login sets, and
 * writes the exit record.
 */
public final class JobScript {
  private static final String WRAPPER = "/templates/jobs/wrapper.sh";
  private static final String LOGIN = "/templates/jobs/login.sh";
  private static final String LAUNCHER = "/templates/jobs/launcher.sh";
  private static final String WATCH = "/templates/jobs/watch.sh";

  private JobScript() {}

  /**
   * Creates the job's directories and writes its script.
   *
   * @param launcher the command prefix that starts the payload's ranks, as {@code
   *     $NIGHTSWEEP_LAUNCH}
   */
  public static Path write(Submission submission, List<String> launcher) throws IOException {
    JobFiles files = submission.files();
    Files.createDirectories(files.output());
    String assignments =
        """
        #!/bin/bash
        nightsweep_directory=%s
        nightsweep_working_directory=%s
        NIGHTSWEEP_NODES=%s
        NIGHTSWEEP_TASKS=%d
        NIGHTSWEEP_LAUNCH=(%s)
        nightsweep_environment() {
        [[ -z ${SLURM_JOB_ID:-} ]] || nightsweep_login
        %s
        }
        nightsweep_payload() {
        %s
        }
        """
            .formatted(
                Shell.quote(files.directory().toString()),
                Shell.quote(submission.workingDirectory().toString()),
                Shell.quote(String.join(",", submission.nodes())),
                submission.tasks(),
                launcher.stream().map(Shell::quote).collect(Collectors.joining(" ")),
                environment(submission),
                submission.payload());
    write(files.script(), assignments + packed(LOGIN) + packed(WRAPPER));
    return files.script();
  }

  /** Creates the job's directories and writes the script that runs its launcher. */
  public static Path write(LauncherSubmission submission) throws IOException {
    JobFiles files = submission.files();
    Files.createDirectories(files.output());
    String assignments =
        """
        #!/bin/bash
        nightsweep_directory=%s
        nightsweep_patience=%d
        nightsweep_launch() {
        %s
        }
        """
            .formatted(
                Shell.quote(files.directory().toString()),
                submission.patience().toSeconds(),
                submission.script());
    // Replaces the file instead of overwriting it: a shell reads its script while it runs, and one
    // started by an earlier daemon must keep its file.
    write(files.launcher(), assignments + packed(LAUNCHER));
    return files.launcher();
  }

  /** Has the job's nodes watched; call it before the job is queued. */
  public static void watch(JobFiles files) throws IOException {
    write(files.watch(), packed(WATCH));
  }

  private static void write(Path file, String script) throws IOException {
    OwnFile.write(file, script.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * A batch script around the one that a launcher passes to {@code sbatch}: it claims the intent,
   * runs the other with the same arguments, and writes the exit record.
   *
   * @param directives the other's {@code #SBATCH} lines
   * @param command a line of bash that runs the other; its arguments are in {@code
   *     nightsweep_arguments}
   */
  public static String around(JobFiles files, List<String> directives, String command) {
    return """
    #!/bin/bash
    %s
    nightsweep_directory=%s
    nightsweep_working_directory=$PWD
    NIGHTSWEEP_NODES=${SLURM_JOB_NODELIST:-}
    NIGHTSWEEP_TASKS=${SLURM_NTASKS:-}
    nightsweep_arguments=("$@")
    nightsweep_environment() {
    :
    }
    nightsweep_payload() {
    %s
    }
    """
            .formatted(
                String.join("\n", directives), Shell.quote(files.directory().toString()), command)
        + packed(WRAPPER);
  }

  private static String environment(Submission submission) {
    return new TreeMap<>(submission.env())
        .entrySet().stream()
            .map(e -> "export " + name(e.getKey()) + "=" + Shell.quote(e.getValue()))
            .collect(Collectors.joining("\n"));
  }

  private static String name(String name) {
    if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
      throw new IllegalArgumentException(
          "'" + name + "' is not the name of an environment variable");
    }
    return name;
  }

  private static String packed(String name) {
    try (InputStream in = JobScript.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
