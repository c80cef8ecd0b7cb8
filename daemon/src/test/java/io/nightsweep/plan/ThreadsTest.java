package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.triage.Score;
import io.nightsweep.triage.ThreadRun;
import io.nightsweep.triage.ThreadSample;
import io.nightsweep.workload.Workloads;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed playbooks read the logs of public threads. */
@Tag("joblog")
@Tag("slow")
class ThreadsTest {
  private static final Playbooks PACKED =
      new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml")));

  private static List<ThreadSample> threads = List.of();

  @TempDir private Path scratch;

  @BeforeAll
  static void readThreads() throws Exception {
    threads = PACKED.threads();
  }

  @Test
  void theyAreReadAsWellAsIsOnRecord() throws Exception {
    ThreadRun run = new ThreadRun(PACKED.read("any").recognition(), Workloads::hearSteps, scratch);
    Score score = Score.NONE;
    // The readings of threads that no pattern was written from are recorded, without a threshold.
    for (ThreadSample thread : threads.stream().filter(t -> !t.isHeldOut()).toList()) {
      score = score.plus(Score.of(thread, run.run(thread)));
    }
    assertThat(score.foundShare()).as(score.row("found")).isGreaterThanOrEqualTo(0.95);
    assertThat(score.misnamedShare()).as(score.row("misnamed")).isLessThanOrEqualTo(0.01);
    assertThat(score.quotedShare()).as(score.row("root first")).isGreaterThanOrEqualTo(0.95);
    assertThat(score.alarmed()).as(score.row("alarmed")).isZero();
  }

  @Test
  void everyLogNamesItsThreadItsRootAndAClassThatExists() throws Exception {
    Set<String> classes = new HashSet<>(PACKED.read("any").remedies().keySet());
    assertThat(threads)
        .allSatisfy(
            t -> {
              assertThat(classes).contains(t.sample().expected());
              assertThat(t.source())
                  .matches("[\\w.-]+/[\\w.-]+#\\d+( \\(.*\\))?|https://\\S+( \\(.*\\))?");
              assertThat(t.root().isPresent())
                  .isNotEqualTo(t.sample().expected().equals("success"));
              t.root().ifPresent(root -> assertThat(t.sample().log()).contains(root));
            });
    assertThat(threads.stream().map(t -> t.sample().log()).collect(Collectors.toSet()))
        .hasSameSizeAs(threads);
  }
}
