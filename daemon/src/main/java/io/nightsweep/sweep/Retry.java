package io.nightsweep.sweep;

/** Why a job of a trial is submitted again. */
public sealed interface Retry {
  /** The job ended itself because another job had claimed its intent. */
  record Duplicated() implements Retry {}

  /** The job ran something other than it should. */
  record RanOtherwise(Statement found) implements Retry {}

  /** The sweep itself ended the job for a reason other than a failure. */
  record CancelledBySweep(CancelCause why) implements Retry {}

  record Remedied(String failureClass) implements Retry {}

  /** A person resumed the sweep that the failure had halted. */
  record HaltResumed(String failureClass) implements Retry {}

  /** The submission's answer was lost and no job was queued; the attempt stays the same. */
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
