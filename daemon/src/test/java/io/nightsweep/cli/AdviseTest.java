package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.StateDirectory;
import io.nightsweep.report.ReportTexts;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Hypothesis;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.LlmAnswer.LlmOutcome;
import io.nightsweep.sweep.LlmOccasion;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.ReadAnswers;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What people learn about a language model: its prompts, answers and costs, and why it is silent.
 */
@Tag("agent")
class AdviseTest {
  @TempDir private Path folder;

  private static final Hypothesis HYPOTHESIS =
      new Hypothesis(
          Profile.of("llm-1-x", Map.of("--xla_gpu_x", "1"), Map.of(), Map.of()),
          "it overlaps",
          new Hypothesis.Signal(
              Hypothesis.Signal.SignalSource.HLO,
              "all-gather",
              Hypothesis.Signal.ExpectedChange.GROWS),
          "f",
          0.5,
          1,
          2);

  private static LlmAnswer refused() {
    return LlmAnswer.none(LlmOutcome.REFUSED, Statement.phrase("llm-status", 429));
  }

  private static LlmAnswer read() {
    return ReadAnswers.of(
        2_000,
        500,
        12_300,
        List.of(HYPOTHESIS),
        List.of(new LlmAnswer.Refusal("llm-1-y", Statement.words("it sets nothing"))),
        List.of(
            new LlmAnswer.Claim(
                "p1",
                LlmAnswer.Claim.Relation.GAINS_PERCENT,
                3,
                LlmAnswer.Claim.Truth.CONTRADICTED,
                OptionalDouble.of(1))),
        "words");
  }

  /** One round was answered, three were refused by the endpoint. */
  private static List<Entry> night(List<Event> more) {
    List<Event> events = new ArrayList<>();
    events.add(new Event.SweepStarted("s", 1, Specs.kernels(3, 60)));
    events.add(
        new Event.LlmAdmitted(
            new LlmTerms(
                LlmTerms.Mode.RUN,
                "some-model",
                0.3,
                8,
                100_000,
                1_000_000,
                List.of(LlmTerms.Topic.values()))));
    events.add(new Event.LlmAsked(new LlmOccasion(LlmOccasion.Kind.EVIDENCE, "")));
    events.add(new Event.LlmAnswered(1, read()));
    for (int round = 2; round <= 4; round++) {
      events.add(new Event.LlmAsked(new LlmOccasion(LlmOccasion.Kind.WAVE, "w" + round)));
      events.add(new Event.LlmAnswered(round, refused()));
    }
    events.addAll(more);
    List<Entry> entries = new ArrayList<>();
    events.forEach(e -> entries.add(new Entry(entries.size() + 1L, Instant.EPOCH, e)));
    return entries;
  }

  private StateDirectory state() throws IOException {
    StateDirectory state = new StateDirectory(folder.resolve("state"));
    state.create();
    return state;
  }

  private void journal(List<Entry> entries) throws IOException {
    PastNights.leave(folder.resolve("state"), "s", entries);
  }

  private Typed say(String... words) {
    return Typed.in(folder.resolve("state"), words);
  }

  @Test
  void adviseTellsRoundsRefusalsClaimsTokensMoneyAndWhyTheDoorClosed() throws IOException {
    journal(night(List.of()));
    assertThat(say("advise").out())
        .contains("some-model may have profiles run: 4 rounds, 2500 of 100000 tokens")
        .contains("$ 0.0123 of $ 1.0000")
        .contains("three answers in a row could not be used")
        .contains("llm-1-x  open  expected +1.0 to +2.0 %: --xla_gpu_x=1")
        .contains("signal: all-gather grows, not looked at")
        .contains("refused  llm-1-y: it sets nothing")
        .contains("p1 gains percent 3.0: wrong, the journal has 1.0")
        .contains("nobody has verified: \"words\"")
        .contains("was refused by the endpoint (the endpoint answered with status 429)");
  }

