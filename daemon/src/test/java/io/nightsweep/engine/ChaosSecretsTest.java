package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files in which {@code bench/chaos} searches for what its hostile job printed. */
@Tag("guard")
class ChaosSecretsTest {
  private static final Path SCRIPT = Path.of("bench/chaos");
  private static final String SECRET = "hf_canaryOfTheChaosRun0123456789";

  @TempDir private Path state;

  @Test
  void whateverNoJobWroteIsLookedAt() throws Exception {
    List<String> ofADaemon =
        List.of(
            "alarms.json",
            "sweeps/left/jobs/t0001a1/duplicate.7.json",
            "sweeps/left/jobs/t0001a1/evidence/job.log",
            "sweeps/left/jobs/t0001a1/job.sh",
            "sweeps/left/jobs/t0001a1/watch.0",
            "sweeps/left/journal.jsonl",
            "sweeps/left/sweep.yaml");
    for (String file : ofADaemon) {
      plant(file);
    }
    for (String file : List.of("claim", "exit.json", "job.log", "old.log", "out/a/job.sh")) {
      plant("sweeps/left/jobs/t0001a1/" + file);
    }
    Files.createSymbolicLink(state.resolve("sweeps/left/jobs/link"), state.resolve("alarms.json"));
    Process chaos =
        new ProcessBuilder(
                "python3",
                "-B",
                "-c",
                "import pathlib, runpy, sys;"
                    + " chaos = runpy.run_path(sys.argv[1]);"
                    + " state = pathlib.Path(sys.argv[2]);"
                    + " [print(pathlib.Path(f).relative_to(state)) for f in chaos['telling'](state)]",
                SCRIPT.toString(),
                state.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String told = new String(chaos.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(chaos.waitFor()).isZero();
    assertThat(told.lines()).containsExactlyElementsOf(ofADaemon);
  }

  private void plant(String file) throws Exception {
    Path planted = state.resolve(file);
    Files.createDirectories(planted.getParent());
    Files.writeString(planted, "a word, " + SECRET + "\n");
  }
}
