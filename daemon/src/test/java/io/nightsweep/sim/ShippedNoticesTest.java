package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.chat.NoticeTexts;
import io.nightsweep.report.ReportTexts;
import io.nightsweep.sim.ShippedNights.Truth;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A packed night of a pipeline gives people correct information. */
@Tag("shipped")
class ShippedNoticesTest {
  @TempDir private static Path repository;

  private static SweepState end = SweepState.empty();
  private static String notices = "";

  @BeforeAll
  static void aNight() throws Exception {
    // Less time than in the template, so that part of the plan is not done.
    SweepSpec spec =
        ShippedNights.spec(
            repository, "PP=8", 1, file -> file.replace("\n  hours: 10", "\n  hours: 8"));
    Night.Result night = new ShippedNights("PP=8", spec).result(Truth.PUBLISHED, 4);
    end = night.state();
    notices = NoticeTexts.of(night.entries());
  }

  /** The image's own state is not a candidate, and no night reaches the limit of 60 jobs. */
  @Test
  void theKickoffCountsWhatIsTried() {
    assertThat(end.spec().candidates()).isEqualTo(26);
    assertThat(notices).contains("Plan: 26 candidates\n").contains("Budget: 60 jobs, 8 h 00 min");
  }

  /** One run of another profile may show a larger gain. */
  @Test
  void whatTwoRunsShowIsCalledALikelyGain() {
    assertThat(notices).contains("likely gain: ovl-2").doesNotContain("new best");
  }

  @Test
  void aSweepThatIsOverRunsNoMore() {
    String finish = notices.substring(notices.indexOf("== finish"));
    assertThat(finish).contains("Ran for 7 h").doesNotContain("Running", "ends by", "% done");
  }

  @Test
  void onlyTheLimitThatBindsIsToGrow() {
    assertThat(ReportTexts.english(end))
        .contains("the budget is enough for 17 of 26 candidates; 9 more run only if time is left: ")
        .containsPattern("only if time is left: .* A budget of 9\\.\\d hours is enough for all");
  }

  /** Profiles with the same reason are named together. */
  @Test
  void whyTheyWereNotFollowedFitsOneAndSeveral() {
    assertThat(ReportTexts.english(end))
        .contains("show a larger gain and were not pursued: ")
        .doesNotContain("that it beats");
  }
}
