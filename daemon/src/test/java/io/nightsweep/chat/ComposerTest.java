package io.nightsweep.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.Commands;
import io.nightsweep.asked.Confirming;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sim.LostNode;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("people")
class ComposerTest {
  private static final Path ARTIFACTS = Path.of("/state/sweeps/night/jobs");

  private final Composer composer = new Composer(ZoneOffset.UTC);
  private final Night.Result night =
      Specs.night(Specs.kernels(8, 80), Specs.surface(0.05, 0.005), Duration.ofMinutes(8), 7).run();

  @Test
  void everyNoticeOfANightIsWellFormedAndWithinTheLimits() throws Exception {
    SweepState s = SweepState.empty();
    int notices = 0;
    for (Entry entry : night.entries()) {
      s = s.apply(entry);
      if (entry.event() instanceof Event.NoticeIssued issued) {
        notices++;
        wellFormed(composer.of(s, occasion(issued.key(), issued.notice(), s)));
      }
    }
    assertThat(notices).isGreaterThan(5);
  }

  @Test
  void theKickoffTellsThePlanTheJobsTheHoursAndWhatWasRehearsed() throws Exception {
    SweepState s = stateAt("kickoff");
    Message kickoff =
        composer.of(
            s,
            new Composer.Occasion(
                "kickoff",
                new Notice.Kickoff(),
                s.lastEventAt(),
                ARTIFACTS,
                Optional.of("46 jobs, 6 h 10 min")));
    assertThat(Pages.text(kickoff.lines()))
        .contains(
            "allreduce ranks=2 sweep started; pre-flight passed",
            "Plan: 8 candidates\n",
            "- screen-1, 4 profiles: first half",
            "80 jobs, 12 h 00 min, until 10:00",
            "Rehearsed: 46 jobs, 6 h 10 min");
  }

  @Test
  void aReviewNamesTheWaveThatIsOpenAsTheNext() throws Exception {
    assertThat(review(stateAt(reviewOf("baseline")), "baseline"))
        .contains("\nNext: screen-1: first half");
  }

  /** Otherwise a review that waited would show figures of runs after its wave, once more. */
  @Test
  void onlyTheLatestReviewHasTheLeaderboard() throws Exception {
    SweepState later = stateAt(reviewOf("screen-1"));
    assertThat(review(later, "baseline")).endsWith(" measured, 0 failed, 0 dropped");
    assertThat(review(later, "screen-1")).contains("\n1. p", "\nBaseline: ", "\nNext: ");
    assertThat(review(night.state(), "confirm")).doesNotContain("\n1. ", "Next");
  }

  private String review(SweepState s, String wave) throws Exception {
    return Pages.text(message(s, reviewOf(wave), new Notice.WaveReviewed(wave)).lines()).strip();
  }

