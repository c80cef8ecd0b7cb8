package io.nightsweep.workload.kernels;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the real program's output on one rank, complete or damaged. */
@Tag("kernels")
class KernelResultIT {
  private static final Path PROGRAM = Path.of("../native/build/nightsweep-kernels");

  @TempDir Path folder;

  @Test
  void aMeasuredCaseHasItsFiguresAndWhatItIs() throws Exception {
    KernelResult result = KernelResult.read(run(0, "allreduce", "--sizes", "4096"));
    KernelResult.Case only = result.cases().getFirst();
    assertThat(only.identity().get("bytes").asInt()).isEqualTo(4096);
    assertThat(only.identity().get("metricContract").asText()).isEqualTo(result.metricContract());
    assertThat(only.wrong()).isZero();
    assertThat(only.headline().p50Seconds()).isPositive();
    assertThat(only.headline().samplesSeconds()).hasSize(6);
    assertThat(only.headline().metric("algbwBytesPerSecond")).isPositive();
    assertThat(result.probes().blas()).contains("OpenBLAS");
    assertThat(result.limits()).isNotNull();
  }

  /** As the packed studies run layers and products on one node. */
  @Test
  void whatOneRankMeasuresAgreesWithItself() throws Exception {
    for (String command :
        List.of(
            "allreduce --sizes 4096",
            "reduce-scatter --sizes 4096 --in-place",
            "broadcast --sizes 4096",
            "copy --sizes 4096",
            "gemm --m 32 --n 32 --k 32 --dtype f64",
            "tp-layer --hidden 128 --heads 2 --intermediate 64 --variant communication",
            "ep --tokens 4 --hidden 256 --experts 4 --topk 2",
            "ep-pipeline --tokens 4 --hidden 256 --experts 4 --topk 2 --intermediate 64")) {
      KernelResult result = KernelResult.read(run(0, command.split(" ")));
      KernelResult.Case only = result.cases().getFirst();
      assertThat(RecordAudit.contradiction(only)).as(command).isEmpty();
      assertThat(LimitsAudit.contradiction(only, result.limits())).as(command).isEmpty();
    }
  }

  @Test
  void aCaseThatWasNotMeasuredHasNoFigures() throws Exception {
    KernelResult wrong =
        KernelResult.read(run(3, "allreduce", "--sizes", "4096", "--inject", "wrong"));
    assertThat(wrong.fault()).isEqualTo("wrong");
    assertThat(wrong.cases().getFirst().wrong()).isEqualTo(2);
    assertThatThrownBy(() -> wrong.cases().getFirst().headline())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("failed: 2 elements are wrong");
  }

  @Test
  void anUnsupportedCaseSaysWhy() throws Exception {
    KernelResult result = KernelResult.read(run(5, "gemm", "--dtype", "bf16"));
    assertThat(result.cases().getFirst().disposition()).isEqualTo("unsupported");
    assertThat(result.cases().getFirst().reason()).contains("f32 and f64 only");
    assertThatThrownBy(() -> result.cases().getFirst().headline()).isInstanceOf(IOException.class);
  }

  @Test
  void whatIsTruncatedTwiceTheSameOrUnknownIsRefused() throws Exception {
    Path truncated = run(0, "gemm", "--m", "8", "--inject", "truncated");
    assertThatThrownBy(() -> KernelResult.read(truncated)).isInstanceOf(IOException.class);

    String text = Files.readString(run(0, "gemm", "--m", "8"));
    assertRefused(text.replaceFirst("\"ranks\"", "\"ranks\": 3, \"ranks\""), "Duplicate field");
    assertRefused(text.replaceFirst("\"ranks\"", "\"colour\": 3, \"ranks\""), "colour");
    assertRefused(text.replaceFirst("\"schema\": \\d+", "\"schema\": 1"), "schema 1");
    assertRefused(text + "{}", "Trailing token");
  }

  @Test
  void moreThanOneCaseIsRefused() throws Exception {
    Path two = run(0, "allreduce", "--sizes", "8,16");
    assertThatThrownBy(() -> KernelResult.read(two)).hasMessageContaining("2 cases");
  }

  private void assertRefused(String text, String why) throws IOException {
    Path file = Files.createTempFile(folder, "result", ".json");
    Files.writeString(file, text);
    assertThatThrownBy(() -> KernelResult.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(why.split(" "));
  }

  private Path run(int code, String... arguments) throws Exception {
    Path out = folder.resolve("result-" + String.join("-", arguments).hashCode() + ".json");
    List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--iters", "2", "--trials", "3", "--warmup", "1"));
    command.addAll(List.of("--out", out.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(code);
    return out;
  }
}
