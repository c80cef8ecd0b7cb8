package io.nightsweep.sweep;

import java.util.List;

/**
 * The subject of a yes-or-no question to people. The sentence is composed when it is read, in the
 * reader's language.
 */
public sealed interface QuestionAbout {
  /**
   * May this step of a remedy be carried out?
   *
   * @param action as the playbook names it
   */
  record RemedyStep(String action, AttemptId attempt, String failureClass)
      implements QuestionAbout {}

  /** Shall the sweep go on with these nodes? */
  record FaultyNodes(List<NodeFault> faults) implements QuestionAbout {
    public FaultyNodes {
      faults = List.copyOf(faults);
    }
  }

  /**
   * Shall the catalogs' candidates run although none acts on the largest cost?
   *
   * @param cost as the evidence names it
   * @param sharePercent of a step
   * @param known what the catalogs offer against it in other cells, each with its settings
   */
  record UnaddressedCost(String cost, double sharePercent, List<String> known)
      implements QuestionAbout {
    public UnaddressedCost {
      known = List.copyOf(known);
    }
  }

  /**
   * Shall a language model's profile run?
   *
   * @param settings of the profile, on one line
   * @param lowPercent the smallest gain that the model expects
   * @param moving its settings that change what is trained, and so may change the metric
   */
  record Proposal(
      String profile, String settings, double lowPercent, double highPercent, List<String> moving)
      implements QuestionAbout {
    public Proposal {
      moving = List.copyOf(moving);
    }
  }

  /** The text from a journal that was written before questions had types. */
  record Told(String text) implements QuestionAbout {}
}
