package io.nightsweep.engine;

import io.nightsweep.sweep.SharedNight;
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
 * The sweeps that a daemon drives, and who has which nodes. Whoever starts, moves, validates or
 * ends a sweep holds it meanwhile, so that this object's monitor is never held while the cluster, a
 * file or another sweep is waited for.
 */
final class DrivenSweeps {
  private static final Logger log = LoggerFactory.getLogger(DrivenSweeps.class);

  private final Map<String, HostedSweep> driven = new ConcurrentSkipListMap<>();
  private final Map<String, Hold> held = new HashMap<>();

  /**
   * Nodes that a sweep has to itself.
   *
   * @param night whose other sweeps take turns with it, where these are the same nodes
   */
  record Pins(String sweep, Optional<String> night, ClusterChoice cluster, List<String> nodes) {
    static Pins of(HostedSweep sweep) {
      return new Pins(
          sweep.id(),
          sweep.state().night().map(SharedNight::name),
          sweep.clusterChoice(),
          sweep.state().cell().nodes());
    }

    /** What the sweep wants for itself alone. */
    static Pins alone(HostedSweep sweep, List<String> nodes) {
      return new Pins(sweep.id(), Optional.empty(), sweep.clusterChoice(), nodes);
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

  void add(HostedSweep sweep) {
    log.info("driving sweep {} on {}", sweep.id(), sweep.state().cell().nodes());
    driven.put(sweep.id(), sweep);
  }

  void clear() {
    driven.clear();
  }

  /** Whether no sweep is driven and none is about to be. */
  synchronized boolean isIdle() {
    return driven.isEmpty() && held.isEmpty();
  }

  /**
   * Holds the sweep for one caller at a time.
   *
   * @return empty where another one holds it for longer than {@code patience}
   */
  synchronized Optional<Hold> hold(String sweep, Duration patience) throws InterruptedException {
    long giveUp = System.nanoTime() + patience.toNanos();
    while (held.containsKey(sweep)) {
      long left = giveUp - System.nanoTime();
      if (left <= 0) {
        return Optional.empty();
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    Hold hold = new Hold(sweep);
    held.put(sweep, hold);
    return Optional.of(hold);
  }

  /** A sweep that one caller holds, with the nodes that are kept for it as long. */
  final class Hold implements AutoCloseable {
    private final String sweep;
    private Optional<Pins> wanted = Optional.empty();

    private Hold(String sweep) {
      this.sweep = sweep;
    }

    /**
     * Keeps the nodes for the sweep until this hold ends.
     *
     * @return why it does not
     */
    Optional<String> pin(Pins pins) {
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

    /** Drives it no more. */
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

  private static String refusal(Pins other, Pins pins) {
    List<String> shared =
        other.nodes.stream().filter(pins.nodes::contains).distinct().sorted().toList();
    return "sweep %s has pinned %s; wait for it, end it with 'nightsweep stop --sweep %s', or choose other nodes"
        .formatted(other.sweep, String.join(", ", shared), other.sweep);
  }
}
