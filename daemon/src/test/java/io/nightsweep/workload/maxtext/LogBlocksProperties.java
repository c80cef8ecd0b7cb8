package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.LogText;
import io.nightsweep.joblog.Rank;
import io.nightsweep.joblog.StepTeller;
import io.nightsweep.workload.maxtext.PlainReader.Said;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The division into blocks is internal to the reader: the result depends only on the lines. */
class LogBlocksProperties {
  private static final List<String> HEADS =
      List.of("", "0: ", " 12: ", "\u001b[36m(Actor pid=7, ip=10.0.0.1)\u001b[0m ", "0:  ", "W: ");
  private static final List<String> TEXTS =
      List.of(
          "completed step: %d, seconds: 2.5, loss: 1.5",
          "completed step: %d, seconds: 2.5completed step: 1%1$d, seconds: 1.0, loss: nan",
          "completed step: %d, secon",
          "completed profiler activation step: %d",
          "completed profiler deactivation step: %d",
          "completed profiler activation/deactivation step: %d",
          "completed %d of them",
          "AB=%d",
          "NCCL_PROTO=LL%d \u001b[0mx",
          "MY_NCCL_PROTO=%d NCCL_PROTO=7",
          "\tUsing (GB) %d.5 / 250.0 (25.0%%) on device",
          "Total memory size: %d.5 GB",
          "Unknown flags in XLA_FLAGS: --xla_a%d=1 --xla_b",
          "said in XLA_FLAGS: --xla_c%d",
          "== JOB SUMMARY ==",
          "  Status: \u001b[31mFAILED (exit %d)\u001b[0m",
          "NCCL INFO Channel %d of a memory pool, its size: 3",
          "");

  @Property(tries = 200)
  void itSaysWhatItsLinesSayHoweverItIsCut(
      @ForAll @IntRange(max = 80) int count, @ForAll boolean hasShortName, @ForAll long seed) {
    Random random = new Random(seed);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lines.add(pick(random, HEADS) + pick(random, TEXTS).formatted(random.nextInt(40)));
    }
    Set<String> variables = hasShortName ? Set.of("AB", "NCCL_PROTO") : Set.of("NCCL_PROTO");
    Said plain = PlainReader.read(lines, variables);
    assertThat(said(variables, lines, count)).isEqualTo(plain);
    assertThat(said(variables, lines, 1)).isEqualTo(plain);
    assertThat(said(variables, lines, 1 + random.nextInt(9))).isEqualTo(plain);
  }

  @Test
  void whatStandsLongAfterTheFirstStepIsTheEnvironmentNoMoreHoweverItIsCut() {
    List<String> lines = new ArrayList<>();
    lines.add("0: completed step: 0, seconds: 2.5, loss: 1.5");
    lines.add("0: NCCL_PROTO=LL");
    for (int i = 0; i < 90_000; i++) {
      lines.add("0: nothing of interest is said here, at some length, by number " + i);
    }
    lines.add("0: NCCL_PROTO=Simple");
    lines.add("0: completed step: 1, seconds: 2.5, loss: 1.5");
    for (int each : List.of(1, 1000, lines.size())) {
      Said said = said(Set.of("NCCL_PROTO"), lines, each);
      assertThat(said.environments()).containsExactly("{NCCL_PROTO=LL}");
      assertThat(said.steps()).containsExactly(0, 1);
    }
  }

  /** Reads by blocks of this many lines. */
  private static Said said(Set<String> variables, List<String> lines, int each) {
    TrainingLog log = new TrainingLog(variables, StepTeller.NOBODY);
    LogText text = new LogText(log);
    for (int at = 0; at < lines.size(); at += each) {
      text.add(
          Rank.NONE,
          String.join("\n", lines.subList(at, Math.min(lines.size(), at + each))) + "\n");
    }
    return Said.of(log);
  }

  private static String pick(Random random, List<String> texts) {
    return texts.get(random.nextInt(texts.size()));
  }
}
