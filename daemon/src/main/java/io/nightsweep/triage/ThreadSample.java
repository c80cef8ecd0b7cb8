package io.nightsweep.triage;

import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.KnownClasses;
import java.util.Optional;
import java.util.Set;

/**
 * A log from a public thread, with its expected diagnosis.
 *
 * @param family the program or failure that it is about, such as {@code pyxis}
 * @param source the thread, such as {@code owner/repository#12}
 * @param also classes that a person would also accept
 * @param root a part of the line that must be the first quote; empty if nothing failed
 * @param isHeldOut whether no pattern was written from the thread
 * @param sample the log, how its job ended, and the class it must get
 */
public record ThreadSample(
    String family,
    String source,
    Set<String> also,
    Optional<String> root,
    boolean isHeldOut,
    Sample sample) {
  public ThreadSample {
    also = Set.copyOf(also);
  }

  /** Whether the log gets its class or another accepted one. */
  public boolean isRight(Optional<Diagnosis> diagnosis) {
    String got = diagnosis.map(Diagnosis::failureClass).orElse(SampleRun.HEALTHY);
    return got.equals(sample.expected())
        || also.contains(got)
        || (sample.expected().equals(KnownClasses.SUCCESS)
            && got.equals(KnownClasses.NO_FAILURE_FOUND));
  }

  /** Whether the job's end is unknown, so that only its log is read. */
  public boolean isUntold() {
    return sample.end().isEmpty();
  }
}
