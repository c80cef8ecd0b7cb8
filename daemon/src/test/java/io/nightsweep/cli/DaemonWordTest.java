package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code status} says of the daemon's latest look at a sweep. */
@Tag("guard")
class DaemonWordTest {
  @Test
  void aLookThatIsLongAgoIsTold() {
    assertThat(said(true, Duration.ofSeconds(119))).containsExactly("  looked at 119 s ago");
    assertThat(said(true, Duration.ofSeconds(185)))
        .containsExactly(
            "  LATE: the daemon last looked at it without an error 3 min ago; daemon.log says why");
  }

  /** A daemon that was just started again says nothing of looks that it has not done. */
  @Test
  void aDaemonThatHasNotLookedYetSaysSo() {
    assertThat(said(false, Duration.ofSeconds(4)))
        .containsExactly("  taken up 4 s ago and not looked at yet");
    assertThat(said(false, Duration.ofMinutes(5)))
        .containsExactly(
            "  LATE: the daemon took it up 5 min ago and has not looked at it without an error"
                + " since; daemon.log says why");
  }

  private static List<String> said(boolean hasLooked, Duration sinceGoodTick) {
    Reply.Hosting.Sweep sweep =
        new Reply.Hosting.Sweep(
            "night", Optional.empty(), Optional.empty(), 0, hasLooked, sinceGoodTick);
    Reply.Hosting.Sweep other =
        new Reply.Hosting.Sweep(
            "other", Optional.empty(), Optional.empty(), 0, true, Duration.ofDays(1));
    Reply.Hosting hosting = new Reply.Hosting(List.of(other, sweep), Map.of(), "Telegram: on");
    List<String> said = DaemonWord.said(hosting, "night");
    assertThat(said).endsWith("  Telegram: on");
    return said.subList(0, said.size() - 1);
  }
}
