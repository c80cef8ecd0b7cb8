package io.nightsweep.sweep;

import java.util.stream.Stream;

/**
 * Communication by one kind of collective over one part of the fabric.
 *
 * @param opcode XLA's name of the collective
 */
public record CollectiveRoute(String opcode, Reach reach) implements Comparable<CollectiveRoute> {

  /** The part of the fabric that a group of devices uses. */
  public enum Reach {
    INSIDE_NODES(" inside nodes"),
    BETWEEN_NODES(" between nodes"),
    UNKNOWN("");

    private final String words;

    Reach(String words) {
      this.words = words;
    }
  }

  /** Reads the form of {@link #toString}. */
  public static CollectiveRoute parse(String name) {
    return Stream.of(Reach.INSIDE_NODES, Reach.BETWEEN_NODES)
        .filter(reach -> name.endsWith(reach.words))
        .map(
            reach ->
                new CollectiveRoute(name.substring(0, name.length() - reach.words.length()), reach))
        .findFirst()
        .orElseGet(() -> new CollectiveRoute(name, Reach.UNKNOWN));
  }

  @Override
  public int compareTo(CollectiveRoute other) {
    return toString().compareTo(other.toString());
  }

  /** Its name among a finding's figures, such as {@code all-gather between nodes}. */
  @Override
  public String toString() {
    return opcode + reach.words;
  }
}
