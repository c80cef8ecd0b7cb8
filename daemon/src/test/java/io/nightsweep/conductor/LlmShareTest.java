package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Hypothesis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.LlmOccasion;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.ReadAnswers;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What counts against a language model's share, and what the rest of the share allows. */
@Tag("agent")
class LlmShareTest {
  private static final String OWN = "llm-1-a";
  private static final Duration JOB = Specs.kernels(2, 40).policy().jobBeforeAnyWasTimed();

  /** 0.3 of 40 jobs. */
  private final Story story = advised(Specs.kernels(2, 40));

  private static Story advised(SweepSpec spec) {
    Hypothesis h =
        new Hypothesis(
            Profile.of(OWN, Map.of("--xla_gpu_x", "1"), Map.of(), Map.of()),
            "m",
            new Hypothesis.Signal(
                Hypothesis.Signal.SignalSource.HLO,
                "all-gather",
                Hypothesis.Signal.ExpectedChange.SHRINKS),
            "f",
            1,
            2,
            3);
    return new Story(spec)
        .told(
            new Event.LlmAdmitted(
                new LlmTerms(LlmTerms.Mode.RUN, "m", 0.3, 8, 100_000, 0, List.of())),
            new Event.LlmAsked(new LlmOccasion(LlmOccasion.Kind.EVIDENCE, "")),
            new Event.LlmAnswered(1, ReadAnswers.of(List.of(h), List.of(), List.of(), "")),
            new Event.CommandAccepted(
                new Command.AddProfiles(List.of(h.profile())),
                new Command.Origin(Command.Origin.Door.LLM, "m")));
  }

  private static Trial trial(int number, String wave, int block, Purpose purpose, String profile) {
    return new Trial(new TrialId(number), wave, 1, purpose, profile, "1MiB", block);
  }

  private Story pair(String wave, int from, int block) {
    return story.told(
        new Event.WaveOpened(
            wave,
            List.of(
                trial(from, wave, block, Purpose.CONTROL, Profile.BASELINE),
                trial(from + 1, wave, block, Purpose.SCREEN, OWN))));
  }

  private LlmShare share() {
    return LlmShare.of(story.state());
  }

  @Test
  void itIsTheTermsFractionOfTheBudget() {
    assertThat(share().jobs()).isEqualTo(12);
    assertThat(share().spent()).isZero();
  }

  @Test
  void aPlannedRunCountsAndSoDoesTheControlThatItAloneNeeds() {
    pair("screen-1", 1, 1);
    assertThat(share().spent()).isEqualTo(2);
  }

  @Test
  void aControlThatOthersNeedAsWellIsTheirs() {
    story.told(
        new Event.WaveOpened(
            "screen-1",
            List.of(
                trial(1, "screen-1", 1, Purpose.CONTROL, Profile.BASELINE),
                trial(2, "screen-1", 1, Purpose.SCREEN, "p1"),
                trial(3, "screen-1", 1, Purpose.SCREEN, OWN))));
    assertThat(share().spent()).isEqualTo(1);
  }

  @Test
  void eachAttemptCountsByItsTimeAndAFailedOneAsAJobAtLeast() {
    pair("screen-1", 1, 1);
    AttemptId first = AttemptId.parse("t0002a1");
    AttemptId second = AttemptId.parse("t0002a2");
    story.submitted(first).failed(first, "unclassified");
    assertThat(share().spent()).isEqualTo(2);
    story.submitted(second).told(new Event.AttemptStarted(second, Story.NIGHTFALL, List.of("n1")));
    story.later(JOB.multipliedBy(3));
    // A running job counts by its time so far if that is known.
    assertThat(share().spent()).isEqualTo(3);
    assertThat(LlmShare.of(story.view()).spent()).isEqualTo(5);
    story.told(
        new Event.AttemptEnded(
            second,
            new JobEnd(
                JobEnd.State.FAILED,
                1,
                Optional.of(Story.NIGHTFALL),
                Story.NIGHTFALL.plus(JOB.multipliedBy(3)),
                JobEnd.Source.EXIT_RECORD)));
    assertThat(share().spent()).isEqualTo(5);
  }

  /** A confirmed winner's runs on other tags count for the sweep, as for any other winner. */
  @Test
  void whatAWinnerCostsAfterItsConfirmationIsTheSweeps() {
    pair("cross", 1, 1);
    assertThat(share().spent()).isZero();
  }

  /**
   * A little over eight jobs are reserved for a confirmation, and a block of four has its control.
   */
  @Test
  void theRoomForFurtherProfilesKeepsAConfirmation() {
    assertThat(share().room()).isEqualTo(2);
    pair("screen-1", 1, 1);
    assertThat(share().room()).isZero();
    assertThat(share().of(20, OWN)).isEqualTo(9);
    assertThat(share().of(5, OWN)).isEqualTo(5);
    assertThat(share().of(20, "p1")).isEqualTo(20);
    assertThat(share().hasRoomForAnotherRunOf(OWN)).isFalse();
    assertThat(share().hasRoomForAnotherRunOf("p1")).isTrue();
  }

  /**
   * The profile leaves before the share is overdrawn, and no control runs for it alone any more.
   */
  @Test
  void aProfileThatTheRestCannotConfirmLeavesWithItsControls() {
    pair("screen-1", 1, 1);
    assertThat(story.decisions(LlmRounds::next)).noneMatch(LlmShareTest::isDropped);
    pair("screen-2", 3, 2);
    assertThat(share().isTooLittleFor(OWN)).isFalse();
    assertThat(story.decisions(LlmRounds::next)).noneMatch(LlmShareTest::isDropped);
    pair("race", 5, 3);
    assertThat(share().isTooLittleFor(OWN)).isTrue();
    assertThat(story.decisions(LlmRounds::next)).anyMatch(LlmShareTest::isDropped);
    story.told(new Event.ProfileDropped(OWN, DropCause.SHARE_SPENT, new Cause.ShareSpent(12)));
    assertThat(story.decisions(Trials::settle)).hasSize(6);
  }

  /** While its fresh runs are planned, it stays until the last job of the share. */
  @Test
  void aConfirmationThatFitsIsFinished() {
    pair("screen-1", 1, 1);
    story.told(new Event.ConfirmationPlanned(OWN, 4));
    for (int i = 0; i < 4; i++) {
      story.told(
          new Event.TrialsPlanned(
              "screen-1",
              List.of(
                  trial(3 + 2 * i, "screen-1", 2 + i, Purpose.CONFIRM_CONTROL, Profile.BASELINE),
                  trial(4 + 2 * i, "screen-1", 2 + i, Purpose.CONFIRM, OWN))));
    }
    assertThat(share().spent()).isEqualTo(10);
    assertThat(share().isTooLittleFor(OWN)).isFalse();
    story.told(
        new Event.TrialsPlanned(
            "screen-1",
            List.of(
                trial(11, "screen-1", 6, Purpose.CONFIRM_CONTROL, Profile.BASELINE),
                trial(12, "screen-1", 6, Purpose.CONFIRM, OWN))));
    assertThat(share().isTooLittleFor(OWN)).isTrue();
  }

  private static boolean isDropped(Decision decision) {
    return decision instanceof Decision.Append a
        && a.event() instanceof Event.ProfileDropped d
        && d.profile().equals(OWN)
        && d.cause() == DropCause.SHARE_SPENT;
  }
}
