package io.nightsweep.evidence;

import java.util.Comparator;

/**
 * Communication of one kind over one part of the fabric.
 *
 * @param reach the location of a group's devices
 */
record Route(CollectiveKind kind, Reach reach) implements Comparable<Route> {

  /** The part of the fabric that a group of devices uses. */
  enum Reach {
    INSIDE_NODES(" inside nodes"),
    BETWEEN_NODES(" between nodes"),
    UNKNOWN("");

    private final String words;

    Reach(String words) {
      this.words = words;
    }
  }

  static Route of(CollectiveKind kind) {
    return new Route(kind, Reach.UNKNOWN);
  }

  @Override
  public int compareTo(Route other) {
    return Comparator.comparing(Route::kind).thenComparing(Route::reach).compare(this, other);
  }

  /** The route in words, such as {@code all-gather between nodes}. */
  @Override
  public String toString() {
    return kind.opcode() + reach.words;
  }
}