  private String reviewOf(String wave) {
    return night.entries().stream()
        .map(Entry::event)
        .filter(Event.NoticeIssued.class::isInstance)
        .map(Event.NoticeIssued.class::cast)
        .filter(n -> n.notice().equals(new Notice.WaveReviewed(wave)))
        .map(Event.NoticeIssued::key)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theNewBestHasItsFigures() throws Exception {
    SweepState s = stateAt("best:p3");
    assertThat(Pages.text(message(s, "best:p3", new Notice.NewBest("p3")).lines()))
        .contains("likely gain: p3", "OMPI_MCA_knob=3", "Verdict: undecided")
        .containsPattern("\\+\\d\\.\\d\\d % at 10\\d\\d\\.\\d B/s over 2 runs; baseline \\d+");
  }

  @Test
  void theStopHasWhatTheProcedureAsksForAndItsButtons() throws Exception {
    SweepState s = stateAt("best:p3");
    HaltCause cause =
        new HaltCause.Incurable(
            "node-down",
            Statement.words("n1 is <down> & out"),
            List.of(new HaltCause.StepTried("resume-node", new StepEnd.Refused(true))));
    String failing = s.inFlight().isEmpty() ? "n1" : s.cell().nodes().getFirst();
    s = apply(s, new Event.SweepHalted(cause, List.of(failing)));
    String key = "stop:" + s.seq();
    Message stop = message(s, key, new Notice.Stop(cause));
    wellFormed(stop);
    assertThat(Pages.text(stop.lines()))
        .contains(
            "[nightsweep STOP] allreduce ranks=2 sweep halted",
            "Reason: node-down: n1 is <down> & out",
            "Failing node(s): n1; recovery attempted: resume-node (not run: denied); outcome: it still fails",
            "To go on, bring back n1 (if sinfo still shows a node as down or drained: scontrol"
                + " update nodename=n1 state=resume), then: nightsweep resume; ",
            "- Nodelist: n[1-2]",
            "- Best so far: p3 @ ",
            "vs baseline-deployed)",
            "- Pending profiles, cancelled by the stop: ",
            "Artifacts: /state/sweeps/night/jobs, t0001a1 through t0",
            "Awaiting your decision before resuming.")
        .containsPattern("Profiles tested so far: \\d+ \\(top \\d below\\)");
    assertThat(stop.buttons())
        .extracting(row -> row.getFirst().label())
        .containsExactly("Resume", "Stop for good");

    s =
        apply(
            s,
            new Event.CommandAccepted(
                new Command.Resume(Optional.empty(), Optional.empty()),
                new Command.Origin(Command.Origin.Door.CLI, "me")));
    Message late = message(s, key, new Notice.Stop(cause));
    assertThat(late.buttons()).isEmpty();
    assertThat(Pages.text(late.lines())).contains("has gone on or ended since");
  }

  @Test
  @Tag("recovery")
  void theStatusSaysWhichRemedyWaitsForWhichNodeAndUntilWhen() throws Exception {
    SweepState s = LostNode.awaited(running());
    String since = clock(s.lastEventAt());
    String until = clock(s.lastEventAt().plus(Duration.ofMinutes(30)));
    assertThat(Pages.text(composer.progress(s, s.lastEventAt())))
        .contains(
            "remedy step wait-for-nodes since %s, until %s at the latest, after node-fail (n2): n2 is down* (Not responding)"
                .formatted(since, until))
        .doesNotContain("about done at");
  }

  @Test
  @Tag("recovery")
  void theStatusOfAHaltOverANodeSaysSinceWhenAndHowItGoesOn() throws Exception {
    SweepState s = LostNode.halted(running());
    assertThat(
            Pages.text(
                new Answers(new NoSweeps(nobodyAsked()), composer)
                    .status(s, s.lastEventAt().plus(Duration.ofHours(1)))
                    .lines()))
        .contains(
            "is HALTED since %s: node-fail: n2 is down*".formatted(clock(s.lastEventAt())),
            "To go on, bring back n2 (",
            "scontrol update nodename=n2 state=resume), then: nightsweep resume; ");
  }

  /** Without the profile whose job was on the node, the sweep would halt at the node again. */
  @Test
  @Tag("recovery")
  void theStopOverANodeOffersNoResumeWithoutAProfile() throws Exception {
    SweepState s = stateAt("best:p3");
    while (s.inFlight().isEmpty()
        || s.profile(s.trial(s.inFlight().getFirst().id().trial()).trial().profile())
            .isBaseline()) {
      s = s.apply(night.entries().get((int) s.seq()));
    }
    AttemptId job = s.inFlight().getFirst().id();
    SweepState ended =
        apply(
            LostNode.awaited(s),
            new Event.RemedyEnded(job, Remedy.Then.HALT, Event.RemedyEnded.Why.A_STEP_FAILED));
    Statement down = Statement.words("n2 is down*");
    HaltCause.StepTried vain =
        new HaltCause.StepTried(Remedy.RemedyStep.RESUME_NODE, StepEnd.failed(down));
    assertThat(labels(ended, new HaltCause.Incurable("node-fail", down, List.of(vain))))
        .containsExactly("Resume", "Stop for good");
    assertThat(labels(ended, new HaltCause.Incurable("crashed", down, List.of())))
        .hasSize(3)
        .element(1)
        .asString()
        .startsWith("Resume without ");
  }

  private List<String> labels(SweepState state, HaltCause cause) throws Exception {
    SweepState s = apply(state, new Event.SweepHalted(cause, List.of("n2")));
    return message(s, "stop:" + s.seq(), new Notice.Stop(cause)).buttons().stream()
        .map(row -> row.getFirst().label())
        .toList();
  }

  private static Confirming nobodyAsked() {
    return new Confirming(
        new AskedFor(ARTIFACTS),
        words -> new Commands.CommandResult(0, "", ""),
        InstantSource.system());
  }

  /** In the middle of the night, while a job runs. */
  private SweepState running() {
    SweepState s = SweepState.empty();
    for (Entry entry : night.entries()) {
      s = s.apply(entry);
      if (s.seq() > night.entries().size() / 2 && !s.inFlight().isEmpty()) {
        return s;
      }
    }
    throw new AssertionError("no job runs");
  }

  private static String clock(Instant at) {
    return DateTimeFormatter.ofPattern("HH:mm").withZone(ZoneOffset.UTC).format(at);
  }

  @Test
  void theFinishBringsChartsAndTheReport() throws Exception {
    Message finish = message(night.state(), "finish", new Notice.Finish());
    assertThat(Pages.text(finish.lines())).contains("Outcome: winner. p3 wins", "1. p3 +");
    assertThat(finish.pictures()).hasSizeGreaterThanOrEqualTo(2);
    assertThat(finish.document())
        .hasValueSatisfying(
            d -> {
              assertThat(d.name()).isEqualTo("allreduce-tuning.md");
              assertThat(StandardCharsets.UTF_8.decode(d.bytes().duplicate()).toString())
                  .contains("## Leaderboard", "p3");
            });
    wellFormed(finish);
  }

  /** A person who reads only the last message must not deploy a winner that computed less. */
  @Test
  void theFinishSaysWhatToLookAtBeforeTheWinnerIsDeployed() throws Exception {
    SweepState s = night.state();
    Trial fresh =
        s.trials().values().stream()
            .map(TrialState::trial)
            .filter(t -> t.purpose() == Trial.Purpose.CONFIRM && t.profile().equals("p3"))
            .findFirst()
            .orElseThrow();
    SweepState doubted =
        apply(
            s,
            new Event.FindingMade(
                new Finding(
                    s.trial(fresh.id()).attempts().getLast().id(),
                    Finding.UNLIKE_LOG,
                    Statement.phrase("log-more", "half of the rows"),
                    List.of("job.log:4"))));
    assertThat(Pages.text(message(doubted, "finish", new Notice.Finish()).lines()))
        .contains("Look at its logs before it is deployed", "half of the rows");
    assertThat(Pages.text(message(s, "finish", new Notice.Finish()).lines()))
        .doesNotContain("Look at");
  }

  @Test
  void theFinishNamesABudgetThatWasTooSmall() throws Exception {
    SweepState starved =
        Specs.night(Specs.kernels(6, 12), Specs.surface(0.08, 0.002), Duration.ofMinutes(4), 7)
            .run()
            .state();
    assertThat(Pages.text(message(starved, "finish", new Notice.Finish()).lines()))
        .containsPattern("The budget \\{jobs: 12, .* would be enough for all of it");
  }

  @Test
  void aButtonCarriesTheLongestNamesInSixtyFourBytes() {
    String sweep = "deepseek3-671b-fsdp-8-tp-4-pp-2-with-a-very-long-name-that-goes-on-and-on-17";
    Press press = Press.of(Action.SKIP, sweep, Press.key("a-profile-" + sweep));
    assertThat(press.data().length()).isLessThanOrEqualTo(64);
    assertThat(Press.parse(press.data())).contains(press);
    assertThat(Press.named(press.sweep(), List.of("other", sweep))).contains(sweep);
    assertThat(Press.named(press.sweep(), List.of("other"))).isEmpty();
    assertThat(Press.parse("garbage")).isEmpty();
  }

  private Message message(SweepState s, String key, Notice notice) throws Exception {
    return composer.of(s, occasion(key, notice, s));
  }

  private static Composer.Occasion occasion(String key, Notice notice, SweepState s) {
    return new Composer.Occasion(key, notice, s.lastEventAt(), ARTIFACTS, Optional.empty());
  }

  private SweepState stateAt(String notice) {
    SweepState s = SweepState.empty();
    for (Entry entry : night.entries()) {
      s = s.apply(entry);
      if (entry.event() instanceof Event.NoticeIssued issued && issued.key().equals(notice)) {
        return s;
      }
    }
    throw new AssertionError("no notice " + notice);
  }

  private static SweepState apply(SweepState s, Event event) {
    return s.apply(new Entry(s.seq() + 1, s.lastEventAt(), event));
  }

  private static void wellFormed(Message message) throws Exception {
    for (Message.Part part : message.parts(Redaction.byForm())) {
      switch (part) {
        case Message.Part.Text p -> {
          assertThat(TelegramHtml.text(Pages.html(p.lines()))).isNotBlank().hasSizeLessThan(4097);
          for (List<Message.Button> row : p.buttons()) {
            row.forEach(b -> assertThat(b.data()).hasSizeBetween(1, 64));
          }
        }
        case Message.Part.Photo p -> {
          assertThat(TelegramHtml.text(Pages.html(p.caption()))).hasSizeLessThan(1025);
          assertThat(p.png().remaining()).isGreaterThan(1000);
        }
        case Message.Part.File p -> assertThat(p.bytes().remaining()).isGreaterThan(100);
      }
    }
  }
}
