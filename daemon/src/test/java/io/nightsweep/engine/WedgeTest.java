package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.journal.Journal;
import io.nightsweep.report.Phrases;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.SimCluster;
import io.nightsweep.sim.SimWorkload;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.VirtualClock;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.NoticeState;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
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
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A daemon's error costs the attempt that caused it; an error without such an attempt is reported.
 */
@Tag("guard")
class WedgeTest {
  private static final Instant START = Instant.parse("2026-01-01T22:00:00Z");

  private final List<Entry> entries = new ArrayList<>();
  private final VirtualClock clock = new VirtualClock(START);
  private final SimCluster cluster =
      new SimCluster(clock, new SplittableRandom(1), Faults.none(), Duration.ofMinutes(1));
  private final Workload workload =
      new SimWorkload(Specs.surface(0.05, 0.005), cluster, "night", START, 1);

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
    SweepEngine engine = engine(failing(Cluster.class, cluster, "observe", kind, ""), workload);

    run(engine, 60);

    assertThat(engine.state().phase())
        .isInstanceOfSatisfying(
            Phase.Halted.class,
            h -> assertThat(h.cause().toString()).contains("DaemonError", "canary"));
    assertThat(engine.state().notices().values().stream().map(NoticeState::notice))
        .as("a STOP is told")
        .anyMatch(Notice.Stop.class::isInstance);
    assertThat(engine.sinceGoodTick()).isGreaterThan(Duration.ofSeconds(20));
  }

  /** Each look ends, and yet no sweep of the night would ever get the turn. */
  @Test
  void anErrorOverTheTurnOfASharedNightHaltsTheSweepToo() throws Exception {
    SweepEngine engine = engine(cluster, workload);
    engine.tick();
    for (int i = 0; i < 2; i++) {
      assertThat(engine.state().phase()).isInstanceOf(Phase.Running.class);
      engine.afterwards(
          () -> {
            throw new StackOverflowError("canary");
          });
      engine.tick();
    }
    assertThat(engine.state().phase())
        .isInstanceOfSatisfying(
            Phase.Halted.class, h -> assertThat(h.cause().toString()).contains("canary"));
    assertThat(engine.state().notices().values().stream().map(NoticeState::notice))
        .as("a STOP is told")
        .anyMatch(Notice.Stop.class::isInstance);
  }

  @ParameterizedTest
  @ValueSource(
      classes = {IllegalStateException.class, StackOverflowError.class, OutOfMemoryError.class})
  void anErrorOverOneProfilesOutputCostsThatProfileAlone(Class<? extends Throwable> kind)
      throws Exception {
    SweepEngine engine = engine(cluster, failing(Workload.class, workload, "read", kind, "p1"));

    run(engine, 5_000);

    SweepState s = engine.state();
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(s.attempts().filter(a -> profile(s, a).equals("p1")))
        .isNotEmpty()
        .allSatisfy(
            a ->
                assertThat(a.judgement())
                    .get()
                    .isInstanceOfSatisfying(
                        Judgement.Failed.class,
                        f ->
                            assertThat(Phrases.EN.text(f.diagnosis().detail()))
                                .contains("canary")));
    assertThat(s.attempts().filter(a -> profile(s, a).equals("p3")))
        .isNotEmpty()
        .allSatisfy(a -> assertThat(a.measurement()).isPresent());
  }

  /** As when many people send commands to a sweep, each of which hastens its next look. */
  @Test
  void looksThatFollowOneAnotherAtOnceKeepNoCommandOut() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    AtomicBoolean isAdmitted = new AtomicBoolean();
    SweepEngine engine = engine(slow(looks), workload);
    engine.tick();
    Thread ticking =
        Thread.startVirtualThread(
            () -> {
              while (!isAdmitted.get() && looks.get() < 200) {
                ticked(engine);
              }
            });
    await().until(() -> looks.get() > 1);
    int before = looks.get();
    assertThat(
            engine.admit(
                new Command.Pause(),
                new Command.Origin(Command.Origin.Door.CLI, "me"),
                Deadline.in(Duration.ofMinutes(1))))
        .isEmpty();
    int after = looks.get();
    isAdmitted.set(true);
    ticking.join();
    assertThat(after - before).as("looks that began meanwhile").isLessThan(5);
  }

  private static void ticked(SweepEngine engine) {
    try {
      engine.tick();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The cluster with a slow queue. */
  private Cluster slow(AtomicInteger looks) {
    return (Cluster)
        Proxy.newProxyInstance(
            Cluster.class.getClassLoader(),
            new Class<?>[] {Cluster.class},
            (proxy, method, args) -> {
              if (method.getName().equals("observe")) {
                looks.incrementAndGet();
                Thread.sleep(20);
              }
              try {
                return method.invoke(cluster, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static String profile(SweepState s, AttemptState a) {
    return s.trialOf(a.id()).profile();
  }

  private SweepEngine engine(Cluster seen, Workload read) {
    SweepDirectory directory = new SweepDirectory(Path.of("night"));
    append(List.of(new Event.SweepStarted("night", 1, Specs.kernels(6))));
    return new SweepEngine(
        SweepState.fold(entries),
        journal(),
        new Observer(directory, seen, read, new EndDiagnoser(), Settings.defaults()),
        new Actor(
            directory,
            seen,
            read,
            (step, attempt, s) ->
                CompletableFuture.completedFuture(StepEnd.succeeded(Statement.words("")))),
        (seq, at, decision) -> {},
        clock);
  }

  private void run(SweepEngine engine, int ticks) throws InterruptedException {
    for (int i = 0; i < ticks && engine.state().phase() instanceof Phase.Running; i++) {
      engine.tick();
      clock.advance(Duration.ofSeconds(20));
    }
  }

  /** The same part with a failing method; with a profile's name, it fails only for that profile. */
  private static <T> T failing(
      Class<T> type, T sound, String name, Class<? extends Throwable> kind, String profile) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              if (method.getName().equals(name)
                  && (profile.isEmpty()
                      || (args[0] instanceof Workload.LaunchRequest r
                          && r.profile().name().equals(profile)))) {
                throw kind.getConstructor(String.class).newInstance("canary");
              }
              try {
                return method.invoke(sound, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
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
