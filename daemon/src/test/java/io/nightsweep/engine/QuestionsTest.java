package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Conductor;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.report.AnswerEffects;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Question;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A step that needs approval, from a playbook as a user writes it, through a whole night. */
@Tag("guard")
@Tag("slow")
class QuestionsTest {
  private static final String MINE =
      """
      about: The reset of a NIC is a person's to allow.
      extends: maxtext-rocm
      classes:
        nic-fault:
          remedy:
            steps:
              - {do: reset-nic, timeout: 2s, with: {settle: 0s}, approval: true, patience: 20m, unanswered: ANSWER}
            then: resubmit
            limit: 2
            scope: sweep
            afterLimit: halt
      """;

  @TempDir private Path scratch;
  private final AtomicReference<String> unanswered = new AtomicReference<>("deny");

  @BeforeEach
  void folder() throws Exception {
    Files.createDirectories(scratch.resolve("playbooks"));
  }

  @Test
  void aGrantedStepIsTakenAndADeniedOneIsNot() throws Exception {
    SampleNight granted = night("granted");
    SweepState s = granted.run(state -> !state.openQuestions().isEmpty());
    assertThat(EveryClassTest.steps(s)).as("nothing is done before the answer").isEmpty();
    AnswerEffects effects =
        AnswerEffects.of(s, s.openQuestions().values().iterator().next().about(), Phrases.EN)
            .orElseThrow();
    assertThat(effects.reason().getFirst())
        .contains("nic-fault", SampleNight.CANDIDATE)
        .containsAnyOf(s.cell().nodes().toArray(String[]::new));
    assertThat(effects.yes())
        .isEqualTo("reset-nic runs; if it succeeds, the job is submitted again");
    assertThat(effects.no())
        .isEqualTo("reset-nic does not run; the sweep halts until somebody resumes it");
    assertThat(effects.noHalts()).isTrue();
    granted.tell(new Command.Approve(s.openQuestions().firstKey()));
    assertIsCured(granted.run(state -> false));

    SampleNight denied = night("denied");
    s = denied.run(state -> !state.openQuestions().isEmpty());
    denied.tell(new Command.Deny(s.openQuestions().firstKey()));
    assertIsHalted(denied.run(state -> false));
  }

  @Test
  void whereNobodyAnswersInTimeThePlaybooksAnswerHoldsAndPeopleAreTold() throws Exception {
    SampleNight night = night("nobody");
    SweepState s = night.run(state -> false);
    assertIsHalted(s);
    Question lapsed = s.questions().values().iterator().next();
    assertThat(lapsed.answer()).contains(new Question.GivenAnswer(false, false));
    assertThat(Duration.between(lapsed.askedAt(), lapsed.until()))
        .isEqualTo(Duration.ofMinutes(20));
    assertThat(s.notices().keySet())
        .anyMatch(key -> key.startsWith("question:"))
        .anyMatch(key -> key.startsWith("lapsed:"));

    unanswered.set("approve");
    assertIsCured(night("nobody-minds").run(state -> false));
  }

  @Test
  void aDaemonThatComesBackAfterTheDeadlineClosesTheQuestionAtOnce() throws Exception {
    SampleNight night = night("restart");
    night.run(state -> !state.openQuestions().isEmpty());
    List<Entry> journal = night.entries();
    SweepState replayed = SweepState.fold(journal);
    String name = replayed.openQuestions().firstKey();
    Instant until = Objects.requireNonNull(replayed.openQuestions().get(name)).until();
    assertThat(Conductor.decide(replayed, until.minusSeconds(1))).noneMatch(d -> isLapse(d, name));
    assertThat(Conductor.decide(replayed, until)).anyMatch(d -> isLapse(d, name));
  }

  @Test
  void aPausedSweepsQuestionLapsesTooAndALateAnswerIsRefused() throws Exception {
    SampleNight night = night("paused");
    SweepState s = night.run(state -> !state.openQuestions().isEmpty());
    String name = s.openQuestions().firstKey();
    assertThat(Admission.refusal(s, new Command.Approve(name))).isEmpty();
    assertThat(Admission.refusal(s, new Command.Approve("x")))
        .contains(Statement.phrase("refusal-no-question", "x", name));
    night.tell(new Command.Pause());
    s = night.run(state -> state.openQuestions().isEmpty());
    assertThat(Admission.refusal(s, new Command.Approve(name)))
        .contains(Statement.phrase("refusal-lapsed", Statement.phrase("refusal-no")));
  }

  private static boolean isLapse(Decision decision, String question) {
    return decision instanceof Decision.Append append
        && append.event().equals(new Event.QuestionLapsed(question));
  }

  private SampleNight night(String name) throws Exception {
    Files.writeString(
        scratch.resolve("playbooks/mine.yaml"), MINE.replace("ANSWER", unanswered.get()));
    Playbooks playbooks = new Playbooks(Resources.below(scratch));
    return new SampleNight(
        scratch.resolve(name),
        playbooks.read("mine"),
        EveryClassTest.sample(playbooks, "maxtext-rocm", "nic-fault"),
        SampleNight.CANDIDATE,
        1,
        Optional.empty());
  }

  private static void assertIsCured(SweepState s) {
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(EveryClassTest.steps(s)).containsExactly("reset-nic ok");
    assertThat(s.trials().values())
        .anyMatch(
            t ->
                t.attempts().size() == 2
                    && t.disposition().orElseThrow() instanceof Disposition.Measured);
  }

  private static void assertIsHalted(SweepState s) {
    assertThat(s.phase()).isInstanceOf(Phase.Halted.class);
    assertThat(EveryClassTest.steps(s)).containsExactly("reset-nic failed");
    assertThat(Sentences.tried(((Phase.Halted) s.phase()).cause(), Phrases.EN))
        .startsWith("reset-nic (not run: ");
  }
}
