package io.nightsweep.sweep;

import java.util.Set;

/** Ids of the failure classes that the code itself speaks of; a playbook says what follows them. */
public final class KnownClasses {
  public static final String SUCCESS = "success";

  /** The training succeeded and only what came after it failed: the measurement stands. */
  public static final String SOFT_SUCCESS = "soft-success";

  /** The loss is no number: a failure, whatever the exit code and the speed. */
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

  /** A run so fast that it is not believed. */
  public static final String IMPLAUSIBLE = "implausible";

  /** The job ended, and nothing of what it printed is a figure. */
  public static final String NO_MEASUREMENT = "no-measurement";

  public static final String TOO_FEW_STEPS = "too-few-steps";
  public static final String PROGRAM_MISSING = "program-missing";
  public static final String CRASHED = "crashed";

  /** No source knows what became of the job, and it left no log. */
  public static final String VANISHED = "vanished";

  /** What jobs of a simulated night fail of where nothing else is said. */
  public static final String RCCL_INIT_FLAKE = "rccl-init-flake";

  /** What no signature fits. */
  public static final String UNCLASSIFIED = "unclassified";

  /** What a log alone comes to that tells of no failure; no playbook has it. */
  public static final String NO_FAILURE_FOUND = "no-failure-found";

  /** What trials fail as whose jobs ran other than they were to; no playbook has it. */
  public static final String VOID = "void";

  /** Every playbook recognises or remedies each of them. */
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
