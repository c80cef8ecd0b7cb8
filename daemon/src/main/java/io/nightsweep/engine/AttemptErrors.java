package io.nightsweep.engine;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the daemon's own errors in reading the files of one attempt, so that they fail this
 * attempt and not the whole night.
 */
final class AttemptErrors {
  private static final Logger log = LoggerFactory.getLogger(AttemptErrors.class);

  /** A single error may be temporary, for example if another sweep's tick used the memory. */
  private static final int ERRORS_TO_FAIL = 2;

  private final Map<AttemptId, Integer> errors = new HashMap<>();

  /** The attempt's failure, once an error has repeated. */
  Optional<Diagnosis> failure(AttemptId attempt, Throwable error) {
    int count = errors.merge(attempt, 1, Integer::sum);
    if (count == 1) {
      log.error("an error of the daemon while it read what attempt {} left", attempt, error);
    }
    return count < ERRORS_TO_FAIL
        ? Optional.empty()
        : Optional.of(
            new Diagnosis(
                KnownClasses.UNCLASSIFIED,
                0,
                List.of(),
                Statement.phrase("own-error", error),
                List.of()));
  }

  void forget(AttemptId attempt) {
    errors.remove(attempt);
  }
}
