package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.conductor.Calibration;
import io.nightsweep.conductor.Conclusion;
import io.nightsweep.conductor.Standings;
import io.nightsweep.judging.ImplausibleRun;
import io.nightsweep.measure.Standing;
import io.nightsweep.report.EarlierNights;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.ProfileVerdict;
import io.nightsweep.report.Progress;
import io.nightsweep.report.ReportTexts;
import io.nightsweep.report.SetAside;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.SweepFinished.SweepOutcome;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A profile that skips its work and still prints figures is set aside, and does not hide an honest
 * one.
 */
@Tag("people")
class BrokenProfileTest {
  private static final double HONEST_GAIN = 0.05;
  private static final double BROKEN_GAIN = Math.log(33.09);
  private static final Profile AGAIN =
      Profile.of("again", Map.of(), Map.of("OMPI_MCA_knob", "2"), Map.of());

  @Test
  void aGainBeyondBeliefIsNoWinAndTheHonestProfileWins() {
    SweepState end = night(5);
    assertThat(end.dropped())
        .hasEntrySatisfying(
            "p2",
            dropped ->
                assertThat(dropped.why())
                    .isInstanceOfSatisfying(
                        Cause.FailedAs.class,
                        why -> {
                          assertThat(why.failureClass()).isEqualTo("implausible");
                          assertThat(Phrases.EN.text(why.detail()))
                              .contains("policy.plausibleGain allows (+100 %)");
                        }));
    assertThat(Standings.board(end).of("p2")).isEmpty();
    assertThat(Progress.of(end, end.lastEventAt()).verdicts())
        .anyMatch(v -> v.startsWith("p2 implausible") && v.contains("nightsweep explain p2"));
    assertThat(((Phase.Finished) end.phase()).outcome()).isEqualTo(SweepOutcome.WINNER);
    assertThat(Standings.winner(end).map(Standing::profile)).contains("p3");
    assertThat(Calibration.of(end).orElseThrow().noise()).isLessThan(0.02);
  }

  /**
   * A person reads it in the morning beside the outcome, with the command that restores the
   * profile.
   */
  @Test
  void whoWasSetAsideIsNamedAtTheEnd() {
    SweepState end = night(5, 0);
    assertThat(SetAside.sentence(end, Phrases.EN, name -> name))
        .hasValueSatisfying(
            said ->
                assertThat(said)
                    .contains("allows: p2. ", "raise that limit in the sweep file and start"));
    assertThat(ReportTexts.english(end)).contains("policy.plausibleGain allows: `p2`. ");
  }

  /** Such as where the program itself was missing for a while: nobody knows what they gain. */
  @Test
  void whereEveryCandidateFailedNothingIsSaidOfTheirGains() {
    Surface honest = Specs.surface(HONEST_GAIN, 0.005);
    SweepState end =
        night(
                5,
                new AlteredSurface(honest) {
                  @Override
                  public Optional<Response.Fails> failure(Profile profile, String configTag) {
                    return profile.isBaseline()
                        ? Optional.empty()
                        : Optional.of(new Response.Fails("program-missing", 0.1));
                  }
                })
            .state();
    assertThat(end.attempts().filter(a -> a.measurement().isPresent())).isNotEmpty();
    assertThat(((Phase.Finished) end.phase()).ending())
        .isInstanceOf(SweepEnding.NothingMeasured.class);
    assertThat(ReportTexts.english(end)).contains("No candidate was measured");
  }

  /** Nobody has checked yet whether it did its work, so "none gains" may be false for it. */
  @Test
  void aSweepWhoseFastestProfileWasSetAsideIsNotCalledBounded() {
    SweepState end = night(5, 0);
    assertThat(((Phase.Finished) end.phase()).outcome()).isEqualTo(SweepOutcome.NO_WINNER);
  }

  /** The loss tells more than the gain: nobody need look at the log, and no second run is made. */
  @Test
  void whatComputesSomethingElseIsJudgedByItsLossHoweverFastItIs() {
    SweepState s = SweepState.empty();
    for (Entry entry : night(5, broken(HONEST_GAIN)).entries()) {
      Optional<Trial> p2 = failed(s, entry.event());
      if (p2.isPresent()) {
        Measurement control =
            s.attempts().flatMap(a -> a.measurement().stream()).findFirst().orElseThrow();
        assertThat(ImplausibleRun.of(s, p2.get(), withLoss(control, 33, 10))).isPresent();
        assertThat(ImplausibleRun.of(s, p2.get(), withLoss(control, 33, 5))).isEmpty();
        assertThat(ImplausibleRun.of(s, p2.get(), withLoss(control, 33, Double.NaN))).isEmpty();
        return;
      }
      s =
          s.apply(
              entry.event() instanceof Event.AttemptJudged judged
                      && judged.judgement() instanceof Judgement.Measured measured
                  ? new Entry(
                      entry.seq(),
                      entry.at(),
                      new Event.AttemptJudged(
                          judged.attempt(), withLoss(measured.measurement(), 1, 10)))
                  : entry);
    }
    fail("no run of p2 was judged");
  }

