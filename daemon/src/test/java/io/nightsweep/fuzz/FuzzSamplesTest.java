package io.nightsweep.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each reader handles the fuzzer's seeds, and every input on which it once failed. */
@Tag("guard")
@Tag("slow")
class FuzzSamplesTest {
  @ParameterizedTest
  @EnumSource(Target.class)
  void samplesAreRead(Target target) throws Exception {
    List<Path> samples = target.samples();
    assertThat(samples).isNotEmpty();
    for (Path sample : samples) {
      assertThatCode(() -> target.read(Files.readAllBytes(sample)))
          .as("%s on %s", target, sample)
          .doesNotThrowAnyException();
    }
  }
}
