package io.nightsweep.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job may write into the folder of a later job. */
@Tag("guard")
@Timeout(60)
class JobScriptTest {
  @TempDir private Path folder;

  @Test
  void pipesInThePlacesOfScriptsDoNotBlockTheirWriter() throws Exception {
    JobFiles files = new JobFiles(folder);
    for (Path place : List.of(files.script(), files.launcher(), files.watch())) {
      assertThat(new ProcessBuilder("mkfifo", place.toString()).start().waitFor()).isZero();
    }
    JobScript.write(submission(files, Map.of(), "echo payload"), List.of());
    JobScript.write(
        new LauncherSubmission("ns-s-t0001a1", "echo launcher", Duration.ofMinutes(1), files));
    JobScript.watch(files);
    assertThat(Files.readString(files.script())).contains("echo payload");
    assertThat(Files.readString(files.launcher())).contains("echo launcher");
    assertThat(files.watch()).isRegularFile();
  }

  /** What Slurm does itself for a job that does not export everything. */
  @Test
  void aPayloadHasWhatItsUsersLoginSets() throws Exception {
    Files.writeString(
        folder.resolve(".bash_profile"),
        """
        echo Welcome
        export SITE_SCRATCH="/scratch/of user"$'\\n'second EPOCHS=9 NIGHTSWEEP_TASKS=99 PATH=/nowhere
        module() { echo "module $*"; }
        nightsweep_now() { echo 0; }
        export -f module nightsweep_now
        """);
    JobFiles files = new JobFiles(folder.resolve("job"));
    JobScript.write(
        submission(
            files,
            Map.of("EPOCHS", "3"),
            "echo \"$SITE_SCRATCH|$EPOCHS|$NIGHTSWEEP_TASKS|$PATH|$LOGNAME|${SHELL##*/}|${OURS-}\"; module load cuda"),
        List.of());
    ProcessBuilder job = new ProcessBuilder("bash", files.script().toString());
    job.environment().clear();
    job.environment()
        .putAll(
            Map.of(
                "PATH", "/usr/bin:/bin",
                "HOME", folder.toString(),
                "USER", "someone",
                "SLURM_JOB_ID", "1"));
    Process process = job.redirectErrorStream(true).start();
    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            /scratch/of user
            second|3|1|/usr/bin:/bin|someone|bash|
            module load cuda
            """);
    assertThat(ExitRecord.read(files).orElseThrow().endedAt()).isGreaterThan(1e9);
  }

  private Submission submission(JobFiles files, Map<String, String> env, String payload) {
    return new Submission(
        "ns-s-t0001a1",
        "",
        List.of("n1"),
        Optional.empty(),
        1,
        PerTask.UNSAID,
        Duration.ofMinutes(1),
        env,
        payload,
        folder,
        files);
  }
}
