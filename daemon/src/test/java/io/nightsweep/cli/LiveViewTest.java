package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.report.ProfileVerdict;
import io.nightsweep.report.Progress;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.LostNode;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the live view draws a running job and a budget. */
@Tag("people")
class LiveViewTest {
  private static final List<Entry> NIGHT =
      Specs.night(
              Specs.kernels(4, 40)
                  .within(
                      new Budget(
                          Optional.of(40), Optional.empty(), Optional.empty(), Optional.of(12.0))),
              Specs.surface(0.08, 0.002),
              Duration.ofMinutes(4),
              7)
          .run()
          .entries();

  @ParameterizedTest
  @CsvSource({"true, step 5/24  ▁▃▆█▁", "false, step 5/24  .-*#."})
  void aRunningJobsStepsAreASparkLine(boolean blocks, String expected) {
    SweepState s = withSteps(running(), 1, 2, 3, 4, 1);
    assertThat(drawn(s, new Ink(blocks, false), 100))
        .anyMatch(line -> line.contains("running") && line.contains(expected));
  }

  /** If the line is too short for all values, the latest are shown. */
  @Test
  void aSparkLineKeepsToItsWidth() {
    double[] values = new double[200];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 10;
    }
    List<String> lines = drawn(withSteps(running(), values), new Ink(true, false), 80);
    assertThat(lines).allMatch(line -> line.length() <= 80);
    assertThat(lines).anyMatch(line -> line.contains("running") && line.endsWith("▇█"));
  }

  @Test
  void aTrialThatNeverRanIsNotDone() {
    SweepState s =
        Specs.night(Specs.kernels(4, 3), Specs.surface(0.08, 0.002), Duration.ofMinutes(4), 7)
            .run()
            .state();
    Progress p = Progress.of(s, s.lastEventAt());
    assertThat(p.elapsed(s.lastEventAt())).isPositive();
    SweepState open = running();
    Instant before = open.startedAt().orElseThrow().minusSeconds(3000);
    assertThat(Progress.of(open, before).elapsed(before)).isZero();
    assertThat(p.trials().dropped()).isPositive();
    assertThat(p.waves().stream().mapToInt(Progress.WaveLine::done).sum()).isEqualTo(p.jobs());
    assertThat(p.waves()).anyMatch(w -> w.note().endsWith(" dropped)"));
  }

  /** The end is not forecast meanwhile: it is unknown when the node returns. */
  @Test
  @Tag("recovery")
  void aRemedyThatWaitsForANodeSaysSoSinceWhenAndUntilWhen() throws Exception {
    SweepState s = LostNode.awaited(running());
    Instant since = s.lastEventAt();
    Progress p = Progress.of(s, since.plusSeconds(240));
    String told =
        "remedy step wait-for-nodes since %s, until %s at the latest, after node-fail (n2): n2 is down* (Not responding)"
            .formatted(Display.CLOCK.format(since), Display.CLOCK.format(since.plusSeconds(1800)));
    assertThat(Display.lines(p, since.plusSeconds(240))).contains("  " + told);
    assertThat(String.join(" ", drawn(s, new Ink(true, false), 200)))
        .contains(told, "ETA not known yet");
    assertThat(p.expectedEnd()).isEmpty();
    assertThat(Progress.of(running(), since).expectedEnd()).isPresent();
  }

  /** The view only reads the journal, and the nodes may be back by now. */
  @Test
  @Tag("recovery")
  void aHaltOverANodeSaysAsOfWhenAndHowTheNodeAndTheSweepComeBack() throws Exception {
    SweepState s = LostNode.halted(running());
    Instant later = s.lastEventAt().plus(Duration.ofHours(1));
    String told =
        "as of %s: node-fail: n2 is down* (Not responding). To go on, bring back n2 (if sinfo still shows a node as down or drained: scontrol update nodename=n2 state=resume), then: nightsweep resume; or take other nodes: nightsweep resume --nodelist NODES."
            .formatted(Display.CLOCK.format(s.lastEventAt()));
    assertThat(Display.lines(Progress.of(s, later), later))
        .anyMatch(line -> line.startsWith("  " + told));
    assertThat(String.join(" ", drawn(s, new Ink(true, false), 80)).replaceAll(" +", " "))
        .contains(told);
  }

  /** As in {@code status}: without a daemon nothing runs, so no end is forecast. */
  @Test
  void aSweepThatNoDaemonDrivesIsNotCalledRunning() {
    String undriven =
        String.join(
            "\n",
            drawn(
                running(),
                new DaemonWord.Word(
                    DaemonWord.Care.NO_DAEMON,
                    List.of("  no daemon drives it; to go on: nightsweep start")),
                new Ink(true, false),
                100));
    assertThat(undriven)
        .startsWith("NO DAEMON  ")
        .contains("no daemon drives it; to go on: nightsweep start")
        .doesNotContain("RUNNING", "ETA ");
    assertThat(String.join("\n", drawn(running(), new Ink(true, false), 100)))
        .startsWith("RUNNING  ")
        .contains("ETA ");
  }

  @Test
  void aBudgetOfNodeHoursIsShownWithWhatIsSpent() {
    SweepState s = running();
    assertThat(drawn(s, new Ink(true, false), 100)).anyMatch(l -> l.contains(" of 12 node-hours"));
    assertThat(Display.lines(Progress.of(s, s.lastEventAt()), s.lastEventAt()))
        .anyMatch(l -> l.contains(" of 12 node-hours, running for"));
  }

  /** If nothing is confirmed, "so far" appears only while a confirmation may follow. */
  @Test
  void theBestThatNoWaveConfirmsIsToldAsThat() {
    SweepState s = running();
    assertThat(String.join("\n", Display.lines(Progress.of(s, s.lastEventAt()), s.lastEventAt())))
        .contains("best so far ", ", not confirmed)");
    SweepState ended =
        Specs.night(
                unconfirming(Specs.kernels(4, 40)),
                Specs.surface(0.08, 0.002),
                Duration.ofMinutes(4),
                7)
            .run()
            .state();
    assertThat(
            Display.lines(Progress.of(ended, ended.lastEventAt()), ended.lastEventAt()).stream()
                .filter(line -> line.startsWith("  best ")))
        .singleElement()
        .asString()
        .contains("not confirmed: the plan has no wave that confirms");
  }

  /** A bounded number of failed profiles is shown. */
  @Test
  @Tag("guard")
  void statusNamesTheProfilesThatFailed() {
    assertThat(Display.failures(running())).isEmpty();
    SweepState s =
        new Night(
                Specs.kernels(12, 60),
                Specs.surface(0.08, 0.002),
                Faults.none().with(Faults.Kind.JOB_FAILS, 0.6),
                Duration.ofMinutes(4),
                7)
            .run()
            .state();
    List<AttemptState> failures = Judged.failures(s);
    List<String> profiles =
        failures.stream().map(a -> Judged.profile(s, a.id())).distinct().toList();
    assertThat(profiles).hasSizeGreaterThan(Display.NAMED);
    assertThat(ProfileVerdict.lines(s, profiles.getFirst()))
        .anyMatch(
            line ->
                line.matches(
                    "failed    t\\d+a\\d+ as "
                        + failures.getFirst().failure().orElseThrow().failureClass()
                        + ": .+"));
    // For two attempts of one profile, watch shows which is which.
    assertThat(drawn(s, new Ink(true, false), 120))
        .anyMatch(
            line ->
                line.contains(" " + profiles.getFirst() + " " + failures.getFirst().id() + "  "));
    assertThat(Display.failures(s).orElseThrow())
        .startsWith(
            "  %d attempts of %d profiles failed: %s (%s"
                .formatted(
                    failures.size(),
                    profiles.size(),
                    profiles.getFirst(),
                    failures.getFirst().failure().orElseThrow().failureClass()))
        .endsWith(
            ", ... and %d more; see nightsweep explain %s"
                .formatted(profiles.size() - Display.NAMED, profiles.getFirst()));
  }

  /** The night at a moment while a job runs. */
  private static SweepSpec unconfirming(SweepSpec spec) {
    Plan plan = spec.plan();
    return spec.with(
        new Plan(
            plan.template(),
            plan.waves().stream()
                .filter(
                    wave -> wave.kind() == Wave.Kind.BASELINE || wave.kind() == Wave.Kind.SCREEN)
                .toList(),
            plan.notApplicable()));
  }

  private static SweepState running() {
    List<Entry> seen = new ArrayList<>();
    for (Entry entry : NIGHT) {
      seen.add(entry);
      if (entry.event() instanceof Event.AttemptStarted started
          && SweepState.fold(seen).attempt(started.attempt()).isInFlight()
          && seen.size() > NIGHT.size() / 2) {
        return SweepState.fold(seen);
      }
    }
    throw new AssertionError("no job runs");
  }

  private static SweepState withSteps(SweepState s, double... values) {
    AttemptState job =
        s.inFlight().stream().filter(a -> a.startedAt().isPresent()).findFirst().orElseThrow();
    List<Measurement.MeasuredStep> steps = new ArrayList<>();
    for (double value : values) {
      steps.add(new Measurement.MeasuredStep(steps.size(), 1, value, OptionalDouble.empty()));
    }
    Measurement sofar = new Measurement(1, steps, 0, values.length - 1, new TreeMap<>());
    return s.apply(entry(s, new Event.AttemptProgressed(job.id(), values.length - 1, 24)))
        .apply(new Entry(s.seq() + 2, s.lastEventAt(), new Event.AttemptShown(job.id(), sofar)));
  }

  private static Entry entry(SweepState s, Event event) {
    return new Entry(s.seq() + 1, s.lastEventAt(), event);
  }

  private static List<String> drawn(SweepState s, Ink ink, int width) {
    return drawn(s, new DaemonWord.Word(DaemonWord.Care.DRIVEN, List.of()), ink, width);
  }

  private static List<String> drawn(SweepState s, DaemonWord.Word daemon, Ink ink, int width) {
    Instant now = s.lastEventAt().plusSeconds(30);
    return new LiveView(ink, Typeable.AS_IT_IS, width, 30)
            .lines(
                new LiveView.Scene(
                    s, Progress.of(s, now), List.of(), daemon, 0, List.of(), "q quit", now))
            .stream()
            .map(line -> line.toString().stripTrailing())
            .toList();
  }
}
