package io.nightsweep.sweep;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/** A trial with its attempts, oldest first, and its one disposition once it has ended. */
public record TrialState(
    Trial trial, PVector<AttemptState> attempts, Optional<Disposition> disposition) {

  static TrialState planned(Trial trial) {
    return new TrialState(trial, TreePVector.empty(), Optional.empty());
  }

  public boolean isOpen() {
    return disposition.isEmpty();
  }

  /** Whether the trial is planned and no job was ever intended for it. */
  public boolean isWaiting() {
    return isOpen() && attempts.isEmpty();
  }

  public Optional<AttemptState> lastAttempt() {
    return attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.getLast());
  }

  public AttemptId nextAttempt() {
    return trial.id().attempt(attempts.size() + 1);
  }

  /** The measurement that counts, if the trial was measured. */
  public Optional<Measurement> measurement() {
    return disposition.flatMap(
        d ->
            d instanceof Disposition.Measured m
                ? attempts.get(m.attempt().attempt() - 1).measurement()
                : Optional.empty());
  }

  TrialState withAttempt(AttemptState attempt) {
    int index = attempt.id().attempt() - 1;
    return new TrialState(
        trial,
        index == attempts.size() ? attempts.plus(attempt) : attempts.with(index, attempt),
        disposition);
  }

  TrialState attempt(int number, UnaryOperator<AttemptState> change) {
    return withAttempt(change.apply(attempts.get(number - 1)));
  }

  TrialState closed(Disposition newDisposition) {
    if (!isOpen()) {
      throw new IllegalStateException("trial " + trial.id() + " is closed twice");
    }
    return new TrialState(trial, attempts, Optional.of(newDisposition));
  }
}
