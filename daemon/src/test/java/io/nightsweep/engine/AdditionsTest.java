package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.report.Phrases;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Profiles that cannot join a sweep are refused with the reason; the others are accepted. */
@Tag("shipped")
class AdditionsTest {
  private static final List<Entry> NIGHT =
      Specs.night(Specs.kernels(4, 60), Specs.surface(0.05, 0.005), Duration.ofMinutes(8), 1)
          .run()
          .entries();

  @Test
  void aNewOneMayJoinUntilTheLastConfirmation() {
    SweepState early = until(e -> e instanceof Event.WaveOpened w && w.wave().equals("screen-1"));
    assertThat(refusal(early, own("mine", "9"))).isEmpty();
    SweepState late = until(e -> e instanceof Event.WaveClosed w && w.wave().equals("confirm"));
    assertThat(refusal(late, own("mine", "9")))
        .hasValueSatisfying(why -> assertThat(why).contains("has made its last confirmation"));
    assertThat(refusal(SweepState.fold(NIGHT), own("mine", "9")))
        .hasValueSatisfying(why -> assertThat(why).contains("has finished"));
  }

  @Test
  void aNameOrAContentThatIsThereIsRefused() {
    SweepState s = until(e -> e instanceof Event.WaveOpened w && w.wave().equals("screen-1"));
    assertThat(refusal(s, own("p1", "9")))
        .hasValue("sweep night has a profile 'p1' already; choose another name");
    assertThat(refusal(s, own("mine", "1")))
        .hasValue("the profile 'mine' sets what 'p1' sets already");
    assertThat(refusal(s, own("mine", "9"), own("other", "9")))
        .hasValue("the profile 'other' sets what 'mine' sets already");
    assertThat(refusal(s)).hasValueSatisfying(why -> assertThat(why).contains("between 1 and"));
  }

  /** This is how people restore a profile that they had left out. */
  @Test
  void aContentThatWasDroppedMayComeBackUnderAnotherName() {
    SweepState s = until(e -> e instanceof Event.WaveOpened w && w.wave().equals("screen-1"));
    SweepState without =
        with(
            s,
            new Event.ProfileDropped(
                "p1", Event.ProfileDropped.DropCause.SKIPPED, new Cause.SkippedByCommand()));
    assertThat(refusal(without, own("mine", "1"))).isEmpty();
    assertThat(refusal(without, own("p1", "1"))).isPresent();
  }

  /** Only a person can see in the log whether a run did its work. */
  @Test
  @Tag("people")
  void whatWasTooFastToBeBelievedIsTakenBackByAPersonAlone() {
    SweepState s = until(e -> e instanceof Event.WaveOpened w && w.wave().equals("screen-1"));
    SweepState without =
        with(
            s,
            new Event.ProfileDropped(
                "p1",
                Event.ProfileDropped.DropCause.FAILED,
                new Cause.FailedAs("implausible", Statement.words("+200 %"))));
    Command again = new Command.AddProfiles(List.of(own("again", "1")));
    assertThat(Admission.refusal(without, again, Command.Origin.Door.TELEGRAM)).isEmpty();
    assertThat(Admission.refusal(without, again, Command.Origin.Door.MCP).map(Phrases.EN::text))
        .hasValue(
            "the profile 'again' sets what 'p1' sets, which was too fast to be plausible: a person"
                + " may take it back");
  }

  @Test
  void aFlagThatTheProbeFoundUnknownIsRefused() {
    SweepState s = until(e -> e instanceof Event.WaveOpened w && w.wave().equals("screen-1"));
    AttemptId probe = s.attempts().findFirst().orElseThrow().id();
    SweepState probed =
        with(
            s,
            new Event.FindingMade(Finding.ofUnknownFlags(probe, List.of("--xla_gpu_gone"), "log")));
    assertThat(
            refusal(probed, Profile.of("mine", Map.of("--xla_gpu_gone", "1"), Map.of(), Map.of())))
        .hasValueSatisfying(
            why -> assertThat(why).contains("the build does not know --xla_gpu_gone"));
  }

  @Test
  void aSettingThatTheProbeDidNotFindIsRefused() {
    SweepState s = until(e -> e instanceof Event.WaveOpened w && w.wave().equals("screen-1"));
    AttemptId probe = s.attempts().findFirst().orElseThrow().id();
    Profile mine = Profile.of("mine", Map.of(), Map.of(), Map.of("remat_polcy", "full"));
    assertThat(refusal(s, mine)).as("no probe told").isEmpty();
    SweepState probed =
        with(
            s,
            new Event.FindingMade(
                Finding.ofKnownSettings(probe, Set.of("remat_policy", "rl"), "log")));
    assertThat(refusal(probed, mine))
        .hasValue(
            "the program has no setting remat_polcy, which the profile 'mine' sets; the probe job"
                + " of this sweep has shown that");
    assertThat(refusal(probed, Profile.of("mine", Map.of(), Map.of(), Map.of("rl.group", "2"))))
        .isEmpty();
  }

  private static Optional<String> refusal(SweepState s, Profile... profiles) {
    return Admission.refusal(s, new Command.AddProfiles(List.of(profiles))).map(Phrases.EN::text);
  }

  private static Profile own(String name, String value) {
    return Profile.of(name, Map.of(), Map.of("OMPI_MCA_knob", value), Map.of());
  }

  private static SweepState until(Predicate<Event> last) {
    List<Entry> some = new ArrayList<>();
    for (Entry entry : NIGHT) {
      some.add(entry);
      if (last.test(entry.event())) {
        return SweepState.fold(some);
      }
    }
    throw new AssertionError("no such event in the night");
  }

  private static SweepState with(SweepState s, Event event) {
    return s.apply(new Entry(s.seq() + 1, s.lastEventAt(), event));
  }
}
