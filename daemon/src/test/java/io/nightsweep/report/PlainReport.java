package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The report of a program without an environment file, profiled runs or timed steps. */
public final class PlainReport {
  private static final Pattern GAIN = Pattern.compile("[+-]\\d+\\.\\d+ %");

  private PlainReport() {}

  /**
   * Asserts that the page does not mention compiler flags, environment files or a trainer's
   * profiles.
   */
  public static void assertSaysOnlyWhatApplies(String page) {
    assertThat(page)
        .contains("## Leaderboard")
        .doesNotContain("configs/", "baseline-no-env", "Step (s)", "profiled run", "| 0.000 |");
    assertThat(winnersGains(page)).hasSizeLessThanOrEqualTo(1);
  }

  /** The first gain of each line about the winner. */
  static Set<String> winnersGains(String page) {
    return page.lines()
        .filter(line -> line.contains("⭐"))
        .flatMap(line -> GAIN.matcher(line).results().limit(1))
        .map(m -> m.group())
        .collect(Collectors.toSet());
  }
}
