package io.nightsweep.llm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.report.Phrases;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.LlmAnswer.Claim.Truth;
import io.nightsweep.sweep.LlmAnswer.LlmOutcome;
import io.nightsweep.sweep.LlmOccasion;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which parts of an answer's text count. */
@Tag("agent")
class AnswerTextTest {
  private static final String HYPOTHESIS =
      """
      {"name": "overlap", "mechanism": "hides\\u0007 the gather", "signal": {"source": "HLO", "name": "all-gather", "change": "SHRINKS"},
       "falsifier": "it stays", "refutedBelowPercent": 0.5, "expectedPercent": {"low": 1, "high": 4}, "flags": {"--xla_gpu_x": "true"}}
      """;

  static SweepState asked(Event... more) {
    List<Event> events = new ArrayList<>();
    events.add(new Event.SweepStarted("s", 1, Specs.kernels(3, 60)));
    events.add(
        new Event.LlmAdmitted(
            new LlmTerms(
                LlmTerms.Mode.RUN, "m", 0.3, 8, 100_000, 0, List.of(LlmTerms.Topic.values()))));
    events.add(new Event.LlmAsked(new LlmOccasion(LlmOccasion.Kind.EVIDENCE, "")));
    events.addAll(List.of(more));
    List<Entry> entries = new ArrayList<>();
    for (Event event : events) {
      entries.add(new Entry(entries.size() + 1L, Instant.EPOCH, event));
    }
    return SweepState.fold(entries);
  }

  private static LlmAnswer read(String text) {
    SweepState s = asked();
    Leaderboard board = Standings.board(s);
    return new AnswerText(
            s,
            board,
            p ->
                p.env().containsKey("LD_PRELOAD")
                    ? Optional.of(Statement.words("no loader's variable"))
                    : Optional.empty())
        .read(text);
  }

