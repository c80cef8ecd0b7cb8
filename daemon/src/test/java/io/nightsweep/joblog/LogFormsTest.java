package io.nightsweep.joblog;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Diagnosis.Quote;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("people")
class LogFormsTest {
  private static final String NAME = "ns-night-t0007a1";

  @TempDir private Path dir;

  @Test
  void numbersAndHashesMakeNoLineUncommon() throws IOException {
    JobLog baseline =
        log(
            "baseline",
            "nightsweep: effective HASH=11aa",
            "job 17 on n1, run 0f3a",
            "step 1 901 tok/s");
    JobLog candidate =
        log(
            "candidate",
            "nightsweep: effective SPEED=50",
            "JOB_NAME=JAX-tiny-fast.ns-night-t0007a1-steps_15",
            "job 18 on n2, run 9c41",
            "unrecognised option '--fast'; nothing is computed",
            "step 1 29000 tok/s",
            "unrecognised option '--fast'; nothing is computed");
    List<Quote> found =
        LogForms.of(List.of(candidate), Set.of(NAME))
            .notIn(LogForms.of(List.of(baseline), Set.of()), 5);
    assertThat(found)
        .singleElement()
        .satisfies(
            q -> {
              assertThat(q.text()).isEqualTo("unrecognised option '--fast'; nothing is computed");
              assertThat(q.line()).isEqualTo(4);
            });
  }

  @Test
  void theFirstLinesAreEnough() throws IOException {
    JobLog candidate = log("candidate", "alpha", "beta", "gamma", "delta");
    assertThat(
            LogForms.of(List.of(candidate), Set.of())
                .notIn(LogForms.of(List.of(log("baseline", "beta")), Set.of()), 2))
        .extracting(Quote::text)
        .containsExactly("alpha", "gamma");
  }

  /** What one of several runs prints is chance; what each of them prints belongs to the profile. */
  @Test
  void whatEachRunOfOneSideAndNoneOfTheOtherPrintsIsTold() throws IOException {
    LogForms fresh =
        LogForms.of(
            List.of(
                log("fresh-1", "loading", "step 1", "half of the rows", "disk slow"),
                log("fresh-2", "half of the rows", "step 2")),
            Set.of());
    LogForms baseline =
        LogForms.of(
            List.of(
                log("base-1", "loading", "step 1", "rows verified: 17", "rare"),
                log("base-2", "rows verified: 18", "step 2")),
            Set.of());
    assertThat(fresh.notIn(baseline, 5))
        .extracting(Quote::text)
        .containsExactly("half of the rows");
    assertThat(baseline.notIn(fresh, 5))
        .extracting(Quote::text)
        .containsExactly("rows verified: 17");
  }

  private JobLog log(String name, String... lines) throws IOException {
    Path file = dir.resolve(name + ".log");
    Files.write(file, List.of(lines));
    return new JobLog(file);
  }
}
