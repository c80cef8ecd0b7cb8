package io.nightsweep.sim;

import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** How often each fault occurs in a simulated night, as a probability per occasion. */
public record Faults(Map<Kind, Double> rates) {
  private static final Faults NONE = new Faults(Map.of());

  /** What can go wrong, and on which occasion. */
  public enum Kind {
    /** A job fails with a failure class that a retry cures. */
    JOB_FAILS,
    /** A job stands still at some moment and holds the nodes up to its time limit. */
    JOB_HANGS,
    /** A job that would have completed ends in a state that is drawn from all others. */
    JOB_ENDS_ODDLY,
    /** No source knows the job any more, once it has ended. */
    JOB_VANISHES,
    /** Two jobs of one submission start, and the one that the answer names is the duplicate. */
    JOB_IS_CLAIMED_TWICE,
    /** A running job is missing from the answer to a query. */
    JOB_IS_UNLISTED,
    /** A query or submission gets no answer, and has no effect. */
    UNREACHABLE,
    /** From a query or submission on, the controller is away for up to 40 minutes. */
    OUTAGE,
    /** A job is queued, and the answer to its submission is lost. */
    ANSWER_LOST,
    /** The cluster refuses a submission. */
    REFUSED,
    /** The daemon dies, at an append to the journal or a submission. */
    CRASH
  }

  /**
   * With these faults alone, only the start, a printed step or the end of a job changes anything.
   */
  private static final Set<Kind> SEEN_BY_ITS_END =
      EnumSet.of(Kind.JOB_FAILS, Kind.JOB_ENDS_ODDLY, Kind.JOB_IS_CLAIMED_TWICE);

  /** Drawn for also where they never occur: the faults of recorded nights stay where they were. */
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
   * The same with another rate of one kind.
   *
   * @throws IllegalArgumentException where the rate is no probability
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

  /** Whether the cluster always answers, so that nothing changes but by a job's own progress. */
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
