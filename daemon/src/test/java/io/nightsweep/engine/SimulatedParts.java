package io.nightsweep.engine;

import static org.awaitility.Awaitility.await;

import io.nightsweep.chat.Chat;
import io.nightsweep.chat.ChatSweeps;
import io.nightsweep.cluster.Cluster;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.SimCluster;
import io.nightsweep.sim.SimWorkload;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.VirtualClock;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.triage.EndDiagnoser;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One simulated cluster for all sweeps; like a real one it outlives daemons. Each look at the queue
 * takes some virtual seconds.
 */
final class SimulatedParts implements Parts, InstantSource {
  private static final Instant NIGHTFALL = Instant.parse("2026-01-01T22:00:00Z");

  private static final List<String> NODES = List.of("n1", "n2", "n3");

  private final VirtualClock clock = new VirtualClock(NIGHTFALL);
  final SimCluster cluster =
      new SimCluster(clock, new SplittableRandom(7), Faults.none(), Duration.ofSeconds(60));
  volatile Duration look = Duration.ofSeconds(20);
  volatile boolean frozen;
  private volatile Patience patience = Patience.defaults();

  /** Notifies people, if {@link #announced} alone is not enough. */
  volatile Optional<Telling> telling = Optional.empty();

  /** Notifications that concern no sweep. */
  final List<String> announced = new CopyOnWriteArrayList<>();

  /** A thread of this name gets no answer from the cluster or from a file server. */
  volatile Optional<String> hanging = Optional.empty();

  /** Whether a hanging thread ignores interrupts. */
  volatile boolean deaf;

  /**
   * Makes a look at the sweep hang, and waits for this look; a request about the sweep hastens it,
   * since a busy machine would delay it for a minute.
   */
  void hang(Daemon daemon, String sweep, Duration longLook) {
    hanging = Optional.of("tick " + sweep);
    AtomicInteger jobs = new AtomicInteger(1000);
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> {
              Command more =
                  new Command.SetBudget(
                      Optional.of(jobs.incrementAndGet()), Optional.empty(), Optional.empty());
              Thread.startVirtualThread(() -> tell(daemon, sweep, more));
              return daemon.blocked(longLook).contains(sweep);
            });
  }

  private static void tell(Daemon daemon, String sweep, Command command) {
    try {
      daemon.handle(
          new Request.Tell(
              sweep, command, new Command.Origin(Command.Origin.Door.CLI, "a person")));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Opens a chat about a daemon's sweeps. */
  interface Telling {
    Chat open(ChatSweeps sweeps) throws IOException;
  }

  volatile Reporter reporter = (directory, state) -> {};

  /** Whether the workload's files overflow the stack of their reader. */
  volatile boolean overflows;

  @Override
  public Cluster cluster(ClusterChoice choice, StateDirectory state) {
    return (Cluster)
        Proxy.newProxyInstance(
            Cluster.class.getClassLoader(),
            new Class<?>[] {Cluster.class},
            (proxy, method, args) -> {
              awaitAnswer();
              synchronized (clock) {
                if (method.getName().equals("observe") && !frozen) {
                  clock.advance(look);
                }
                try {
                  return method.getName().equals("nodes")
                      ? cluster.nodes(NODES)
                      : method.invoke(cluster, args);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              }
            });
  }

  private void awaitAnswer() throws InterruptedException {
    String thread = Thread.currentThread().getName();
    while (hanging.filter(thread::equals).isPresent()) {
      if (deaf) {
        LockSupport.parkNanos(10_000_000);
        boolean unused = Thread.interrupted();
      } else {
        Thread.sleep(10);
      }
    }
  }

  @Override
  public LookPace pace(ClusterChoice choice) {
    return new LookPace(Duration.ofMillis(10), Duration.ofMillis(100));
  }

  @Override
  public Patience patience() {
    return patience;
  }

  /** Lets the next daemon give up on hanging work sooner, for a test that waits for that. */
  void giveUpAfter(Duration limit) {
    patience = new Patience(limit, limit, limit, limit, limit);
  }

  @Override
  public Workload workload(String kind) {
    if (overflows) {
      throw new StackOverflowError("canary");
    }
    try {
      awaitAnswer();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new SimWorkload(Specs.surface(0.05, 0.002), cluster, "any", NIGHTFALL, 7);
  }

  @Override
  public Diagnoser diagnoser(SweepSpec spec) {
    return new EndDiagnoser();
  }

  @Override
  public RemedySteps remedySteps(ClusterChoice choice, Cluster port, Workload workload) {
    return (step, attempt, state) ->
        CompletableFuture.completedFuture(StepEnd.succeeded(Statement.words("simulated")));
  }

  @Override
  public Chat chat(ChatSweeps sweeps, StateDirectory state, InstantSource clock) {
    if (telling.isPresent()) {
      try {
        return telling.get().open(sweeps);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new Chat() {
      @Override
      public String describe() {
        return "announcements are kept";
      }

      @Override
      public boolean isOn() {
        return false;
      }

      @Override
      public void announce(String text, Runnable told) {
        announced.add(text);
        told.run();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public Reporter reporter() {
    return (directory, state) -> reporter.write(directory, state);
  }

  @Override
  public Instant instant() {
    synchronized (clock) {
      return clock.instant();
    }
  }
}
