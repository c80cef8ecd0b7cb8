package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.journal.Journal;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.SimCluster;
import io.nightsweep.sim.SimWorkload;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.VirtualClock;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.triage.EndDiagnoser;
import io.nightsweep.workload.Workload;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A job's output on which the daemon itself fails ends in a halt that people are told of. */
@Tag("guard")
class WedgeTest {
  private static final Instant START = Instant.parse("2026-01-01T22:00:00Z");

  private final List<Entry> entries = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(
      classes = {
        IllegalStateException.class,
        StackOverflowError.class,
        NoSuchMethodError.class,
        OutOfMemoryError.class
      })
  void anErrorThatComesBackHaltsTheSweepAndIsTold(Class<? extends Throwable> kind)
      throws Exception {
    VirtualClock clock = new VirtualClock(START);
    SimCluster cluster =
        new SimCluster(clock, new SplittableRandom(1), Faults.none(), Duration.ofMinutes(1));
    SimWorkload sound = new SimWorkload(Specs.surface(0.05, 0.005), cluster, "night", START, 1);
    SweepDirectory directory = new SweepDirectory(Path.of("night"));
    Workload workload = failing(sound, kind);
    append(List.of(new Event.SweepStarted("night", 1, Specs.kernels(6, Optional.empty()))));
    SweepEngine engine =
        new SweepEngine(
            SweepState.fold(entries),
            journal(),
            new Observer(directory, cluster, workload, new EndDiagnoser(), Settings.defaults()),
            new Actor(
                directory,
                cluster,
                workload,
                (step, attempt, state) -> new RemedySteps.StepOutcome(true, "").now()),
            (seq, at, decision) -> {},
            clock);

    for (int tick = 0; tick < 60 && !(engine.state().phase() instanceof Phase.Halted); tick++) {
      engine.tick();
      clock.advance(Duration.ofSeconds(20));
    }

    assertThat(engine.state().phase())
        .isInstanceOfSatisfying(
            Phase.Halted.class,
            h -> assertThat(h.cause().toString()).contains("DaemonError", "canary"));
    assertThat(engine.state().notices()).as("a STOP is told").isNotEmpty();
    assertThat(engine.sinceGoodTick()).isGreaterThan(Duration.ofSeconds(20));
  }

  private static Workload failing(Workload sound, Class<? extends Throwable> kind) {
    return (Workload)
        Proxy.newProxyInstance(
            Workload.class.getClassLoader(),
            new Class<?>[] {Workload.class},
            (proxy, method, args) -> {
              if (method.getName().equals("read")) {
                throw kind.getConstructor(String.class).newInstance("canary");
              }
              try {
                return method.invoke(sound, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private List<Entry> append(List<Event> events) {
    List<Entry> added = new ArrayList<>();
    for (Event event : events) {
      added.add(new Entry(entries.size() + added.size() + 1L, START, event));
    }
    entries.addAll(added);
    return added;
  }

  private Journal journal() {
    return new Journal() {
      @Override
      public List<Entry> append(Instant at, List<Event> events) {
        return WedgeTest.this.append(events);
      }

      @Override
      public void close() {}
    };
  }
}