  private static Optional<Trial> failed(SweepState s, Event event) {
    return event instanceof Event.AttemptJudged judged
            && judged.judgement() instanceof Judgement.Failed
        ? Optional.of(s.trialOf(judged.attempt())).filter(t -> t.profile().equals("p2"))
        : Optional.empty();
  }

  private static Judgement withLoss(Measurement m, double factor, double loss) {
    return new Judgement.Measured(
        new Measurement(
            factor * m.value(),
            IntStream.rangeClosed(0, m.windowTo())
                .mapToObj(
                    i ->
                        new Measurement.MeasuredStep(
                            i, 1, factor * m.value(), OptionalDouble.of(loss)))
                .toList(),
            m.windowFrom(),
            m.windowTo(),
            m.extras()));
  }

  /** A machine's noise may double one run's speed; the next run decides. */
  @Test
  void oneRunBeyondBeliefIsRepeatedBeforeItsProfileIsSetAside() {
    SweepState end = withBrokenRunsOfP3(run -> run == 2);
    assertThat(end.attempts().filter(a -> a.isFailedAs("implausible"))).hasSize(1);
    assertThat(end.dropped()).doesNotContainKey("p3");
    assertThat(Conclusion.implausible(end)).isEmpty();
    assertThat(Standings.winner(end).map(Standing::profile)).contains("p3");
  }

  /** After one such run the profile was measured and left for another reason. */
  @Test
  void whatLeftForAnotherReasonIsNotCalledSetAside() {
    Surface honest = Specs.surface(HONEST_GAIN, 0.005);
    AtomicInteger runs = new AtomicInteger();
    SweepState end =
        Specs.night(
                Specs.kernels(8, 80),
                with(
                    honest,
                    (profile, tag) ->
                        profile.name().equals("p2") && runs.incrementAndGet() == 1
                            ? BROKEN_GAIN
                            : honest.effect(profile, tag)),
                Duration.ofMinutes(8),
                5)
            .told(
                s ->
                    s.attempts()
                                .filter(a -> s.trialOf(a.id()).profile().equals("p2"))
                                .anyMatch(a -> a.measurement().isPresent())
                            && !s.isDropped("p2")
                        ? Optional.of(new Command.SkipProfile("p2"))
                        : Optional.empty())
            .run()
            .state();
    assertThat(end.attempts().filter(a -> a.isFailedAs("implausible"))).hasSize(1);
    assertThat(end.dropped()).containsKey("p2");
    assertThat(Conclusion.implausible(end)).isEmpty();
  }

  /** A sweep that has ended accepts no profiles. */
  @Test
  void onlyWhileTheSweepRunsIsItOfferedToTakeTheProfileBack() {
    Night.Result night = night(5, broken(HONEST_GAIN));
    SweepState running =
        SweepState.fold(
            night.entries().stream()
                .takeWhile(e -> !(e.event() instanceof Event.SweepFinished))
                .toList());
    assertThat(ProfileVerdict.lines(running, "p2"))
        .last(InstanceOfAssertFactories.STRING)
        .contains(
            "nightsweep add 'p2-again OMPI_MCA_knob=2'; after it, raise policy.plausibleGain");
    assertThat(ProfileVerdict.lines(night.state(), "p2"))
        .last(InstanceOfAssertFactories.STRING)
        .contains("look at its log", "raise policy.plausibleGain")
        .doesNotContain("nightsweep add");
  }

  /**
   * If a setting really is that fast, a person can say so during the night and need not start
   * again.
   */
  @Test
  void whatAPersonTakesBackIsMeasuredAndWins() {
    Surface surface =
        with(Specs.surface(0, 0.005), (profile, tag) -> setsTwo(profile) ? Math.log(3) : 0);
    SweepState end = takenBack(surface, 5, s -> true);
    assertThat(end.profile("p2").hash()).isEqualTo(AGAIN.hash());
    assertThat(Standings.winner(end))
        .hasValueSatisfying(w -> assertThat(w.profile()).contains("again"));
    assertThat(Standings.publishedLogGain(Standings.winner(end).orElseThrow()))
        .isCloseTo(Math.log(3), within(0.02));
    assertThat(Conclusion.implausible(end)).isEmpty();
    assertThat(ReportTexts.english(end))
        .containsPattern(
            "`p2` was set aside .*, and taken back as `again` by a person \\(command line\\)");
  }

