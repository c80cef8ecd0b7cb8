package io.nightsweep.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Converts events of schema 4 to schema 5. In schema 5, a plan contains its waves with another axis
 * as the dominant one ({@code AxisChosen} activates them), and a policy sets how long to wait for
 * people.
 */
final class FromSchema4 {
  /** The fixed waiting time of schema 4. */
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
