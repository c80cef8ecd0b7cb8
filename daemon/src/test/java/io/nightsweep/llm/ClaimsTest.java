package io.nightsweep.llm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.report.ReportTexts;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.LlmAnswer.Claim;
import io.nightsweep.sweep.LlmAnswer.Claim.Relation;
import io.nightsweep.sweep.LlmAnswer.Claim.Truth;
import io.nightsweep.sweep.LlmOccasion;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.ReadAnswers;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A language model's claims about a measured night, checked against its journal. */
@Tag("agent")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClaimsTest {
  private SweepState s = SweepState.empty();

  @BeforeAll
  void measured() {
    s =
        Specs.night(Specs.kernels(3, 30), Specs.surface(0.06, 0.004), Duration.ofMinutes(8), 5)
            .run()
            .state();
    s = with(finding(Finding.BREAKDOWN, Map.of("matmul", 9.0, "all-gather", 1.0)));
    s = with(finding(Finding.BREAKDOWN, Map.of("matmul", 6.0, "all-gather", 2.0)));
    s = with(finding(Finding.MECHANISMS, Map.of("all-gather", 99.0)));
    s = with(finding(Finding.MECHANISMS, Map.of("all-gather", 28.0)));
  }

  private SweepState with(Event event) {
    return s.apply(new Entry(s.seq() + 1, Instant.EPOCH, event));
  }

  private static Event finding(String kind, Map<String, Double> figures) {
    return new Event.FindingMade(
        new Finding(
            AttemptId.parse("t0001a1"),
            kind,
            Statement.words("seen"),
            List.of(),
            new TreeMap<>(figures)));
  }

  private Claim checked(String subject, Relation relation, double figure) {
    Leaderboard board = Standings.board(s);
    return new Claims(s, board).checked(subject, relation, figure);
  }

  /** Two of eight seconds are a quarter; the last finding counts. Counts must be exact. */
  @ParameterizedTest
  @CsvSource({
    "all-gather, TAKES_PERCENT_OF_STEP, 25, HOLDS",
    "all-gather, TAKES_PERCENT_OF_STEP, 24.1, HOLDS",
    "all-gather, TAKES_PERCENT_OF_STEP, 25.9, HOLDS",
    "all-gather, TAKES_PERCENT_OF_STEP, 26.1, CONTRADICTED",
    "all-gather, TAKES_PERCENT_OF_STEP, 23.9, CONTRADICTED",
    "all-gather, TAKES_PERCENT_OF_STEP, 10, CONTRADICTED",
    "all-gather, TAKES_PERCENT_OF_STEP, 0.25, CONTRADICTED",
    "matmul, TAKES_PERCENT_OF_STEP, 75, HOLDS",
    "nothing, TAKES_PERCENT_OF_STEP, 0, UNKNOWN",
    "all-gather, RUNS_PER_STEP, 28, HOLDS",
    "all-gather, RUNS_PER_STEP, 28.4, CONTRADICTED",
    "all-gather, RUNS_PER_STEP, 27, CONTRADICTED",
    "all-gather, RUNS_PER_STEP, 99, CONTRADICTED",
    "all-reduce, RUNS_PER_STEP, 28, UNKNOWN",
    "t9999a1, ENDED_AT_STEP, 14, UNKNOWN",
    "p9, GAINS_PERCENT, 5, UNKNOWN"
  })
  void aFigureHoldsAsFarAsFewDigitsMayBeOff(
      String subject, Relation relation, double figure, Truth expected) {
    Claim claim = checked(subject, relation, figure);
    assertThat(claim.truth()).isEqualTo(expected);
    assertThat(claim.journal().isEmpty()).isEqualTo(expected == Truth.UNKNOWN);
  }

  @ParameterizedTest
  @CsvSource({
    "0, HOLDS",
    "0.24, HOLDS",
    "-0.24, HOLDS",
    "0.26, CONTRADICTED",
    "-0.26, CONTRADICTED",
    "20, CONTRADICTED"
  })
  void aGainIsHeldAgainstTheLeaderboardsInPercent(double off, Truth expected) {
    double percent =
        100 * Math.expm1(Standings.board(s).of("p3").orElseThrow().estimate().logGain());
    assertThat(percent).isBetween(3.0, 9.0);
    Claim claim = checked("p3", Relation.GAINS_PERCENT, percent + off);
    assertThat(claim.truth()).isEqualTo(expected);
    assertThat(claim.journal().getAsDouble()).isCloseTo(percent, within());
  }

  private static Offset<Double> within() {
    return Offset.offset(1e-9);
  }

  /** The claim that a job died at step 14 is wrong if it had come to step 15. */
  @ParameterizedTest
  @CsvSource({"0, HOLDS", "1, CONTRADICTED", "-1, CONTRADICTED", "5, CONTRADICTED"})
  void aStepIsExact(int off, Truth expected) {
    AttemptState last = s.attempts().reduce((first, second) -> second).orElseThrow();
    int step = last.run().progress().step();
    assertThat(checked(last.id().toString(), Relation.ENDED_AT_STEP, step + off).truth())
        .isEqualTo(expected);
  }

  /**
   * A true claim is expressed by a template in both languages, with the journal's figure beside it.
   */
  @Test
  void onlyWhatHoldsIsRepeated() {
    LlmAnswer answer =
        ReadAnswers.of(
            List.of(),
            List.of(),
            List.of(
                checked("all-gather", Relation.TAKES_PERCENT_OF_STEP, 24.5),
                checked("all-gather", Relation.RUNS_PER_STEP, 28),
                checked("matmul", Relation.TAKES_PERCENT_OF_STEP, 12.5)),
            "");
    SweepState told = s;
    for (Event event :
        List.of(
            new Event.LlmAdmitted(
                new LlmTerms(LlmTerms.Mode.RUN, "m", 0.3, 8, 9_000, 0, List.of())),
            new Event.LlmAsked(new LlmOccasion(LlmOccasion.Kind.EVIDENCE, "")),
            new Event.LlmAnswered(1, answer))) {
      told = told.apply(new Entry(told.seq() + 1, Instant.EPOCH, event));
    }
    assertThat(answer.claims()).extracting(Claim::journal).contains(OptionalDouble.of(25));
    assertThat(ReportTexts.english(told))
        .contains(
            "`all-gather` takes 24.5 % of the step (journal: 25 %).",
            "`all-gather` runs 28 times in a step (journal: 28).",
            "The journal does not confirm 1 of its claims")
        .doesNotContain("12.5");
    assertThat(ReportTexts.chinese(told))
        .contains(
            "`all-gather` 占一步的 24.5 %（日志：25 %）。",
            "`all-gather` 在一步中运行 28 次（日志：28）。", "它的 1 条断言没有日志支持")
        .doesNotContain("12.5");
  }
}
