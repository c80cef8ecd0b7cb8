package io.nightsweep.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The bytes that a device receives from the three others of its group for a result of 100 bytes.
 */
@Tag("xla")
class CollectiveTest {
  @ParameterizedTest
  @CsvSource({
    "ALL_GATHER, 75",
    "ALL_TO_ALL, 75",
    "ALL_REDUCE, 150",
    "REDUCE_SCATTER, 300",
    "COLLECTIVE_PERMUTE, 100"
  })
  void receives(CollectiveKind kind, double bytes) {
    assertThat(
            new Collective(
                    kind,
                    "c.1",
                    1,
                    "main",
                    100,
                    1,
                    4,
                    Collective.Pairing.NONE,
                    false,
                    false,
                    new TreeMap<>(),
                    List.of(),
                    0,
                    false,
                    OptionalLong.empty())
                .receivedBytesPerStep())
        .isEqualTo(bytes);
  }
}
