package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code status} says about the daemon's latest look at a sweep. */
@Tag("guard")
class DaemonWordTest {
  @Test
  void aLookThatIsLongAgoIsTold() {
    assertThat(said(true, Duration.ofSeconds(119))).containsExactly("  looked at 119 s ago");
    assertThat(said(true, Duration.ofSeconds(185)))
        .containsExactly(
            "  LATE: the daemon last looked at it without an error 3 min ago; daemon.log says why");
  }

  /** A daemon that has just restarted does not report looks that it has not made. */
  @Test
  void aDaemonThatHasNotLookedYetSaysSo() {
    assertThat(said(false, Duration.ofSeconds(4)))
        .containsExactly("  driven for 4 s, and not looked at yet");
    assertThat(said(false, Duration.ofMinutes(5)))
        .containsExactly(
            "  LATE: the daemon has driven it for 5 min and has not looked at it without an"
                + " error; daemon.log says why");
  }

  /** A program that reads {@code status --json} gets the same information. */
  @Test
  @Tag("people")
  void whoLooksAfterASweepIsAWordForPrograms() {
    assertThat(care(true, Duration.ofSeconds(3), "night")).isEqualTo(DaemonWord.Care.DRIVEN);
    assertThat(care(false, Duration.ofMinutes(5), "night")).isEqualTo(DaemonWord.Care.NEGLECTED);
    assertThat(care(true, Duration.ofSeconds(3), "unknown")).isEqualTo(DaemonWord.Care.NEGLECTED);
  }

  private static DaemonWord.Care care(boolean hasLooked, Duration since, String sweep) {
    return word(hasLooked, since, sweep).care();
  }

  private static List<String> said(boolean hasLooked, Duration sinceGoodTick) {
    List<String> said = word(hasLooked, sinceGoodTick, "night").lines();
    assertThat(said).endsWith("  Telegram: on");
    return said.subList(0, said.size() - 1);
  }

  private static DaemonWord.Word word(boolean hasLooked, Duration sinceGoodTick, String asked) {
    Reply.Hosting.Sweep sweep =
        new Reply.Hosting.Sweep(
            "night", Optional.empty(), Optional.empty(), 0, hasLooked, sinceGoodTick);
    Reply.Hosting.Sweep other =
        new Reply.Hosting.Sweep(
            "other", Optional.empty(), Optional.empty(), 0, true, Duration.ofDays(1));
    Reply.Hosting hosting = new Reply.Hosting(List.of(other, sweep), Map.of(), "Telegram: on");
    return DaemonWord.said(hosting, asked);
  }
}
