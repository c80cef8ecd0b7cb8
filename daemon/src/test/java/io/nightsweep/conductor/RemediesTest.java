package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Remedy.Then;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a remedy does next, as tables. */
@Tag("verdicts")
class RemediesTest {
  private static final TrialId TRIAL = new TrialId(1);
  private static final AttemptId ATTEMPT = TRIAL.attempt(1);

  /**
   * A remedy of three steps: collect (continues if it fails), resume-node (twice, then a halt), and
   * a wait of ten minutes. "0+" is a step that succeeded, "1-" one that failed, "1..." one with its
   * outcome pending.
   */
  @ParameterizedTest(name = "{0}, {1} min later: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
                      | 0  | step 0
          0...        | 0  | -
          0+          | 0  | step 1
          0-          | 0  | step 1
          0+ 1-       | 0  | step 1
          0+ 1- 1+    | 0  | -
          0+ 1- 1-    | 0  | HALT A_STEP_FAILED
          0+ 1+       | 9  | -
          0+ 1+       | 10 | step 2 done
          0+ 1+ 2+    | 0  | RESUBMIT STEPS_DONE
          """)
  void walksItsSteps(@Nullable String steps, int minutes, String expected) {
    Remedy remedy =
        new Remedy(
            List.of(
                step("collect", Duration.ofMinutes(1), 1, Then.RESUBMIT),
                step("resume-node", Duration.ofMinutes(1), 2, Then.HALT),
                step("wait", Duration.ofMinutes(10), 1, Then.RESUBMIT)),
            Then.RESUBMIT,
            2,
            Remedy.RemedyScope.TRIAL,
            false,
            Then.SET_ASIDE);
    Story story = begun("p1", Trial.Purpose.SCREEN, remedy);
    for (String one : steps == null ? new String[0] : steps.split(" ")) {
      int index = one.charAt(0) - '0';
      story.told(new Event.RemedyStepBegun(ATTEMPT, index));
      if (!one.endsWith("...")) {
        Statement said = Statement.words("told");
        story.told(
            new Event.RemedyStepDone(
                ATTEMPT,
                index,
                one.endsWith("+") ? StepEnd.succeeded(said) : StepEnd.failed(said)));
      }
    }
    assertThat(story.later(Duration.ofMinutes(minutes)).says(Trials::settle)).isEqualTo(expected);
  }

  /** How a remedy without steps ends, by the attempts that had this class, including this one. */
  @ParameterizedTest(name = "limit {0}, met {1} times, then {2}, after the limit {3}: {4}")
  @CsvSource({
    "2, 1, RESUBMIT,   SET_ASIDE,    RESUBMIT STEPS_DONE",
    "2, 2, RESUBMIT,   SET_ASIDE,    RESUBMIT STEPS_DONE",
    "2, 3, RESUBMIT,   SET_ASIDE,    SET_ASIDE LIMIT_REACHED",
    "0, 1, RESUBMIT,   DROP_PROFILE, DROP_PROFILE LIMIT_REACHED",
    "1, 1, FAIL_TRIAL, HALT,         FAIL_TRIAL STEPS_DONE",
    "0, 1, RESUBMIT,   HALT,         HALT LIMIT_REACHED",
  })
  void isLimited(int limit, int met, Then then, Then afterLimit, String expected) {
    Remedy remedy = Remedy.of(then, limit, Remedy.RemedyScope.TRIAL, afterLimit);
    Story story = begun("p1", Trial.Purpose.SCREEN, remedy);
    for (int i = 2; i <= met; i++) {
      AttemptId again = TRIAL.attempt(i);
      story
          .told(
              new Event.RemedyEnded(
                  TRIAL.attempt(i - 1), Then.RESUBMIT, Event.RemedyEnded.Why.STEPS_DONE))
          .later(Duration.ofMinutes(5))
          .submitted(again)
          .failed(again, "hang")
          .told(new Event.RemedyBegun(again, "hang", remedy));
    }
    assertThat(story.says(Trials::settle)).isEqualTo(expected);
  }

  /** Otherwise a program that hangs would get its retries again after each pause. */
  @ParameterizedTest(name = "halted {0}: {1}")
  @CsvSource({"false, DROP_PROFILE LIMIT_REACHED", "true, RESUBMIT STEPS_DONE"})
  void onlyTheEndOfAHaltBringsRetriesBack(boolean halted, String expected) {
    Remedy remedy = Remedy.of(Then.RESUBMIT, 1, Remedy.RemedyScope.PROFILE, Then.DROP_PROFILE);
    Story story = begun("p1", Trial.Purpose.SCREEN, remedy);
    story.told(new Event.RemedyEnded(ATTEMPT, Then.RESUBMIT, Event.RemedyEnded.Why.STEPS_DONE));
    if (halted) {
      story.told(new Event.SweepHalted(new HaltCause.NodesFailed(1, "screen-1"), List.of()));
    } else {
      story.commanded(new Command.Pause());
    }
    AttemptId again = TRIAL.attempt(2);
    story
        .later(Duration.ofMinutes(5))
        .commanded(new Command.Resume(Optional.empty(), Optional.empty()))
        .later(Duration.ofMinutes(5))
        .submitted(again)
        .failed(again, "hang")
        .told(new Event.RemedyBegun(again, "hang", remedy));
    assertThat(story.says(Trials::settle)).isEqualTo(expected);
  }

  /** A baseline is never dropped: without it nothing can be compared. */
  @ParameterizedTest(name = "{0} as {1}, {2}: {3}")
  @CsvSource({
    "p1,                SCREEN,   DROP_PROFILE, DROP_PROFILE STEPS_DONE",
    "p1,                SCREEN,   SET_ASIDE,    SET_ASIDE STEPS_DONE",
    "p1,                SCREEN,   HALT,         HALT STEPS_DONE",
    "baseline-deployed, CONTROL,  RESUBMIT,     RESUBMIT STEPS_DONE",
    "baseline-deployed, CONTROL,  DROP_PROFILE, HALT STEPS_DONE",
    "baseline-deployed, CONTROL,  SET_ASIDE,    HALT STEPS_DONE",
    "baseline-deployed, CONTROL,  FAIL_TRIAL,   HALT STEPS_DONE",
    "baseline-deployed, PROBE,    DROP_PROFILE, FAIL_TRIAL STEPS_DONE",
    "baseline-deployed, EVIDENCE, SET_ASIDE,    FAIL_TRIAL STEPS_DONE",
  })
  void sparesTheBaseline(String profile, Trial.Purpose purpose, Then then, String expected) {
    Remedy remedy = Remedy.of(then, 2, Remedy.RemedyScope.TRIAL, Then.HALT);
    assertThat(begun(profile, purpose, remedy).says(Trials::settle)).isEqualTo(expected);
  }

  /**
   * A wrong name must cost neither a night nor a profile: a diagnosis that is only likely ends no
   * sweep, touches no node and drops nothing without a second run.
   */
  @ParameterizedTest(name = "{0}, believed by {1}: {2}")
  @CsvSource({
    "image-missing, 0.7, image-missing",
    "image-missing, 0.6, unclassified",
    "node-fail,     0.6, unclassified",
    "nic-fault,     0.6, unclassified",
    "oom-gpu,       0.6, unclassified",
    "oom-gpu,       0.9, oom-gpu",
    "xla-compile,   0.4, unclassified",
    "program-error, 0.4, program-error",
  })
  @Tag("joblog")
  void aLikelyNameCostsNoNight(String failureClass, double confidence, String follows)
      throws Exception {
    Playbook playbook = new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read("maxtext-rocm");
    Diagnosis.Quote line = new Diagnosis.Quote("job.log", 1, "a line");
    Diagnosis told =
        new Diagnosis(failureClass, confidence, List.of(line), Statement.words("told"), List.of());
    assertThat(playbook.remedyFor(told)).isEqualTo(playbook.remedyFor(follows));
    // A diagnosis from the cluster's report needs no line of the log.
    Diagnosis seen =
        new Diagnosis(failureClass, confidence, List.of(), Statement.words("seen"), List.of());
    assertThat(playbook.remedyFor(seen)).isEqualTo(playbook.remedyFor(failureClass));
  }

  /** What follows the end of a remedy. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "RESUBMIT,     -",
    "HALT,         SweepHalted",
    "FAIL_TRIAL,   't0001 Failed[failureClass=hang, detail=Words[text=as told]]'",
    "DROP_PROFILE, 't0001 Failed[failureClass=hang, detail=Words[text=as told]]'",
    "SET_ASIDE,    't0001 Failed[failureClass=hang, detail=Words[text=as told]]'",
  })
  void isFollowed(Then then, String expected) {
    Remedy remedy = Remedy.of(then, 2, Remedy.RemedyScope.TRIAL, Then.HALT);
    Story story =
        begun("p1", Trial.Purpose.SCREEN, remedy)
            .told(new Event.RemedyEnded(ATTEMPT, then, Event.RemedyEnded.Why.STEPS_DONE));
    assertThat(story.says(Trials::settle)).isEqualTo(expected);
    SweepState s = story.state();
    assertThat(Resubmission.due(s, s.trial(TRIAL)).isPresent()).isEqualTo(then == Then.RESUBMIT);
  }

  /**
   * Whether people hear of it depends on who ends the profile: a remedy sets it aside for them to
   * know, and a profile leaves once.
   */
  @ParameterizedTest(name = "{0}, skipped before {1}: {2}")
  @CsvSource({
    "DROP_PROFILE, false, 't0001 ProfileDropped'",
    "SET_ASIDE,    false, 't0001 ProfileDropped NoticeIssued'",
    "DROP_PROFILE, true,  't0001'",
    "SET_ASIDE,    true,  't0001'",
  })
  void aProfileLeavesOnceAndPeopleHearOfOneSetAside(Then then, boolean skipped, String expected) {
    Remedy remedy = Remedy.of(then, 2, Remedy.RemedyScope.TRIAL, Then.HALT);
    Story story =
        begun("p1", Trial.Purpose.SCREEN, remedy)
            .told(new Event.RemedyEnded(ATTEMPT, then, Event.RemedyEnded.Why.STEPS_DONE));
    if (skipped) {
      story.told(
          new Event.ProfileDropped(
              "p1", Event.ProfileDropped.DropCause.SKIPPED, new Cause.SkippedByCommand()));
    }
    assertThat(
            story.decisions(Trials::settle).stream()
                .map(d -> Story.words(d).split(" ", 2)[0])
                .collect(Collectors.joining(" ")))
        .isEqualTo(expected);
  }

  /** If the baseline of the tag is measured already, one of its later runs may fail. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"FAIL_TRIAL, FAIL_TRIAL STEPS_DONE", "DROP_PROFILE, HALT STEPS_DONE"})
  void oneOfSeveralControlsMayFail(Then then, String expected) {
    Remedy remedy = Remedy.of(then, 2, Remedy.RemedyScope.TRIAL, Then.HALT);
    AttemptId second = new TrialId(2).attempt(1);
    Story story =
        new Story(Specs.kernels(4))
            .opened("baseline", Trial.Purpose.CONTROL, "baseline-deployed", "baseline-deployed")
            .submitted(ATTEMPT)
            .judged(ATTEMPT, new Judgement.Measured(measurement()))
            .told(new Event.TrialClosed(TRIAL, new Disposition.Measured(ATTEMPT)))
            .submitted(second)
            .failed(second, "hang")
            .told(new Event.RemedyBegun(second, "hang", remedy));
    assertThat(story.says(Trials::settle)).isEqualTo(expected);
  }

  /** The failure of a job that was queued before a halt counts, though it failed after the halt. */
  @Test
  void aJobFromBeforeTheHaltCountsItsOwnFailure() {
    Remedy remedy = Remedy.of(Then.RESUBMIT, 0, Remedy.RemedyScope.TRIAL, Then.DROP_PROFILE);
    Story story =
        new Story(Specs.kernels(4))
            .opened("screen-1", Trial.Purpose.SCREEN, "p1")
            .submitted(ATTEMPT)
            .told(new Event.SweepHalted(new HaltCause.NodesFailed(1, "screen-1"), List.of()))
            .later(Duration.ofMinutes(1))
            .commanded(new Command.Resume(Optional.empty(), Optional.empty()))
            .later(Duration.ofMinutes(1))
            .failed(ATTEMPT, "hang")
            .told(new Event.RemedyBegun(ATTEMPT, "hang", remedy));
    assertThat(story.says(Trials::settle)).isEqualTo("DROP_PROFILE LIMIT_REACHED");
  }

  /**
   * A repository's host recovers by itself and nobody on the cluster can help: the wait is five
   * minutes, then hours, for as long as the sweep lasts. A job that measures in between ends the
   * outage.
   */
  @Test
  @Tag("shipped")
  void aRepositorysHostIsWaitedForWithoutEnd() throws Exception {
    Remedy remedy = shipped("checkout-5xx");
    Story story = fourCandidates();
    assertThat(waits(story, TRIAL.attempt(1), remedy)).isEqualTo(Duration.ofMinutes(5));
    for (int i = 2; i <= 120; i++) {
      assertThat(waits(story, TRIAL.attempt(i), remedy)).isEqualTo(Duration.ofHours(1));
    }
    assertThat(story.state().notices().keySet()).filteredOn(k -> k.contains("outage")).hasSize(1);
    assertThat(waits(story, new TrialId(3).attempt(1), remedy))
        .as("another trial's first failure belongs to the same outage")
        .isEqualTo(Duration.ofHours(1));
    assertThat(story.state().notices().keySet()).filteredOn(k -> k.contains("outage")).hasSize(1);
    AttemptId other = new TrialId(2).attempt(1);
    story.submitted(other).judged(other, new Judgement.Measured(measurement()));
    assertThat(waits(story, new TrialId(4).attempt(1), remedy)).isEqualTo(Duration.ofMinutes(5));
    assertThat(waits(story, TRIAL.attempt(121), remedy)).isEqualTo(Duration.ofHours(1));
  }

  /** A trial that fails again waits longer, though other jobs measured; other failures are none. */
  @Test
  @Tag("shipped")
  void aTrialsOwnOutagesCountThoughOtherJobsMeasure() throws Exception {
    Remedy remedy = shipped("checkout-5xx");
    Story story = fourCandidates();
    AttemptId hung = new TrialId(2).attempt(1);
    story
        .submitted(hung)
        .failed(hung, "hang")
        .told(
            new Event.RemedyBegun(hung, "hang", Specs.playbook().otherwise()),
            new Event.RemedyEnded(hung, Then.RESUBMIT, Event.RemedyEnded.Why.STEPS_DONE));
    assertThat(waits(story, TRIAL.attempt(1), remedy)).isEqualTo(Duration.ofMinutes(5));
    measured(story, new TrialId(3).attempt(1));
    assertThat(waits(story, TRIAL.attempt(2), remedy)).isEqualTo(Duration.ofHours(1));
    measured(story, new TrialId(4).attempt(1));
    assertThat(waits(story, hung.trial().attempt(2), remedy)).isEqualTo(Duration.ofMinutes(5));
  }

  private static Remedy shipped(String failureClass) throws Exception {
    return new Playbooks(Resources.beside(Path.of("sweep.yaml")))
        .read("maxtext-rocm")
        .remedyFor(failureClass);
  }

  private static Story fourCandidates() {
    return new Story(Specs.kernels(4))
        .opened("screen-1", Trial.Purpose.SCREEN, "p1", "p2", "p3", "p4");
  }

  private static void measured(Story story, AttemptId attempt) {
    story.submitted(attempt).judged(attempt, new Judgement.Measured(measurement()));
  }

  /** A node that takes ten minutes to boot costs ten minutes; people are notified once. */
  @ParameterizedTest
  @CsvSource({"maxtext-rocm, node-fail", "maxtext-rocm, node-down", "kernels, node-fail"})
  @Tag("shipped")
  @Tag("recovery")
  void aNodeThatRebootsIsWaitedForAndToldOnce(String playbook, String failureClass)
      throws Exception {
    Remedy remedy =
        new Playbooks(Resources.beside(Path.of("sweep.yaml")))
            .read(playbook)
            .remedyFor(failureClass);
    List<String> actions = remedy.steps().stream().map(Remedy.RemedyStep::action).toList();
    int wait = actions.indexOf("wait-for-nodes");
    assertThat(wait).isBetween(1, actions.indexOf("resume-node") - 1);
    assertThat(remedy.steps().get(wait).timeout()).isGreaterThanOrEqualTo(Duration.ofMinutes(30));
    Story story =
        begun("p1", Trial.Purpose.SCREEN, failureClass, remedy)
            .told(new Event.RemedyStepBegun(ATTEMPT, wait))
            .later(Duration.ofSeconds(50));
    assertThat(story.decisions(Trials::settle)).isEmpty();
    for (int minute = 0; minute < 29; minute++) {
      story.later(Duration.ofMinutes(1));
      story.decisions(Trials::settle).forEach(d -> story.told(((Decision.Append) d).event()));
    }
    assertThat(story.state().notices().values())
        .singleElement()
        .extracting(n -> n.notice())
        .isInstanceOfSatisfying(
            Notice.Incident.class,
            n ->
                assertThat(Sentences.of(n.what(), Phrases.EN))
                    .isEqualTo(
                        "A node does not answer (%s: as told). The sweep waits up to 30 minutes for it and goes on by itself as soon as it is back."
                            .formatted(failureClass)));
    story.told(
        new Event.RemedyStepDone(ATTEMPT, wait, StepEnd.succeeded(Statement.words("answers"))));
    assertThat(story.says(Trials::settle)).isEqualTo("step " + (wait + 1));
  }

  /** How long the failed attempt's remedy waits before the job is sent again. */
  private static Duration waits(Story story, AttemptId attempt, Remedy remedy) {
    story
        .submitted(attempt)
        .failed(attempt, "checkout-5xx")
        .told(new Event.RemedyBegun(attempt, "checkout-5xx", remedy));
    Duration waited = Duration.ZERO;
    while (true) {
      List<Decision> next =
          story.decisions(Trials::settle).stream()
              .filter(d -> !Story.words(d).startsWith("t000"))
              .toList();
      if (next.isEmpty()) {
        waited = waited.plusMinutes(1);
        story.later(Duration.ofMinutes(1));
      }
      next.forEach(d -> story.told(((Decision.Append) d).event()));
      if (story
          .state()
          .trial(attempt.trial())
          .lastAttempt()
          .orElseThrow()
          .remedy()
          .orElseThrow()
          .ended()
          .isPresent()) {
        return waited;
      }
    }
  }

  private static Measurement measurement() {
    return new Measurement(1000, List.of(), 0, 0, new TreeMap<>());
  }

  private static Story begun(String profile, Trial.Purpose purpose, Remedy remedy) {
    return begun(profile, purpose, "hang", remedy);
  }

  private static Story begun(
      String profile, Trial.Purpose purpose, String failureClass, Remedy remedy) {
    return new Story(Specs.kernels(4))
        .opened("screen-1", purpose, profile)
        .submitted(ATTEMPT)
        .failed(ATTEMPT, failureClass)
        .told(new Event.RemedyBegun(ATTEMPT, failureClass, remedy));
  }

  private static Remedy.RemedyStep step(
      String action, Duration timeout, int tries, Then onFailure) {
    return new Remedy.RemedyStep(
        action, new TreeMap<>(), timeout, Optional.empty(), tries, onFailure);
  }
}
