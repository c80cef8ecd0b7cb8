package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.StepTeller;
import io.nightsweep.sweep.Measurement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** However a log is divided and however it grows, the same steps are read. */
class TrainingLogProperties {
  private static final List<String> HEADS =
      List.of(
          "",
          "0: ",
          "  1: ",
          "\u001b[36m(MaxTextTrainerActor pid=7, ip=10.0.0.1)\u001b[0m ",
          "0: (MaxTextTrainerActor pid=7) ",
          "noise of another library before it ");

  private static final List<String> TAILS =
      List.of(
          "",
          ", main_model_loss: 1.250, mtp_loss: 0.500",
          ", moe_lb_loss: nan",
          " \u001b[32m[repeated 2x across cluster]\u001b[0m");

  @Property(tries = 300)
  void theSameStepsComeOutWhateverSurroundsThem(
      @ForAll @IntRange(min = 0, max = 40) int steps, @ForAll long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int step = 0; step < steps; step++) {
      noise(random, text);
      text.append(pick(random, HEADS))
          .append(line(step, random))
          .append(pick(random, TAILS))
          .append('\n');
    }
    TrainingLog log = new TrainingLog(Set.of("XLA_FLAGS"), StepTeller.NOBODY);
    TrainingLogTest.accept(log, -1, text.toString());
    List<Measurement.MeasuredStep> series = log.series(StepLine::tgs);
    assertThat(series).hasSize(steps);
    for (int step = 0; step < steps; step++) {
      assertThat(series.get(step).index()).isEqualTo(step);
      assertThat(series.get(step).value()).isEqualTo(1000 + step);
      assertThat(series.get(step).loss()).hasValue(10 - step / 8.0);
    }
  }

  @Property(tries = 200)
  void noTextBreaksTheReader(@ForAll @Size(max = 400) String text) {
    TrainingLog log = new TrainingLog(Set.of("XLA_FLAGS"), StepTeller.NOBODY);
    TrainingLogTest.accept(
        log, -1, text + "\n0: completed step: " + text + "\n0: XLA_FLAGS=" + text + "\n");
    assertThat(log.lastStep()).isGreaterThanOrEqualTo(-1);
    XlaFlags.parse(text);
  }

  @Property(tries = 60)
  void aLogThatGrowsByAnyPiecesReadsAsTheWholeDoes(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int step = 0; step < 15; step++) {
      noise(random, text);
      text.append("0: ").append(line(step, random)).append('\n');
    }
    Path file = Files.createTempFile("log", ".log");
    try {
      TrainingLog grown = new TrainingLog(Set.of(), StepTeller.NOBODY);
      JobLog job = new JobLog(file);
      job.listener(TrainingLog.class, () -> grown);
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      int at = 0;
      while (at < bytes.length) {
        int count = Math.min(bytes.length - at, 1 + random.nextInt(300));
        byte[] piece = Arrays.copyOfRange(bytes, at, at + count);
        Files.write(file, piece, StandardOpenOption.APPEND);
        at += count;
        job.look();
      }
      TrainingLog whole = new TrainingLog(Set.of(), StepTeller.NOBODY);
      TrainingLogTest.accept(whole, -1, text.toString());
      assertThat(grown.series(StepLine::tgs)).isEqualTo(whole.series(StepLine::tgs)).hasSize(15);
    } finally {
      Files.delete(file);
    }
  }

  @Property(tries = 100)
  void theLastOfAFlagCounts(
      @ForAll @Size(min = 1, max = 12) List<@IntRange(max = 9) Integer> values) {
    List<String> words = new ArrayList<>();
    values.forEach(v -> words.add("--xla_a=" + v));
    assertThat(XlaFlags.parse(String.join(" ", words)).values())
        .containsEntry("--xla_a", values.getLast().toString());
  }

  private static String line(int step, Random random) {
    String mfu = random.nextBoolean() ? " MFU: 41.2%," : "";
    return String.format(
        Locale.ROOT,
        "completed step: %d, seconds: %.3f, TFLOP/s/device: 1.5,%s Tokens/s/device: %.3f, total_weights: 4096, loss: %.3f",
        step,
        2 + random.nextDouble(),
        mfu,
        1000.0 + step,
        10 - step / 8.0);
  }

  private static void noise(Random random, StringBuilder text) {
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append("0: NCCL WARN MSCCL++: Feature not enabled, loss: 3, completed ")
          .append(i)
          .append('\n');
    }
  }

  private static String pick(Random random, List<String> texts) {
    return texts.get(random.nextInt(texts.size()));
  }
}