  @Test
  void aHypothesisIsTypedAndNamedSoThatNobodyTakesItForAnothers() {
    LlmAnswer a = read("{\"hypotheses\": [" + HYPOTHESIS + "]}");
    assertThat(a.outcome()).isEqualTo(LlmOutcome.READ);
    assertThat(a.hypotheses())
        .singleElement()
        .satisfies(
            h -> {
              assertThat(h.profile().name()).isEqualTo("llm-1-overlap");
              assertThat(h.profile().flags()).containsEntry("--xla_gpu_x", "true");
              assertThat(h.mechanism()).isEqualTo("hides  the gather");
              assertThat(h.lowPercent()).isEqualTo(1);
            });
    assertThat(read("```json\n{\"hypotheses\": []}\n```").outcome()).isEqualTo(LlmOutcome.READ);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Sure! Here is the JSON: {}",
        "[]",
        "null",
        "{\"hypotheses\": []} {\"hypotheses\": []}",
        "{\"hypotheses\": [], \"hypotheses\": []}",
        "{\"hypotheses\": [], \"command\": \"rm -rf /\"}",
        "{\"hypotheses\": [{\"name\": \"a\"}]}",
        "{\"hypotheses\": {\"name\": \"a\"}}",
        "{\"hypotheses\": [], \"prose\": 7}",
        "{\"hypotheses\": [], \"claims\": [{\"subject\": \"a\", \"relation\": \"WINS\", \"figure\": 1}]}",
        "{\"hypotheses\": [1,2,3,4,5]}"
      })
  void whatDoesNotFitTheSchemaIsNothing(String text) {
    LlmAnswer a = read(text);
    assertThat(a.outcome()).isEqualTo(LlmOutcome.MALFORMED);
    assertThat(a.hypotheses()).isEmpty();
    assertThat(Phrases.EN.text(a.detail())).isNotEmpty().hasSizeLessThan(500);
  }

  @Test
  void anAbsurdlyDeepOrLongTextIsMalformedToo() {
    assertThat(read("[".repeat(200_000)).outcome()).isEqualTo(LlmOutcome.MALFORMED);
    assertThat(read("{\"prose\": \"" + "x".repeat(500_000) + "\", \"hypotheses\": []}").outcome())
        .isEqualTo(LlmOutcome.MALFORMED);
  }

  @Test
  void whatTheGateOrReasonForbidsIsRefusedByNameAndTheRestIsTaken() {
    String loader =
        HYPOTHESIS.replace("\"flags\"", "\"env\": {\"LD_PRELOAD\": \"/x.so\"}, \"flags\"");
    String same = HYPOTHESIS.replace("\"overlap\"", "\"again\"");
    String loss = HYPOTHESIS.replace("\"low\": 1, \"high\": 4", "\"low\": -4, \"high\": -1");
    String nothing = HYPOTHESIS.replace(", \"flags\": {\"--xla_gpu_x\": \"true\"}", "");
    LlmAnswer a =
        read(
            "{\"hypotheses\": ["
                + String.join(",", loader.replace("overlap", "loader"), HYPOTHESIS, same, loss)
                + "]}");
    assertThat(a.hypotheses()).extracting(h -> h.profile().name()).containsExactly("llm-1-overlap");
    assertThat(a.refusals())
        .extracting(r -> Phrases.EN.text(r.reason()))
        .containsExactly(
            "no loader's variable",
            "another hypothesis of the answer sets the same",
            "it cannot be refuted: found a gain of -4.0 to -1.0 %, refuted below 0.5 %; expected low"
                + " from 0.2 on, high up to four times low and five more, at most 50.0, and refuted"
                + " below something above 0 and up to low");
    assertThat(read("{\"hypotheses\": [" + nothing + "]}").refusals())
        .extracting(r -> Phrases.EN.text(r.reason()))
        .containsExactly("it sets nothing");
  }

  /** No measurement could refute this prediction. */
  @ParameterizedTest
  @CsvSource({
    "-100, 100, -100",
    "0, 3, 0",
    "1, 4, 0",
    "1, 4, 2",
    "1, 12, 0.5",
    "40, 60, 5",
    "3, 2, 1"
  })
  void whatNoFigureCouldRefuteIsNoHypothesis(double low, double high, double refutedBelow) {
    String vague =
        HYPOTHESIS
            .replace("\"low\": 1, \"high\": 4", "\"low\": " + low + ", \"high\": " + high)
            .replace("\"refutedBelowPercent\": 0.5", "\"refutedBelowPercent\": " + refutedBelow);
    LlmAnswer a = read("{\"hypotheses\": [" + vague + "]}");
    assertThat(a.hypotheses()).isEmpty();
    assertThat(a.refusals())
        .singleElement()
        .satisfies(r -> assertThat(Phrases.EN.text(r.reason())).startsWith("it cannot be refuted"));
  }

  @Test
  void claimsAreHeldAgainstTheJournalAndProseIsAQuotationOnOneLine() {
    LlmAnswer a =
        read(
            """
            {"hypotheses": [], "prose": "deploy it\\n\\u001b[2J now",
             "claims": [{"subject": "t9999a1", "relation": "ENDED_AT_STEP", "figure": 14},
                        {"subject": "p1", "relation": "GAINS_PERCENT", "figure": 50}]}
            """);
    assertThat(a.claims()).extracting(LlmAnswer.Claim::truth).containsOnly(Truth.UNKNOWN);
    assertThat(a.prose()).isEqualTo("deploy it  [2J now");
  }

  /** A model forgets its proposals; no person is asked about the same one twice. */
  @Test
  void whatAnEarlierAnswerProposedIsNotProposedAgain() {
    LlmAnswer first = read("{\"hypotheses\": [" + HYPOTHESIS + "]}");
    SweepState s =
        asked(
            new Event.LlmAnswered(1, first),
            new Event.LlmAsked(new LlmOccasion(LlmOccasion.Kind.WAVE, "w")));
    LlmAnswer second =
        new AnswerText(s, Standings.board(s), p -> Optional.empty())
            .read("{\"hypotheses\": [" + HYPOTHESIS.replace("\"overlap\"", "\"anew\"") + "]}");
    assertThat(second.hypotheses()).isEmpty();
    assertThat(second.refusals())
        .containsExactly(
            new LlmAnswer.Refusal(
                "llm-2-anew", Statement.phrase("llm-set-before", "llm-1-overlap")));
  }
}
