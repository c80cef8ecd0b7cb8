package io.nightsweep.sweep;

/** Why a job of a trial is submitted once more. */
public sealed interface Retry {
  /** The job ended itself, since another one had its intent. */
  record Duplicated() implements Retry {}

  /** The job ran something else than it was to. */
  record RanOtherwise(Statement found) implements Retry {}

  /** The sweep itself ended the job, and not for a failure of it. */
  record CancelledBySweep(CancelCause why) implements Retry {}

  record Remedied(String failureClass) implements Retry {}

  /** A person resumed the sweep, which the failure had halted. */
  record HaltResumed(String failureClass) implements Retry {}

  /** The submission's answer was lost, and it had queued no job; the attempt is the same one. */
  record Unqueued() implements Retry {}

  default Statement said() {
    return switch (this) {
      case Duplicated r -> Statement.phrase("retry-duplicated");
      case RanOtherwise r -> Statement.phrase("retry-otherwise", r.found());
      case CancelledBySweep r -> Statement.phrase("retry-cancelled", r.why().said());
      case Remedied r -> Statement.phrase("retry-remedied", r.failureClass());
      case Unqueued r -> Statement.phrase("retry-unqueued");
      case HaltResumed r -> Statement.phrase("retry-resumed", r.failureClass());
    };
  }
}
