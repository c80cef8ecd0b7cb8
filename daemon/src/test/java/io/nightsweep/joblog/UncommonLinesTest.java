package io.nightsweep.joblog;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Diagnosis.Quote;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("people")
class UncommonLinesTest {
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
    List<Quote> found = UncommonLines.of(candidate, NAME, List.of(baseline), 5);
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
    assertThat(UncommonLines.of(candidate, NAME, List.of(log("baseline", "beta")), 2))
        .extracting(Quote::text)
        .containsExactly("alpha", "gamma");
  }

  private JobLog log(String name, String... lines) throws IOException {
    Path file = dir.resolve(name + ".log");
    Files.write(file, List.of(lines));
    return new JobLog(file);
  }
}
