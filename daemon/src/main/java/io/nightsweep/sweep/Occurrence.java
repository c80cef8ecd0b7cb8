package io.nightsweep.sweep;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What people are told although the sweep goes on. The sentence is composed when it is read, in the
 * reader's language.
 */
public sealed interface Occurrence {
  /**
   * The cell's noise hides gains of the target's size.
   *
   * @param targetPercent over the baseline
   */
  record TargetTooSmall(double targetPercent, DetectableGain detectable) implements Occurrence {}

  /** The night's last check found nodes on which the next night should not begin. */
  record FaultyNodesAtDawn(List<NodeFault> faults) implements Occurrence {
    public FaultyNodesAtDawn {
      faults = List.copyOf(faults);
    }
  }

  /**
   * Nobody answered in time.
   *
   * @param yes the answer that applies instead
   */
  record NobodyAnswered(QuestionAbout question, boolean yes) implements Occurrence {}

  /** Fetching the source has failed since then, in this many tries. */
  record NoCheckout(Instant since, int tries) implements Occurrence {}

  /**
   * A remedy waits for a node that does not answer.
   *
   * @param detail of the failure, which names the node
   * @param patience how long it waits
   */
  record NodesAwaited(String failureClass, Statement detail, Duration patience)
      implements Occurrence {}

  record ProfileSetAside(String profile, String failureClass, Statement detail)
      implements Occurrence {}

  /**
   * The sources of the jobs have changed since the sweep began.
   *
   * @param statement of the finding that reports it
   */
  record SourceChanged(Statement statement) implements Occurrence {}

  /** A run on real data ended well; {@code loss} is absent if it printed none. */
  record RealDataRan(String profile, Optional<LossCourse> loss) implements Occurrence {}

  /**
   * @param steps that printed a loss
   */
  record LossCourse(double first, double last, int steps) {}

  record RealDataFailed(String profile, String failureClass, Statement detail)
      implements Occurrence {}

  /** The text from a journal that was written before occurrences had types. */
  record Told(String text) implements Occurrence {}
}
