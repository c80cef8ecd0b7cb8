package io.nightsweep.sweep;

import java.util.Set;

/** Ids of the failure classes that the code itself uses; a playbook defines their remedies. */
public final class KnownClasses {
  public static final String SUCCESS = "success";

  /** The training succeeded and only something after it failed: the measurement stands. */
  public static final String SOFT_SUCCESS = "soft-success";

  /** The loss is NaN: a failure, regardless of exit code and speed. */
  public static final String NAN_LOSS = "nan-loss";

  public static final String NODE_DOWN = "node-down";
  public static final String NODE_FAIL = "node-fail";
  public static final String SUBMISSION_REFUSED = "submission-refused";
  public static final String CONTROLLER_DOWN = "controller-down";
  public static final String CANCELLED = "cancelled";
  public static final String DISK_FULL = "disk-full";
  public static final String TIME_LIMIT = "time-limit";
  public static final String OOM_HOST = "oom-host";
  public static final String PREEMPTED = "preempted";

  /** The job ended before its script began. */
  public static final String PROLOG_KILL = "prolog-kill";

  /** A run that is implausibly fast. */
  public static final String IMPLAUSIBLE = "implausible";

  /** The job ended and printed no figure. */
  public static final String NO_MEASUREMENT = "no-measurement";

  public static final String TOO_FEW_STEPS = "too-few-steps";
  public static final String PROGRAM_MISSING = "program-missing";
  public static final String CRASHED = "crashed";

  /** No source knows how the job ended, and it left no log. */
  public static final String VANISHED = "vanished";

  /** The default failure of jobs in a simulated night. */
  public static final String RCCL_INIT_FLAKE = "rccl-init-flake";

  /** A failure that fits no signature. */
  public static final String UNCLASSIFIED = "unclassified";

  /** The result for a log without signs of a failure; playbooks do not contain this class. */
  public static final String NO_FAILURE_FOUND = "no-failure-found";

  /**
   * The class of trials with jobs that did not run what they should; playbooks do not contain it.
   */
  public static final String VOID = "void";

  /** Every playbook recognises these classes or has a remedy for them. */
  public static final Set<String> ALL =
      Set.of(
          SUCCESS,
          SOFT_SUCCESS,
          NAN_LOSS,
          NODE_DOWN,
          NODE_FAIL,
          SUBMISSION_REFUSED,
          CONTROLLER_DOWN,
          CANCELLED,
          DISK_FULL,
          TIME_LIMIT,
          OOM_HOST,
          PREEMPTED,
          PROLOG_KILL,
          IMPLAUSIBLE,
          NO_MEASUREMENT,
          TOO_FEW_STEPS,
          PROGRAM_MISSING,
          CRASHED,
          VANISHED,
          RCCL_INIT_FLAKE,
          UNCLASSIFIED);

  private KnownClasses() {}
}
