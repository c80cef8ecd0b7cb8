package io.nightsweep.engine;

import io.nightsweep.sweep.SharedNight;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sweeps that a daemon drives, and their nodes. A caller that starts, moves, validates or ends
 * a sweep holds the sweep meanwhile, so this object's monitor is never held while waiting for the
 * cluster, a file or another sweep.
 */
final class DrivenSweeps {
  private static final Logger log = LoggerFactory.getLogger(DrivenSweeps.class);

  private final Map<String, HostedSweep> driven = new ConcurrentSkipListMap<>();
  private final Map<String, Hold> held = new HashMap<>();
  private final Duration patienceWithStarts;
  private boolean isClosed;

  DrivenSweeps(Duration patienceWithStarts) {
    this.patienceWithStarts = patienceWithStarts;
  }

  /** What a sweep uses its nodes for, which determines how others can get them. */
  enum Use {
    START,
    SWEEP,
    VALIDATION
  }

  /**
   * Nodes that are reserved for a sweep.
   *
   * @param night the shared night; sweeps of the same night may share the same nodes and take turns
   */
  record Pins(
      String sweep, Use use, Optional<String> night, ClusterChoice cluster, List<String> nodes) {
    /** The nodes that a starting sweep needs. */
    static Pins starting(String sweep, SweepOrigin origin, SweepSpec spec) {
      return new Pins(sweep, Use.START, origin.night(), origin.cluster(), spec.cell().nodes());
    }

    static Pins of(HostedSweep sweep) {
      return new Pins(
          sweep.id(),
          use(sweep),
          sweep.state().night().map(SharedNight::name),
          sweep.clusterChoice(),
          sweep.state().cell().nodes());
    }

    /** The nodes that the sweep needs for itself alone. */
    static Pins alone(HostedSweep sweep, List<String> nodes) {
      return new Pins(sweep.id(), use(sweep), Optional.empty(), sweep.clusterChoice(), nodes);
    }

    private static Use use(HostedSweep sweep) {
      return sweep.state().isFinished() ? Use.VALIDATION : Use.SWEEP;
    }

    private boolean collidesWith(Pins other) {
      boolean takesTurns =
          night.isPresent()
              && night.equals(other.night)
              && Set.copyOf(nodes).equals(Set.copyOf(other.nodes));
      return !sweep.equals(other.sweep)
          && cluster.equals(other.cluster)
          && !Collections.disjoint(nodes, other.nodes)
          && !takesTurns;
    }
  }

  Collection<HostedSweep> all() {
    return Collections.unmodifiableCollection(driven.values());
  }

  Optional<HostedSweep> find(String sweep) {
    return Optional.ofNullable(driven.get(sweep));
  }

  /**
   * Adds a sweep. Returns false if the daemon is ending; the next daemon then resumes the sweep.
   */
  synchronized boolean add(HostedSweep sweep) {
    if (!isClosed) {
      log.info("driving sweep {} on {}", sweep.id(), sweep.state().cell().nodes());
      driven.put(sweep.id(), sweep);
    }
    return !isClosed;
  }

  /** Accepts no further sweep, and refuses all callers that wait to hold one. */
  synchronized void close() {
    isClosed = true;
    notifyAll();
  }

  void clear() {
    driven.clear();
  }

  /** Whether no sweep is driven and none is about to be. */
  synchronized boolean isIdle() {
    return driven.isEmpty() && held.isEmpty();
  }

  /** Closes if no sweep is driven and none is about to be. */
  synchronized boolean closeIfIdle() {
    if (isIdle()) {
      close();
    }
    return isClosed;
  }

  /** Whether a start of the sweep is in progress that has not written its first event. */
  synchronized boolean isStarting(String sweep) {
    return Optional.ofNullable(held.get(sweep))
        .flatMap(hold -> hold.wanted)
        .filter(pins -> pins.use == Use.START)
        .isPresent();
  }

  /**
   * Holds the sweep for one caller at a time.
   *
   * @throws SweepEngine.BusyException if another caller holds it until the deadline, or the daemon
   *     ends
   */
  synchronized Hold hold(String sweep, Deadline deadline)
      throws SweepEngine.BusyException, InterruptedException {
    while (held.containsKey(sweep) && !isClosed) {
      if (deadline.isOver()) {
        throw new SweepEngine.BusyException(Statement.phrase("busy-request", sweep));
      }
      TimeUnit.NANOSECONDS.timedWait(this, deadline.leftNanos());
    }
    if (isClosed) {
      throw new SweepEngine.BusyException(Statement.phrase("busy-ending"));
    }
    return newHold(sweep);
  }

  /** Empty if another caller holds the sweep or the daemon ends. */
  synchronized Optional<Hold> tryHold(String sweep) {
    return held.containsKey(sweep) || isClosed ? Optional.empty() : Optional.of(newHold(sweep));
  }

  private Hold newHold(String sweep) {
    Hold hold = new Hold(sweep);
    held.put(sweep, hold);
    return hold;
  }

  /** A sweep held by one caller, with the nodes that stay reserved for it meanwhile. */
  final class Hold implements AutoCloseable {
    private final String sweep;
    private Optional<Pins> wanted = Optional.empty();

    private Hold(String sweep) {
      this.sweep = sweep;
    }

    /**
     * Reserves the nodes for the sweep until this hold ends.
     *
     * @return why the nodes cannot be reserved
     */
    Optional<Statement> pin(Pins pins) {
      synchronized (DrivenSweeps.this) {
        Optional<Pins> other =
            Stream.concat(
                    driven.values().stream().filter(s -> !s.isDone()).map(Pins::of),
                    held.values().stream().flatMap(hold -> hold.wanted.stream()))
                .filter(pins::collidesWith)
                .findFirst();
        if (other.isEmpty()) {
          wanted = Optional.of(pins);
        }
        return other.map(o -> refusal(o, pins));
      }
    }

    void drop() {
      driven.remove(sweep);
    }

    @Override
    public void close() {
      synchronized (DrivenSweeps.this) {
        held.remove(sweep);
        DrivenSweeps.this.notifyAll();
      }
    }
  }

  private Statement refusal(Pins other, Pins pins) {
    List<String> shared =
        other.nodes.stream().filter(pins.nodes::contains).distinct().sorted().toList();
    String nodes = String.join(", ", shared);
    return switch (other.use) {
      case START ->
          Statement.phrase("pinned-by-start", other.sweep, nodes, patienceWithStarts.toSeconds());
      case SWEEP -> Statement.phrase("pinned-by-sweep", other.sweep, nodes);
      case VALIDATION -> Statement.phrase("pinned-by-validation", other.sweep, nodes);
    };
  }
}
