package io.nightsweep.cluster.slurm;

import io.nightsweep.sweep.JobEnd;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Slurm's job states (squeue(1), "JOB STATE CODES"), in their long form. */
public enum SlurmState {
  BOOT_FAIL,
  CANCELLED,
  COMPLETED,
  CONFIGURING,
  COMPLETING,
  DEADLINE,
  FAILED,
  NODE_FAIL,
  OUT_OF_MEMORY,
  PENDING,
  PREEMPTED,
  RUNNING,
  RESV_DEL_HOLD,
  REQUEUE_FED,
  REQUEUE_HOLD,
  REQUEUED,
  RESIZING,
  REVOKED,
  SIGNALING,
  SPECIAL_EXIT,
  STAGE_OUT,
  STOPPED,
  SUSPENDED,
  TIMEOUT;

  public enum JobStage {
    WAITING,
    RUNNING,
    COMPLETING,
    ENDED
  }

  /**
   * Parses a state; {@code sacct} appends "by UID" to some, and ends one that its column cuts with
   * a plus. Empty for other words, and for beginnings of several states.
   */
  public static Optional<SlurmState> parse(String text) {
    String stripped = text.strip();
    String word = stripped.split("[ +]", 2)[0];
    List<SlurmState> meant = Arrays.stream(values()).filter(s -> s.name().equals(word)).toList();
    if (meant.isEmpty() && !word.isEmpty() && stripped.equals(word + "+")) {
      meant = Arrays.stream(values()).filter(s -> s.name().startsWith(word)).toList();
    }
    return meant.size() == 1 ? Optional.of(meant.getFirst()) : Optional.empty();
  }

  public JobStage stage() {
    return switch (this) {
      case PENDING, CONFIGURING, REQUEUED, REQUEUE_FED, REQUEUE_HOLD, RESV_DEL_HOLD, SPECIAL_EXIT ->
          JobStage.WAITING;
      case RUNNING, RESIZING, SIGNALING, STOPPED, SUSPENDED -> JobStage.RUNNING;
      case COMPLETING, STAGE_OUT -> JobStage.COMPLETING;
      case BOOT_FAIL,
          CANCELLED,
          COMPLETED,
          DEADLINE,
          FAILED,
          NODE_FAIL,
          OUT_OF_MEMORY,
          PREEMPTED,
          REVOKED,
          TIMEOUT ->
          JobStage.ENDED;
    };
  }

  /** The meaning of an ended state for a sweep. */
  public JobEnd.State end() {
    return switch (this) {
      case COMPLETED -> JobEnd.State.COMPLETED;
      case CANCELLED, REVOKED -> JobEnd.State.CANCELLED;
      case TIMEOUT, DEADLINE -> JobEnd.State.TIME_LIMIT;
      case OUT_OF_MEMORY -> JobEnd.State.OUT_OF_MEMORY;
      case NODE_FAIL, BOOT_FAIL -> JobEnd.State.NODE_FAIL;
      case PREEMPTED -> JobEnd.State.PREEMPTED;
      case REQUEUED, REQUEUE_FED, REQUEUE_HOLD, RESV_DEL_HOLD, SPECIAL_EXIT ->
          JobEnd.State.REQUEUED;
      case FAILED,
          CONFIGURING,
          COMPLETING,
          PENDING,
          RUNNING,
          RESIZING,
          SIGNALING,
          STAGE_OUT,
          STOPPED,
          SUSPENDED ->
          JobEnd.State.FAILED;
    };
  }
}
