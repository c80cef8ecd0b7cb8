package io.nightsweep.sweep;

import java.time.Duration;
import java.util.List;

/**
 * Why a sweep is halted, with what was tried before. The sentence is composed when it is read, in
 * the reader's language.
 */
public sealed interface HaltCause {
  /**
   * A failure with a remedy that halts the sweep.
   *
   * @param steps of the remedy that were carried out, in order
   */
  record Incurable(String failureClass, Statement detail, List<StepTried> steps)
      implements HaltCause {
    public Incurable {
      steps = List.copyOf(steps);
    }
  }

  /**
   * @param action as the playbook names it
   * @param end without text if the step succeeded; shortened if it failed
   */
  record StepTried(String action, StepEnd end) {}

  /**
   * One failure class ended the last jobs of several profiles.
   *
   * @param detail of the latest of these failures
   */
  record EveryProfileFails(String failureClass, List<String> profiles, Statement detail)
      implements HaltCause {
    public EveryProfileFails {
      profiles = List.copyOf(profiles);
    }
  }

  /**
   * Jobs end well without running what they should.
   *
   * @param found what the latest of these jobs ran instead
   */
  record NothingAsMeant(List<String> profiles, Statement found) implements HaltCause {
    public NothingAsMeant {
      profiles = List.copyOf(profiles);
    }
  }

  record NodesFailed(int nodes, String wave) implements HaltCause {}

  /**
   * The cluster did not answer for longer than the limit.
   *
   * @param error of the last query
   */
  record ControllerDown(Duration limit, String error) implements HaltCause {}

  /**
   * The policy halts a sweep if its noise hides gains of the target's size.
   *
   * @param targetPercent over the baseline
   */
  record TargetTooSmall(double targetPercent, DetectableGain detectable) implements HaltCause {}

  /** A person does not want the sweep to go on with these nodes. */
  record NodesRefused(List<NodeFault> faults) implements HaltCause {
    public NodesRefused {
      faults = List.copyOf(faults);
    }
  }

  /**
   * Errors of the daemon ended several ticks of the sweep in a row.
   *
   * @param looks number of these ticks
   */
  record DaemonError(int looks, String error) implements HaltCause {}

  /** The sentences from a journal that was written before these causes had types. */
  record Told(String sentence, String tried) implements HaltCause {}
}
