package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.triage.NoisySamples;
import io.nightsweep.triage.PlaybookDiagnoser;
import io.nightsweep.triage.Sample;
import io.nightsweep.triage.SampleRun;
import io.nightsweep.workload.Workloads;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The samples of every class, alone and with a hundred times as many lines of noise. */
@Tag("recovery")
@Tag("slow")
class CorpusTest {
  private static final Playbooks PACKED =
      new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml")));

  @TempDir private Path scratch;

  private static final class Row {
    private int samples;
    private int found;
    private int claimed;
  }

  @ParameterizedTest
  @ValueSource(strings = {"common", "maxtext-rocm", "maxtext-cuda", "kernels", "any"})
  void everySampleGetsItsClass(String playbook) throws Exception {
    List<String> wrong = new ArrayList<>();
    SampleRun run = run(playbook);
    for (Sample sample : PACKED.samples(playbook)) {
      Optional<Diagnosis> diagnosis = run.run(sample);
      if (!SampleRun.isRight(sample, diagnosis)) {
        wrong.add(sample.about() + ": " + diagnosis);
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** Facts that noise would hide, the absence of a log and its size, are left as they are. */
  @Test
  void amongAHundredTimesAsManyLinesOfNoiseToo() throws Exception {
    amongNoise(100);
  }

  @Test
  @Tag("night")
  void amongAThousandTimesAsManyLinesOfNoiseToo() throws Exception {
    amongNoise(1000);
  }

  private void amongNoise(int linesEach) throws Exception {
    SampleRun run = run("any");
    Map<String, Row> rows = new TreeMap<>();
    List<String> wrong = new ArrayList<>();
    long seed = 0;
    for (Sample sample : PACKED.samples("any")) {
      Sample noisy = NoisySamples.of(sample, ++seed, linesEach);
      Optional<Diagnosis> diagnosis = run.run(noisy);
      String got = diagnosis.map(Diagnosis::failureClass).orElse(SampleRun.HEALTHY);
      row(rows, sample.expected()).samples++;
      row(rows, got).claimed++;
      if (got.equals(sample.expected())) {
        row(rows, got).found++;
      } else {
        wrong.add(sample.about() + ": expected " + sample.expected() + ", got " + diagnosis);
      }
    }
    System.out.printf("%-24s %8s %10s %8s%n", "class", "samples", "precision", "recall");
    rows.forEach(
        (id, r) ->
            System.out.printf(
                "%-24s %8d %10.3f %8.3f%n",
                id, r.samples, r.found / (double) r.claimed, r.found / (double) r.samples));
    assertThat(wrong).isEmpty();
    assertThat(rows.values()).allSatisfy(r -> assertThat(r.found).isEqualTo(r.samples));
    assertThat(rows.values()).allSatisfy(r -> assertThat(r.found).isEqualTo(r.claimed));
  }

  /** Positive samples, and ones that look similar but belong to another class. */
  @Test
  void everyClassHasBothKindsOfSamples() throws Exception {
    TreeSet<String> positive = new TreeSet<>();
    TreeSet<String> nearMiss = new TreeSet<>();
    for (Sample sample : PACKED.samples("any")) {
      (sample.expected().equals(sample.beside()) ? positive : nearMiss).add(sample.beside());
    }
    List<String> classes =
        PACKED.read("any").recognition().classes().stream().map(c -> c.id()).distinct().toList();
    assertThat(positive).containsAll(classes);
    assertThat(nearMiss).containsAll(classes);
  }

  private SampleRun run(String playbook) throws InvalidInputException {
    return new SampleRun(
        new PlaybookDiagnoser(PACKED.read(playbook).recognition(), Workloads::hearSteps), scratch);
  }

  private static Row row(Map<String, Row> rows, String id) {
    return rows.computeIfAbsent(id, k -> new Row());
  }
}
