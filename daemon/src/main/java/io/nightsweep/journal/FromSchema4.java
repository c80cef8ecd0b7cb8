package io.nightsweep.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Turns events of schema 4 into those of schema 5, in which a plan knows its waves with another
 * axis as the dominant one ({@code AxisChosen} takes them), and a policy how long people are waited
 * for.
 */
final class FromSchema4 {
  /** What schema 4 waited, whatever the policy. */
  private static final String PATIENCE = "PT15M";

  private FromSchema4() {}

  static ObjectNode upgraded(ObjectNode event) {
    if (event.path("type").asText().equals("SweepStarted")) {
      if (event.at("/spec/plan") instanceof ObjectNode plan && !plan.has("alternatives")) {
        plan.putArray("alternatives");
      }
      if (event.at("/spec/policy") instanceof ObjectNode policy && !policy.has("answerWithin")) {
        policy.put("answerWithin", PATIENCE);
      }
    }
    return event;
  }
}
