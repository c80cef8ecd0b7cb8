package io.nightsweep.evidence;

import io.nightsweep.sweep.CollectiveRoute;
import io.nightsweep.sweep.CollectiveRoute.Reach;
import java.util.Comparator;

/**
 * Communication of one kind over one part of the fabric.
 *
 * @param reach the location of a group's devices
 */
record Route(CollectiveKind kind, Reach reach) implements Comparable<Route> {

  static Route of(CollectiveKind kind) {
    return new Route(kind, Reach.UNKNOWN);
  }

  @Override
  public int compareTo(Route other) {
    return Comparator.comparing(Route::kind).thenComparing(Route::reach).compare(this, other);
  }

  @Override
  public String toString() {
    return new CollectiveRoute(kind.opcode(), reach).toString();
  }
}
