package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A person adds a profile to a running sweep of the packed plan. */
@Tag("shipped")
@Tag("slow")
class AddedNightTest {
  private static final Profile OWN =
      Profile.of("own", Map.of("--xla_gpu_own_idea", "1"), Map.of(), Map.of());

  @TempDir private Path repository;

  /** Added while the first flags run, so that its wave comes next; crashes do not lose it. */
  @Test
  void itIsTheNextToBeTriedAndWinsLikeAnyOther() throws Exception {
    Night.Result night =
        night(
            s -> wave(s, "flags-1").isPresent(),
            Faults.none().with(Faults.Kind.CRASH, 0.005),
            0.08,
            1);
    assertThat(night.crashes()).isPositive();
    SweepState s = night.state();
    List<String> opened =
        night.entries().stream()
            .map(Entry::event)
            .filter(Event.WaveOpened.class::isInstance)
            .map(e -> ((Event.WaveOpened) e).wave())
            .toList();
    assertThat(opened.get(opened.indexOf("flags-1") + 1)).isEqualTo("added+1");
    assertThat(s.wave("added+1").orElseThrow().wave().why())
        .isEqualTo(Statement.phrase("why-added", "a person"));
    assertThat(Standings.winner(s))
        .hasValueSatisfying(w -> assertThat(w.profile()).contains("own"));
    assertThat(night.entries())
        .anyMatch(
            e ->
                e.event() instanceof Event.CommandAccepted c
                    && c.command().equals(new Command.AddProfiles(List.of(OWN)))
                    && c.origin().who().equals("a person"));
    assertThat(SweepState.fold(night.entries())).isEqualTo(s);
  }

  /** Before the baseline is measured, no rule has been applied to the plan yet. */
  @Test
  void oneThatIsAddedAtTheBeginningLeavesThePlanToItsRules() throws Exception {
    Night.Result early = night(s -> wave(s, "baseline").isPresent(), Faults.none(), 0, 2);
    assertThat(early.state().wave("added+1").orElseThrow().trials()).isNotEmpty();
    assertThat(early.state().waves())
        .extracting(w -> w.wave().name())
        .containsSubsequence("baseline", "evidence", "added+1", "flags-1");
  }

  /** After the search, the deciding waves still wait for it. */
  @Test
  void oneThatIsAddedWhileTheLeaderIsConfirmedIsDecidedOnToo() throws Exception {
    Night.Result late =
        night(
            s ->
                s.waves().stream()
                    .anyMatch(w -> w.wave().kind() == Wave.Kind.CONFIRM && w.isOpen()),
            Faults.none(),
            0.12,
            1);
    assertThat(late.state().wave("added+1").orElseThrow().trials()).isNotEmpty();
    assertThat(Standings.winner(late.state()))
        .hasValueSatisfying(w -> assertThat(w.profile()).contains("own"));
  }

  private Night.Result night(Predicate<SweepState> when, Faults faults, double gain, int tags)
      throws Exception {
    ShippedNights shipped = new ShippedNights(repository, "FSDP=8", tags);
    Map<String, Response> responses =
        Map.of(OWN.name(), new Response.Gain(gain), "ag-512M", new Response.Gain(0.03));
    Budget budget = Budgets.of(90, Duration.ofHours(14));
    return new Night(
            tags > 1 ? shipped.spec() : shipped.spec().within(budget),
            new DrawnSurface(responses, 1000, Weather.usual(0.005), 5),
            faults,
            ShippedNights.JOB,
            5)
        .told(
            s ->
                !s.profiles().containsKey("own") && when.test(s)
                    ? Optional.of(new Command.AddProfiles(List.of(OWN)))
                    : Optional.empty())
        .run();
  }

  private static Optional<Wave> wave(SweepState s, String name) {
    return s.wave(name).filter(w -> w.isOpen()).map(w -> w.wave());
  }
}
