package io.nightsweep.sweep;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What has happened to a sweep. The journal holds the events, and {@link SweepState} is their fold.
 */
public sealed interface Event {

  /**
   * The first event of each sweep. {@code seed} feeds every random choice of the sweep.
   *
   * @param by who started it and through which door; absent if nobody did, as in a simulated night
   */
  record SweepStarted(String sweep, long seed, SweepSpec spec, Optional<Command.Origin> by)
      implements Event {
    public SweepStarted(String sweep, long seed, SweepSpec spec) {
      this(sweep, seed, spec, Optional.empty());
    }
  }

  /**
   * The sweep shares its nodes and its budget with the other sweeps of the same night, and waits
   * for its turn.
   */
  record NightJoined(String night) implements Event {}

  /**
   * The sweep may plan one round of jobs and submit them.
   *
   * @param share what it may spend in all: what it has used, plus its part of what is left of the
   *     night
   * @param expected gain in percent per further node-hour, for each sweep that could use the turn
   */
  record TurnTaken(Budget share, SortedMap<String, Double> expected) implements Event {
    public TurnTaken {
      expected = Collections.unmodifiableSortedMap(new TreeMap<>(expected));
    }
  }

  /** The sweep waits until it has the turn again. */
  record TurnPassed(String to) implements Event {}

  record CommandAccepted(Command command, Command.Origin origin) implements Event {}

  // Waves and trials

  /** The wave begins; {@code trials} are its first pass, in the order in which they run. */
  record WaveOpened(String wave, List<Trial> trials) implements Event {
    public WaveOpened {
      trials = List.copyOf(trials);
    }
  }

  /** More trials for an open wave. */
  record TrialsPlanned(String wave, List<Trial> trials) implements Event {
    public TrialsPlanned {
      trials = List.copyOf(trials);
    }
  }

  /**
   * Fixes the number of fresh runs before they begin, so that nobody can stop when they look good.
   *
   * @param runsPerArm runs of the profile, and the same number of the control
   */
  record ConfirmationPlanned(String profile, int runsPerArm) implements Event {}

  /**
   * The dominant axis is not the first one: the plan's alternative for it replaces the screening
   * waves, before any of them has begun.
   */
  record AxisChosen(String axis) implements Event {}

  record WaveClosed(String wave) implements Event {}

  record WaveSkipped(String wave, Cause why) implements Event {}

  /** A profile that the plan did not name: a stack, or a validated proposal. */
  record ProfileAdded(Profile profile) implements Event {}

  /**
   * Earlier sweeps of the same program showed gains beyond the policy's plausibility limit, and
   * fresh runs or a person confirmed them.
   *
   * @param logGains by the profile's hash
   */
  record GainsKnown(SortedMap<String, Double> logGains) implements Event {
    public GainsKnown {
      logGains = Collections.unmodifiableSortedMap(new TreeMap<>(logGains));
    }
  }

  /** The profile leaves the sweep; its trials that have not run are dropped. */
  record ProfileDropped(String profile, DropCause cause, Cause why) implements Event {
    public enum DropCause {
      RACED_OUT,
      SKIPPED,
      FAILED,
      UNSAFE,
      UNSUPPORTED,
      /** The evidence shows nothing that the profile's settings act on. */
      NO_MECHANISM,
      /** The deployed state already sets everything that the profile sets. */
      ALREADY_SET,
      /** It compiles to the same program as the baseline or another profile. */
      SAME_PROGRAM,
      /** A language model proposed it, and the share for such profiles is spent. */
      SHARE_SPENT
    }
  }

  /** The profile keeps its name and loses a setting that the build does not know. */
  record ProfileAmended(Profile profile) implements Event {}

  /** A run on real data was requested after the sweep; the trial belongs to no wave of the plan. */
  record ValidationPlanned(Trial trial) implements Event {}

  record TrialClosed(TrialId trial, Disposition disposition) implements Event {}

  // Attempts

  /** Journaled before the job is submitted; its name identifies the job after a crash. */
  record SubmissionIntended(AttemptId attempt, String jobName) implements Event {}

  record Submitted(AttemptId attempt, JobId job) implements Event {}

  /**
   * The answer to the submission was lost, and neither the queue nor the accounting has a job of
   * its name.
   */
  record SubmissionUnqueued(AttemptId attempt) implements Event {}

  /** Journaled before the job of such an attempt is submitted again. */
  record SubmissionRepeated(AttemptId attempt) implements Event {}

  /** The cluster refused the job; nothing was queued. */
  record SubmissionRefused(AttemptId attempt, Diagnosis diagnosis) implements Event {}

  record AttemptStarted(AttemptId attempt, Instant startedAt, List<String> nodes) implements Event {
    public AttemptStarted {
      nodes = List.copyOf(nodes);
    }
  }

  /** Starts a grace period: if the job is not seen again before it ends, the attempt is lost. */
  record AttemptDoubted(AttemptId attempt, AttemptState.Doubt.Kind kind) implements Event {}

  /** Ends the grace period: the cluster knows the job again, or its nodes are available. */
  record AttemptSeen(AttemptId attempt) implements Event {}

