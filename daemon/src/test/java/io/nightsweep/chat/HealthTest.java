package io.nightsweep.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("people")
class HealthTest {
  @Test
  void aTroubleIsDatedByTheClockOnTheWall() {
    Instant since = Instant.parse("2026-11-28T01:06:22.209829005Z");
    assertThat(new Health.Trouble("no connection", since).text(ZoneId.of("Asia/Shanghai")))
        .isEqualTo("since 2026-11-28 09:06: no connection");
  }
}
