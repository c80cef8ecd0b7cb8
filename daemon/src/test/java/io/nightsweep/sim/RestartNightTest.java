package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.Actor;
import io.nightsweep.engine.Observer;
import io.nightsweep.engine.RemedySteps;
import io.nightsweep.engine.Settings;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.engine.SweepEngine;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A grace period ends even if the daemon is restarted more often than that. */
@Tag("verdicts")
class RestartNightTest {
  private static final Instant NIGHTFALL = Instant.parse("2026-01-01T22:00:00Z");
  private static final Duration TICK = Duration.ofSeconds(50);

  @Test
  void aJobVanishesAfterItsGraceThoughEveryLookIsAnotherDaemons() throws Exception {
    SweepSpec spec = Specs.kernels(3, 20);
    VirtualClock clock = new VirtualClock(NIGHTFALL);
    SimCluster cluster =
        new SimCluster(
            clock,
            new SplittableRandom(1),
            Faults.none().with(Faults.Kind.JOB_VANISHES, 1),
            Duration.ofMinutes(8));
    CrashingJournal journal = new CrashingJournal(new SplittableRandom(1), 0);
    journal.start(clock.instant(), new Event.SweepStarted("night", 1, spec));
    for (int tick = 0; tick < 40 && vanished(journal.entries()).isEmpty(); tick++) {
      engine(spec, cluster, journal, clock).tick();
      clock.advance(TICK);
    }
    Entry vanished = vanished(journal.entries()).orElseThrow();
    Entry doubted =
        journal.entries().stream()
            .filter(e -> e.event() instanceof Event.AttemptDoubted)
            .findFirst()
            .orElseThrow();
    assertThat(((Event.AttemptDoubted) doubted.event()).kind())
        .isEqualTo(AttemptState.Doubt.Kind.UNKNOWN);
    assertThat(Duration.between(doubted.at(), vanished.at()))
        .isBetween(
            Settings.defaults().unknownGrace(), Settings.defaults().unknownGrace().plus(TICK));
  }

  private static Optional<Entry> vanished(List<Entry> entries) {
    return entries.stream()
        .filter(
            e ->
                e.event() instanceof Event.AttemptEnded ended
                    && ended.end().state() == JobEnd.State.VANISHED)
        .findFirst();
  }

  private static SweepEngine engine(
      SweepSpec spec, SimCluster cluster, CrashingJournal journal, VirtualClock clock) {
    SweepDirectory directory = new SweepDirectory(Path.of("night"));
    SimWorkload workload =
        new SimWorkload(Specs.surface(0.05, 0.005), cluster, "night", NIGHTFALL, 1);
    RemedySteps steps =
        (step, attempt, state) ->
            CompletableFuture.completedFuture(StepEnd.succeeded(Statement.words("simulated")));
    return new SweepEngine(
        SweepState.fold(journal.entries()),
        journal,
        new Observer(
            directory,
            cluster,
            workload,
            new SimDiagnoser(cluster, spec.playbook()),
            Settings.defaults()),
        new Actor(directory, cluster, workload, steps),
        (seq, at, decision) -> {},
        clock);
  }
}