  /** The last step in the log of a running attempt, out of {@code stepsTotal} (0: unknown). */
  record AttemptProgressed(AttemptId attempt, int step, int stepsTotal) implements Event {}

  /** The steps so far of a running attempt that has reached its window; the value is their mean. */
  record AttemptShown(AttemptId attempt, Measurement sofar) implements Event {}

  /** The job cannot succeed, however it ends: it hangs, or its node is gone. */
  record AttemptGivenUp(AttemptId attempt, Diagnosis diagnosis) implements Event {}

  record CancelRequested(AttemptId attempt, CancelCause cause) implements Event {}

  record AttemptEnded(AttemptId attempt, JobEnd end) implements Event {}

  record AttemptJudged(AttemptId attempt, Judgement judgement) implements Event {}

  // Remedies

  record RemedyBegun(AttemptId attempt, String failureClass, Remedy remedy) implements Event {}

  /** Journaled before a step leaves the process; {@code index} counts the remedy's steps from 0. */
  record RemedyStepBegun(AttemptId attempt, int index) implements Event {}

  record RemedyStepDone(AttemptId attempt, int index, StepEnd end) implements Event {}

  record RemedyEnded(AttemptId attempt, Remedy.Then then, Why why) implements Event {
    public enum Why {
      A_STEP_FAILED,
      LIMIT_REACHED,
      STEPS_DONE
    }
  }

  // Questions

  /**
   * @param question its name, unique in a sweep
   * @param patience how long people have to answer
   * @param unanswered the answer that applies if nobody answers in time
   */
  record QuestionAsked(String question, QuestionAbout about, Duration patience, boolean unanswered)
      implements Event {}

  /** The question's deadline passed without an answer. */
  record QuestionLapsed(String question) implements Event {}

  // The language model

  /** The terms on which a language model is queried; journaled when the sweep starts. */
  record LlmAdmitted(LlmTerms terms) implements Event {}

  /** Journaled before a prompt leaves the process; rounds count from 1. */
  record LlmAsked(LlmOccasion occasion) implements Event {}

  record LlmAnswered(int round, LlmAnswer answer) implements Event {}

  // The cluster and the machine

  record ClusterUnreachable(String error) implements Event {}

  record ClusterReachable(Duration outage) implements Event {}

  /** The journal could not be written; told, with the recovery, once it can be written again. */
  record StorageFailed(String error) implements Event {}

  record StorageRecovered() implements Event {}

  record DaemonStarted(String version, String host, long pid) implements Event {}

  record DaemonStopped(String reason) implements Event {}

  // Findings and notices

  record FindingMade(Finding finding) implements Event {}

  /**
   * What a check of the nodes measured.
   *
   * @param nodes one for each pinned node, in their order
   * @param earlier medians from the checks of earlier sweeps, for the nodes that were checked
   *     before
   */
  record NodesChecked(AttemptId attempt, List<NodeFigures> nodes, List<NodeFigures> earlier)
      implements Event {
    public NodesChecked {
      nodes = List.copyOf(nodes);
      earlier = List.copyOf(earlier);
    }
  }

  /** Something slowed a node down while the attempt's job ran on it. */
  record NodeStrained(AttemptId attempt, NodeStrain strain) implements Event {}

  /** Facts at the beginning of the sweep; recorded once. */
  record InventoryTaken(List<Fact> facts) implements Event {
    public InventoryTaken {
      facts = List.copyOf(facts);
    }
  }

  /** A message for people is due; the chat room delivers it. {@code key} is unique in a sweep. */
  record NoticeIssued(String key, Notice notice) implements Event {}

  record NoticeSending(String key, String to, int part) implements Event {}

  record NoticeDelivered(String key, String to, int part, String receipt) implements Event {}

  /** Sending the part certainly failed; it will be tried again. */
  record NoticeUnsent(String key, String to, int part, Statement because) implements Event {}

  /**
   * No further part of the notice will be sent.
   *
   * @param to a recipient, or {@link NoticeState#EVERYBODY}
   */
  record NoticeSettled(String key, String to, Settlement how, Statement because) implements Event {
    public enum Settlement {
      DELIVERED,
      /** Another notice's message contained its gist. */
      IN_ANOTHER,
      DROPPED
    }
  }

  // The sweep's end

  record SweepHalted(HaltCause cause, List<String> failingNodes) implements Event {
    public SweepHalted {
      failingNodes = List.copyOf(failingNodes);
    }
  }

  /** The nodelist was changed on resuming; earlier measurements no longer count. */
  record CellRepinned(List<String> nodes) implements Event {
    public CellRepinned {
      nodes = List.copyOf(nodes);
    }
  }

  record SweepFinished(SweepOutcome outcome, SweepEnding ending) implements Event {
    public enum SweepOutcome {
      /** A winner was confirmed. */
      WINNER,
      /** Enough candidates were tested, and none gains enough; this is a result too. */
      BOUNDED,
      /** The plan ran to its end without a winner; this is a result too. */
      NO_WINNER,
      /** A budget ended the sweep before the plan did. */
      BUDGET_SPENT,
      STOPPED
    }
  }
}
