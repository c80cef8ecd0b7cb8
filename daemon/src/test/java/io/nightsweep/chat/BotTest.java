package io.nightsweep.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("guard")
@Tag("telegram")
class BotTest {
  /** A {@code retry_after} of years would silence a whole night. */
  @Test
  void aServerIsWaitedForNoLongerThanAnHour() {
    assertThat(Bot.bounded(Integer.MAX_VALUE)).isEqualTo(Duration.ofHours(1));
    assertThat(Bot.bounded(Integer.MIN_VALUE)).isEqualTo(Duration.ofSeconds(1));
    assertThat(Bot.bounded(30)).isEqualTo(Duration.ofSeconds(30));
  }
}
