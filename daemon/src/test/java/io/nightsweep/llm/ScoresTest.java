package io.nightsweep.llm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.llm.Scores.Closed;
import io.nightsweep.llm.Scores.HypothesisScore;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Hypothesis;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.LlmAnswer.LlmOutcome;
import io.nightsweep.sweep.LlmOccasion;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When the door closes, and what failed hypotheses count as. */
@Tag("agent")
class ScoresTest {
  private static final LlmOccasion NEXT = new LlmOccasion(LlmOccasion.Kind.WAVE, "w");

  private static Optional<Closed> closed(SweepState s) {
    return Scores.closed(s, Standings.board(s));
  }

  private static LlmAnswer answer(
      LlmOutcome outcome, long tokens, List<Hypothesis> hypotheses, int refused) {
    List<LlmAnswer.Refusal> refusals = new ArrayList<>();
    for (int i = 0; i < refused; i++) {
      refusals.add(new LlmAnswer.Refusal("x" + i, "no"));
    }
    return new LlmAnswer(outcome, "", "", "", tokens, 0, 0, hypotheses, refusals, List.of(), "");
  }

  private static Hypothesis hypothesis(String name) {
    return new Hypothesis(
        Profile.of(name, Map.of("--xla_" + name.replace('-', '_'), "1"), Map.of(), Map.of()),
        "m",
        new Hypothesis.Signal(
            Hypothesis.Signal.Source.HLO, "all-gather", Hypothesis.Signal.Change.SHRINKS),
        "f",
        0,
        1,
        3);
  }

  /** Answers of rounds 1, 2 and so on. */
  private static SweepState after(LlmAnswer... answers) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < answers.length; i++) {
      if (i > 0) {
        events.add(new Event.LlmAsked(NEXT));
      }
      events.add(new Event.LlmAnswered(i + 1, answers[i]));
    }
    return AnswerTextTest.asked(events.toArray(Event[]::new));
  }

  @Test
  void itIsOpenAfterOneEmptyAnswer() {
    assertThat(closed(after(answer(LlmOutcome.READ, 100, List.of(), 0)))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = LlmOutcome.class,
      names = {"READ", "OVER_CAP"},
      mode = EnumSource.Mode.EXCLUDE)
  void threeAnswersInARowThatCannotBeReadCloseIt(LlmOutcome outcome) {
    LlmAnswer bad = answer(outcome, 0, List.of(), 0);
    LlmAnswer good = answer(LlmOutcome.READ, 0, List.of(), 0);
    assertThat(closed(after(bad, bad))).isEmpty();
    assertThat(closed(after(bad, good, bad, bad))).isEmpty();
    assertThat(closed(after(good, bad, bad, bad))).contains(Closed.UNUSABLE);
  }

  @Test
  void capsAndRoundsCloseIt() {
    assertThat(closed(after(answer(LlmOutcome.READ, 100_000, List.of(), 0)))).contains(Closed.CAP);
    assertThat(closed(after(answer(LlmOutcome.OVER_CAP, 0, List.of(), 0)))).contains(Closed.CAP);
    LlmAnswer[] eight = new LlmAnswer[8];
    java.util.Arrays.fill(eight, answer(LlmOutcome.READ, 1, List.of(), 0));
    assertThat(closed(after(eight))).contains(Closed.ROUNDS);
  }

  @Test
  void whatAGateRefusesIsAMiss() {
    assertThat(closed(after(answer(LlmOutcome.READ, 1, List.of(), 3)))).isEmpty();
    assertThat(closed(after(answer(LlmOutcome.READ, 1, List.of(), 4)))).contains(Closed.HIT_RATE);
  }

  @ParameterizedTest
  @EnumSource(DropCause.class)
  void aProfileThatFailsRefutesItsHypothesisAndOneThatNeverRanDoesNot(DropCause cause) {
    Hypothesis h = hypothesis("llm-1-a");
    SweepState s =
        AnswerTextTest.asked(
            new Event.LlmAnswered(1, answer(LlmOutcome.READ, 1, List.of(h), 0)),
            new Event.CommandAccepted(
                new Command.AddProfiles(List.of(h.profile())),
                new Command.Origin(Command.Origin.Door.LLM, "m")),
            new Event.ProfileDropped(h.profile().name(), cause, new Cause.Told("x")));
    boolean failed =
        cause == DropCause.FAILED || cause == DropCause.UNSAFE || cause == DropCause.UNSUPPORTED;
    assertThat(Scores.of(s, Standings.board(s), h))
        .isEqualTo(failed ? HypothesisScore.REFUTED : HypothesisScore.OPEN);
    assertThat(Scores.refuted(s, Standings.board(s))).hasSize(failed ? 1 : 0);
  }
}