  @Test
  void theReportTellsTheSameInBothLanguages() {
    SweepState s = SweepState.fold(night(List.of()));
    assertThat(ReportTexts.english(s))
        .contains("It used 2500 of 100000 tokens, $ 0.0123 of $ 1.0000.")
        .contains("It is not asked again: three answers in a row could not be used.")
        .contains("the endpoint answered with status 429", "it sets nothing");
    assertThat(ReportTexts.chinese(s))
        .contains("用去 100000 个 token 中的 2500 个，1.0000 美元中的 0.0123 美元。")
        .contains("不再询问它：连续三个回答无法使用。")
        .contains("端点以状态 429 作答")
        .doesNotContain("answered with status");
  }

  /**
   * A round that nobody approved, or for which the share was spent, is reported so once a sweep has
   * ended.
   */
  @Test
  void whatNeverRanIsNotOpenForGood() throws IOException {
    journal(
        night(
            List.of(
                new Event.SweepFinished(
                    Event.SweepFinished.SweepOutcome.NO_WINNER, new SweepEnding.NoneBetter()))));
    assertThat(say("advise").out()).contains("llm-1-x  never run  expected").doesNotContain("open");
  }

  @Test
  void aSweepThatAsksNoneSaysSo() throws IOException {
    journal(night(List.of()).subList(0, 1));
    assertThat(say("advise").out()).contains("no language model is asked in s");
    assertThat(say("advise", "--json").out()).contains("\"model\":null", "\"rounds\":[]");
  }

  /** A prompt is shown with its wave or attempt, as it would be sent. */
  @Test
  void aDryRunNamesWhatTheOccasionIsAbout() throws IOException {
    List<Event> closed =
        List.of(new Event.WaveOpened("screen-1", List.of()), new Event.WaveClosed("screen-1"));
    journal(night(closed));
    assertThat(say("advise", "--dry-run").out())
        .contains("\"occasion\":{\"kind\":\"wave\",\"about\":\"screen-1\"}");
    Typed failure = say("advise", "--dry-run", "--occasion", "FAILURE");
    assertThat(failure.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(failure.err()).contains("has not reached the occasion FAILURE");
  }

  /** The prompt of an open round is printed as it was sent, even if more has become known since. */
  @Test
  void aDryRunOfAnOpenRoundPrintsWhatWasSent() throws IOException {
    journal(night(List.of(new Event.LlmAsked(new LlmOccasion(LlmOccasion.Kind.BOUNDED, "")))));
    Path sent = state().sweep("s").root().resolve("llm/5.prompt.txt");
    Files.createDirectories(sent.getParent());
    Files.writeString(sent, "word by word\n");
    assertThat(say("advise", "--dry-run").out().strip()).isEqualTo("word by word");
  }

  /** A daemon would run without the model, and nobody would learn why. */
  @ParameterizedTest
  @CsvSource({
    "share: 0.9, share",
    "keyVariable: MODEL, keyVariable",
    "answerLimit: both, answerLimit"
  })
  void noSweepStartsWithAnUnusableFile(String line, String key) throws IOException {
    Files.writeString(
        state().root().resolve("llm.yaml"),
        "mode: run\ndialect: openai\nurl: http://127.0.0.1:1/v1\nmodel: m\n" + line + "\n");
    Typed start = say("start", folder.resolve("sweep.yaml").toString());
    assertThat(start.code()).isEqualTo(ExitCode.INVALID_INPUT);
    assertThat(start.err()).contains("llm.yaml:5:", key);
  }

  /** The environment of the daemon's process counts, not this command's. */
  @Test
  void theDaemonsOwnEnvironmentIsLookedAt() throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sleep", "60");
    builder.environment().put("OTHER_API_KEY", "its own=1");
    Process other = builder.start();
    try {
      assertThat(DaemonEnvironment.of(other.pid()).orElseThrow())
          .containsEntry("OTHER_API_KEY", "its own=1");
    } finally {
      other.destroy();
      other.waitFor();
    }
    assertThat(DaemonEnvironment.of(Long.MAX_VALUE)).isEmpty();
  }
}
