package io.nightsweep.llm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.llm.LlmDoor.ClosedBy;
import io.nightsweep.llm.Scores.HypothesisScore;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Hypothesis;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.LlmAnswer.LlmOutcome;
import io.nightsweep.sweep.LlmOccasion;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.ReadAnswers;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** When the model is not queried any more, and how failed hypotheses count. */
@Tag("agent")
class ScoresTest {
  private static final LlmOccasion NEXT = new LlmOccasion(LlmOccasion.Kind.WAVE, "w");

  private static Optional<ClosedBy> closed(SweepState s) {
    return LlmDoor.closed(s, Standings.board(s));
  }

  private static LlmAnswer answer(
      LlmOutcome outcome, long tokens, List<Hypothesis> hypotheses, int refused) {
    List<LlmAnswer.Refusal> refusals = new ArrayList<>();
    for (int i = 0; i < refused; i++) {
      refusals.add(new LlmAnswer.Refusal("x" + i, Statement.words("no")));
    }
    return new LlmAnswer(
        outcome, Statement.NONE, "", "", tokens, 0, 0, hypotheses, refusals, List.of(), "");
  }

  private static Hypothesis hypothesis(String name) {
    return new Hypothesis(
        Profile.of(name, Map.of("--xla_" + name.replace('-', '_'), "1"), Map.of(), Map.of()),
        "m",
        new Hypothesis.Signal(
            Hypothesis.Signal.SignalSource.HLO,
            "all-gather",
            Hypothesis.Signal.ExpectedChange.SHRINKS),
        "f",
        0,
        1,
        3);
  }

  /** The answers of rounds 1, 2 and so on. */
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
    assertThat(closed(after(good, bad, bad, bad))).contains(ClosedBy.UNUSABLE);
  }

  @Test
  void capsAndRoundsCloseIt() {
    assertThat(closed(after(answer(LlmOutcome.READ, 100_000, List.of(), 0))))
        .contains(ClosedBy.CAP);
    assertThat(closed(after(answer(LlmOutcome.OVER_CAP, 0, List.of(), 0)))).contains(ClosedBy.CAP);
    LlmAnswer[] eight = new LlmAnswer[8];
    Arrays.fill(eight, answer(LlmOutcome.READ, 1, List.of(), 0));
    assertThat(closed(after(eight))).contains(ClosedBy.ROUNDS);
  }

  @Test
  void whatAGateRefusesIsAMiss() {
    assertThat(closed(after(answer(LlmOutcome.READ, 1, List.of(), 3)))).isEmpty();
    assertThat(closed(after(answer(LlmOutcome.READ, 1, List.of(), 4)))).contains(ClosedBy.HIT_RATE);
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

  /** Terms of 100,000 tokens and 1,000 millionths of a dollar. */
  private static SweepState paid(LlmAnswer... answers) {
    SweepState s = after(answers);
    LlmTerms terms = s.llm().terms().orElseThrow();
    return s.apply(
        new Entry(
            s.seq() + 1,
            Instant.EPOCH,
            new Event.LlmAdmitted(
                new LlmTerms(terms.mode(), terms.model(), 0.3, 8, 100_000, 1_000, terms.tells()))));
  }

  /** The answer's tokens too; unchecked counts from an earlier version do not overflow. */
  @ParameterizedTest
  @CsvSource({
    "49999, 50000, 0, 1, 1000, false",
    "50000, 50000, 0, 0, 1000, true",
    "0, 100000, 0, 0, 1000, true",
    "100, 100, 999, 99800, 1, false",
    "100, 100, 1000, 99800, 0, true",
    "9223372036854775807, 9223372036854775807, -5, -2251799813585248, 1000, true"
  })
  void tokensAndMoneyCloseItToTheLastOne(
      long in, long out, long micro, long tokensLeft, long microLeft, boolean isClosed) {
    SweepState s = paid(ReadAnswers.costing(in, out, micro));
    assertThat(LlmDoor.tokensLeft(s)).isEqualTo(tokensLeft);
    assertThat(LlmDoor.microDollarsLeft(s)).isEqualTo(microLeft);
    assertThat(closed(s).equals(Optional.of(ClosedBy.CAP))).isEqualTo(isClosed);
  }

  /** A measured winner that a language model proposed, with this many refusals beside it. */
  @ParameterizedTest
  @CsvSource({"0, false", "3, false", "4, true", "7, true"})
  void oneThatHeldKeepsItOpenForThreeThatDidNot(int refusals, boolean isClosed) {
    SweepState s =
        Specs.night(Specs.kernels(3, 30), Specs.surface(0.06, 0.004), Duration.ofMinutes(8), 5)
            .run()
            .state();
    for (Event event :
        List.of(
            new Event.LlmAdmitted(
                new LlmTerms(LlmTerms.Mode.RUN, "m", 0.3, 8, 9_000, 0, List.of())),
            new Event.LlmAsked(NEXT),
            new Event.LlmAnswered(
                1, answer(LlmOutcome.READ, 1, List.of(hypothesis("p3")), refusals)))) {
      s = s.apply(new Entry(s.seq() + 1, Instant.EPOCH, event));
    }
    assertThat(Scores.of(s, Standings.board(s), hypothesis("p3"))).isEqualTo(HypothesisScore.HELD);
    assertThat(closed(s).equals(Optional.of(ClosedBy.HIT_RATE))).isEqualTo(isClosed);
  }
}