  /** Its earlier measurements leave nothing undecided, since it gets no more runs. */
  @Test
  void aProfileThatWasSetAsideAfterARunIsNotCalledUndecided() {
    SweepState end = withBrokenRunsOfP3(run -> run > 1);
    assertThat(Conclusion.implausible(end)).containsExactly("p3");
    assertThat(ReportTexts.english(end).lines())
        .filteredOn(line -> line.contains("| `p3` |"))
        .first(InstanceOfAssertFactories.STRING)
        .contains("set aside (implausible)")
        .doesNotContain("undecided");
  }

  /**
   * Once the target is met, further candidates are skipped, but not a better one that a person
   * adds.
   */
  @Test
  void whatIsTakenBackAfterAnotherHasWonIsConfirmedToo() {
    Surface honest = Specs.surface(0.08, 0.005);
    Surface surface =
        with(
            honest, (profile, tag) -> setsTwo(profile) ? Math.log(3) : honest.effect(profile, tag));
    for (long seed = 1; seed <= 3; seed++) {
      SweepState end = takenBack(surface, seed, s -> Standings.winner(s).isPresent());
      assertThat(Standings.winner(end).map(Standing::profile)).contains("again");
      assertThat(end.confirmations()).extracting(c -> c.profile()).contains("p3", "again");
    }
  }

  /** A person who checked once need not check every night; an even faster run is doubted again. */
  @Test
  void whatAnEarlierNightConfirmedIsBelievedInTheNextOne() {
    Surface surface =
        with(Specs.surface(0, 0.005), (profile, tag) -> setsTwo(profile) ? Math.log(3) : 0);
    SweepState before = takenBack(surface, 5, s -> true);
    SortedMap<String, Double> known =
        EarlierNights.beyondBelief(before.spec(), List.of(), List.of(before));
    assertThat(known.get(AGAIN.hash())).isCloseTo(Math.log(3), within(0.02));

    SweepState next = after(known, surface);
    assertThat(next.attempts().filter(a -> a.isFailedAs("implausible"))).isEmpty();
    assertThat(Standings.winner(next).map(Standing::profile)).contains("p2");

    SweepState broken =
        after(
            known,
            with(
                Specs.surface(0, 0.005),
                (profile, tag) -> setsTwo(profile) ? Math.log(3) + BROKEN_GAIN : 0));
    assertThat(Conclusion.implausible(broken)).containsExactly("p2");
  }

  /**
   * @param broken of the runs of p3, counted from one
   */
  private static SweepState withBrokenRunsOfP3(IntPredicate broken) {
    AtomicInteger runs = new AtomicInteger();
    Surface honest = Specs.surface(HONEST_GAIN, 0.005);
    return night(
            7,
            with(
                honest,
                (profile, tag) ->
                    profile.name().equals("p3") && broken.test(runs.incrementAndGet())
                        ? BROKEN_GAIN
                        : honest.effect(profile, tag)))
        .state();
  }

  private static SweepState after(SortedMap<String, Double> known, Surface surface) {
    return Specs.night(Specs.kernels(8, 80), surface, Duration.ofMinutes(8), 6)
        .after(List.of(new Event.GainsKnown(known)))
        .run()
        .state();
  }

  private static boolean setsTwo(Profile profile) {
    return "2".equals(profile.env().get("OMPI_MCA_knob"));
  }

  private static SweepState takenBack(Surface surface, long seed, Predicate<SweepState> when) {
    return Specs.night(Specs.kernels(8, 80), surface, Duration.ofMinutes(8), seed)
        .told(
            s ->
                s.isDropped("p2") && !s.profiles().containsKey("again") && when.test(s)
                    ? Optional.of(new Command.AddProfiles(List.of(AGAIN)))
                    : Optional.empty())
        .run()
        .state();
  }

  private static SweepState night(long seed) {
    return night(seed, HONEST_GAIN);
  }

  private static SweepState night(long seed, double honestGain) {
    return night(seed, broken(honestGain)).state();
  }

  private static Surface broken(double honestGain) {
    Surface honest = Specs.surface(honestGain, 0.005);
    return with(
        honest,
        (profile, tag) -> profile.name().equals("p2") ? BROKEN_GAIN : honest.effect(profile, tag));
  }

  private static Night.Result night(long seed, Surface surface) {
    return Specs.night(Specs.kernels(8, 80), surface, Duration.ofMinutes(8), seed).run();
  }

  private static Surface with(Surface honest, ToDoubleBiFunction<Profile, String> effect) {
    return new AlteredSurface(honest) {
      @Override
      public double effect(Profile profile, String configTag) {
        return effect.applyAsDouble(profile, configTag);
      }
    };
  }
}
