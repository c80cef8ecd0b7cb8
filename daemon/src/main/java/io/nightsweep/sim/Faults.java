package io.nightsweep.sim;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** The probability of each fault on each occasion in a simulated night. */
public record Faults(Map<Kind, Double> rates) {
  private static final Faults NONE = new Faults(Map.of());

  /** Kinds of faults and their occasions. */
  public enum Kind {
    /** A job fails with a failure class that a retry cures. */
    JOB_FAILS,
    /** A job hangs at some moment and holds the nodes up to its time limit. */
    JOB_HANGS,
    /** A job that would have completed ends in a randomly chosen other state. */
    JOB_ENDS_ODDLY,
    /** A job that has ended is no longer known to any source. */
    JOB_VANISHES,
    /** A submission starts two jobs, and the answer names the duplicate. */
    JOB_IS_CLAIMED_TWICE,
    /** A running job is missing from the answer to a query. */
    JOB_IS_UNLISTED,
    /** A query or submission gets no answer and has no effect. */
    UNREACHABLE,
    /** After a query or submission, the controller is unreachable for up to 40 minutes. */
    OUTAGE,
    /** A job is queued, but the answer to its submission is lost. */
    ANSWER_LOST,
    /** The cluster refuses a submission. */
    REFUSED,
    /** The daemon dies during an append to the journal or a submission. */
    CRASH
  }

  /** Faults with which only the start, a printed step or the end of a job changes anything. */
  private static final Set<Kind> SEEN_BY_ITS_END =
      EnumSet.of(Kind.JOB_FAILS, Kind.JOB_ENDS_ODDLY, Kind.JOB_IS_CLAIMED_TWICE);

  /**
   * Faults for which a random number is drawn even at rate 0, so that the faults of recorded nights
   * stay where they were.
   */
  private static final Set<Kind> ALWAYS_DRAWN =
      EnumSet.of(
          Kind.JOB_FAILS, Kind.JOB_VANISHES, Kind.UNREACHABLE, Kind.ANSWER_LOST, Kind.REFUSED);

  public Faults {
    rates = Collections.unmodifiableMap(enumMap(rates));
  }

  public static Faults none() {
    return NONE;
  }

  /**
   * The same with another rate for one kind.
   *
   * @throws IllegalArgumentException where the rate is not a probability
   */
  public Faults with(Kind kind, double rate) {
    if (!(rate >= 0 && rate <= 1)) {
      throw new IllegalArgumentException("expected a rate within [0, 1], found " + rate);
    }
    Map<Kind, Double> more = enumMap(rates);
    more.put(kind, rate);
    return new Faults(more);
  }

  public double rate(Kind kind) {
    return rates.getOrDefault(kind, 0.0);
  }

  /** Whether a fault occurs on this occasion. */
  boolean strikes(Kind kind, SplittableRandom random) {
    double rate = rate(kind);
    return (rate > 0 || ALWAYS_DRAWN.contains(kind)) && random.nextDouble() < rate;
  }

  /** Whether the cluster always answers, so that only a job's own progress changes anything. */
  boolean areOfJobsAlone() {
    return rates.entrySet().stream()
        .allMatch(e -> e.getValue() == 0 || SEEN_BY_ITS_END.contains(e.getKey()));
  }

  private static Map<Kind, Double> enumMap(Map<Kind, Double> rates) {
    Map<Kind, Double> copy = new EnumMap<>(Kind.class);
    copy.putAll(rates);
    return copy;
  }
}
