package io.nightsweep.sweep;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The response to a failure class: its steps, what follows them, and how often they are tried.
 *
 * @param then what follows when every step succeeded
 * @param limit how many times within {@code scope} before {@code afterLimit}; 0: at once, {@code
 *     Integer.MAX_VALUE}: never
 * @param consecutive whether a success in the scope resets the count
 */
public record Remedy(
    List<RemedyStep> steps,
    Then then,
    int limit,
    RemedyScope scope,
    boolean consecutive,
    Then afterLimit) {

  public enum Then {
    RESUBMIT,
    /** The trial fails; its profile stays in the sweep. */
    FAIL_TRIAL,
    /** The profile leaves the sweep. */
    DROP_PROFILE,
    /** The profile leaves the sweep and the user is told. */
    SET_ASIDE,
    HALT,
    /** Success after all: the measurement stands. */
    ACCEPT
  }

  public enum RemedyScope {
    TRIAL,
    PROFILE,
    SWEEP
  }

  /**
   * A person's approval that a step needs.
   *
   * @param unanswered the answer if nobody answers within {@code patience}
   */
  public record Approval(Duration patience, boolean unanswered) {}

  /**
   * One named step.
   *
   * @param action a name on the engine's allow-list, such as {@code resume-node}
   * @param args its settings, such as the {@code seconds} of a wait
   * @param approval present if a person must approve first
   * @param tries attempts at the step before it counts as failed
   * @param onFailure what a failed step leads to; {@code RESUBMIT} means: go on
   */
  public record RemedyStep(
      String action,
      SortedMap<String, String> args,
      Duration timeout,
      Optional<Approval> approval,
      int tries,
      Then onFailure) {
    public static final String WAIT = "wait";
    public static final String WAIT_FOR_CHECKOUT = "wait-for-checkout";

    /** Waits until each pinned node answers the cluster, for example after a reboot. */
    public static final String WAIT_FOR_NODES = "wait-for-nodes";

    public static final String RESUME_NODE = "resume-node";
    public static final String DROP_FLAG = "drop-flag";
    public static final String PERTURB_FLAGS = "perturb-flags";

    /** Steps inside the daemon: they touch no node and need no approval. */
    public static final Set<String> NEVER_ASKED =
        Set.of(WAIT, WAIT_FOR_CHECKOUT, DROP_FLAG, PERTURB_FLAGS);

    /** Steps that may change the state of a node. */
    public static final Set<String> TOUCHING = Set.of(RESUME_NODE, "reset-nic");

    public RemedyStep {
      args = Collections.unmodifiableSortedMap(new TreeMap<>(args));
    }

    /** A setting such as {@code 5m} or {@code 1h30m}; {@code otherwise} if it is not a duration. */
    public Duration duration(String setting, Duration otherwise) {
      String text = args.getOrDefault(setting, "");
      try {
        return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
      } catch (DateTimeParseException e) {
        return otherwise;
      }
    }
  }

  /** Whether the remedy may halt the sweep or touch a node. */
  public boolean mayCostTheNight() {
    return then == Then.HALT
        || afterLimit == Then.HALT
        || steps.stream()
            .anyMatch(s -> s.onFailure() == Then.HALT || RemedyStep.TOUCHING.contains(s.action()));
  }

  /** Whether the profile leaves the sweep without a second run. */
  public boolean dropsAtOnce() {
    return drops(then) || (limit == 0 && drops(afterLimit));
  }

  private static boolean drops(Then what) {
    return what == Then.DROP_PROFILE || what == Then.SET_ASIDE;
  }

  /** Whether the remedy is tried for as long as the sweep lasts. */
  public boolean isEndless() {
    return limit == Integer.MAX_VALUE;
  }

  public Remedy {
    steps = List.copyOf(steps);
  }

  public static Remedy of(Then then, int limit, RemedyScope scope, Then afterLimit) {
    return new Remedy(List.of(), then, limit, scope, false, afterLimit);
  }
}
