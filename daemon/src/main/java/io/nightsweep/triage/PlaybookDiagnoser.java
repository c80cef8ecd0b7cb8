package io.nightsweep.triage;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Clue;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.FailureClass;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Recognition;
import io.nightsweep.sweep.Signature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Diagnoses by a playbook's classes. */
public final class PlaybookDiagnoser implements Diagnoser {
  /** What no signature fits. */
  public static final String UNCLASSIFIED = "unclassified";

  private static final String CANCELLED = "cancelled";

  private static final Logger LOG = LoggerFactory.getLogger(PlaybookDiagnoser.class);

  /** Bytes at one look: the rest of a sudden flood waits for the next tick. */
  private static final long MOST_AT_ONCE = 64L << 20;

  /** Bytes of a log that are held at once. */
  private static final int BUFFER = 1 << 20;

  /**
   * An attempt that was never forgotten makes place for a newer one, and is read anew if need be.
   */
  private static final int MOST_ATTEMPTS = 256;

  private final Rules rules;
  private final Map<AttemptId, AttemptLog> followed = new LinkedHashMap<>();
  private @Nullable PatternSet patterns;
  private @Nullable BlockBuffer buffer;

  public PlaybookDiagnoser(Recognition recognition) {
    this.rules = new Rules(recognition);
  }

  @Override
  public Optional<Diagnosis> look(AttemptId attempt, Path log, Watch watch) {
    AttemptLog of = log(attempt, log);
    boolean isAllRead = read(of, MOST_AT_ONCE, false);
    keep(attempt, of);
    Judge judge = new Judge(of, new Situation.Running(watch));
    Predicate<Signature> ofARunningJob = s -> isOfARunningJob(s) && (isAllRead || !isOfSilence(s));
    Optional<Diagnosis> hopeless = judge.judge(ofARunningJob);
    // A failure that the log names may be survived: it counts once nothing comes of the job.
    return hopeless.isEmpty()
        ? hopeless
        : judge.judge(s -> isOfALine(s) && !isOfSilence(s)).or(() -> hopeless);
  }

  @Override
  public Diagnosis diagnose(
      AttemptId attempt,
      JobEnd end,
      Path log,
      int step,
      int stepsTotal,
      Optional<Diagnosis> givenUp) {
    AttemptLog of = log(attempt, log);
    read(of, Long.MAX_VALUE, true);
    followed.remove(attempt);
    Judge judge = new Judge(of, new Situation.Over(end, step, stepsTotal));
    if (givenUp.isPresent()) {
      return judge
          .cause(PlaybookDiagnoser::isOfALine, c -> isBeyondCauses(c, givenUp.get()))
          .orElse(givenUp.get());
    }
    return judge.judge(s -> !isOfSilence(s)).orElseGet(() -> judge.unclassified(end));
  }

  /**
   * Behind the class that the job was given up for, and behind a cancellation, stands what the
   * cancelled ranks say of each other.
   */
  private static boolean isBeyondCauses(FailureClass c, Diagnosis givenUp) {
    return c.id().equals(CANCELLED)
        || (c.id().equals(givenUp.failureClass())
            && c.signatures().stream().anyMatch(PlaybookDiagnoser::isOfARunningJob));
  }

  @Override
  public void forget(AttemptId attempt) {
    followed.remove(attempt);
  }

  List<String> expressions() {
    return rules.told();
  }

  /** A log read to its end. */
  AttemptLog readAll(Path log) throws IOException {
    AttemptLog of = new AttemptLog(log, rules, patterns());
    of.read(buffer(), Long.MAX_VALUE, true);
    return of;
  }

  static boolean isOfARunningJob(Signature signature) {
    return isOfSilence(signature)
        || signature.clues().stream().anyMatch(Clue.Grown.class::isInstance);
  }

  private static boolean isOfSilence(Signature signature) {
    return signature.clues().stream().anyMatch(Clue.Silence.class::isInstance);
  }

  private static boolean isOfALine(Signature signature) {
    return signature.clues().stream().anyMatch(Clue.Line.class::isInstance);
  }

  private AttemptLog log(AttemptId attempt, Path log) {
    AttemptLog known = followed.get(attempt);
    return known != null ? known : new AttemptLog(log, rules, patterns());
  }

  private void keep(AttemptId attempt, AttemptLog state) {
    followed.remove(attempt);
    followed.put(attempt, state);
    if (followed.size() > MOST_ATTEMPTS) {
      followed.remove(followed.keySet().iterator().next());
    }
  }

  /** A log that cannot be read tells nothing; the next look may find it well. */
  private boolean read(AttemptLog log, long most, boolean isOver) {
    try {
      return log.read(buffer(), most, isOver);
    } catch (IOException e) {
      LOG.warn("a job's log cannot be read: {}", e.toString());
      return false;
    }
  }

  private BlockBuffer buffer() {
    if (buffer == null) {
      buffer = new BlockBuffer(BUFFER);
    }
    return buffer;
  }

  /** Made when first needed: a command that folds journals alone never loads the native library. */
  private PatternSet patterns() {
    if (patterns == null) {
      patterns = PatternSets.of(rules.expressions());
    }
    return patterns;
  }
}
