package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.Study;
import io.nightsweep.sweep.JobId;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A study's job that replaced its result files with something else. */
@Tag("guard")
@Timeout(60)
class ForeignResultsTest {
  private static final String SECRET = "error: a line of a private file";

  @TempDir private Path folder;

  private final PlannedCase planned =
      new PlannedCase(
          "a",
          List.of(),
          false,
          BenchJson.MAPPER.createObjectNode(),
          Optional.empty(),
          new CaseProjection(1, 1, CaseProjection.Basis.MODELLED));

  private RunReader.Read read(RunFiles files) throws Exception {
    Shard shard = new Shard(new ShardKey("cpu", "mpi", 1, 2, "allreduce"), 0, List.of(planned), 8);
    return new RunReader(
            shard, new RunReader.Ordered(new Study.Sampling(1, 1, 1), false, Map.of(), "none"))
        .read(
            files,
            List.of(planned),
            new JobRunner.Ended(new JobId("1"), "ended", Duration.ZERO),
            OptionalDouble.empty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"pipe", "link", "terabyte"})
  void isReadAsThoughNothingWereThere(String kind) throws Exception {
    Path secret = Files.writeString(folder.resolve("private"), SECRET + "\n");
    RunFiles files = new RunFiles(folder, new RunKey(CaseRow.ONE_SIDE, 1, 1));
    for (Path file :
        List.of(
            files.log(),
            files.rows(),
            files.exit(),
            folder.resolve(files.result().getFileName() + ".failed.0"))) {
      switch (kind) {
        case "pipe" ->
            assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
        case "link" -> Files.createSymbolicLink(file, secret);
        default -> {
          try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1L << 40);
          }
        }
      }
    }
    assertThat(read(files).rows().getFirst().reason().orElseThrow())
        .isEqualTo("the case was not begun (exit unknown; ended)");
  }

  /** When the program exits with 6, the reason is quoted from the log. */
  @Test
  void noPrivateFileIsQuoted() throws Exception {
    RunFiles files = new RunFiles(folder, new RunKey(CaseRow.ONE_SIDE, 1, 1));
    Files.writeString(files.exit(), "6");
    Files.createSymbolicLink(files.log(), Files.writeString(folder.resolve("private"), SECRET));
    assertThat(read(files).rows().getFirst().reason().orElseThrow())
        .contains("refused its control document", "no word of it")
        .doesNotContain(SECRET);
  }
}
