package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.sweep.NoticeState;
import java.util.Set;

/**
 * Converts events of schema 5 to schema 6. In schema 6, a budget may limit node-hours, a catalog
 * marks flags that only passes over the HLO read, each recipient of a notice has a separate
 * delivery, and a policy says whether nodes are checked. Schema 5 sent notices to all recipients
 * one after the other and checked no node.
 */
final class FromSchema5 {
  private static final Set<String> TELLING =
      Set.of("NoticeSending", "NoticeDelivered", "NoticeUnsent", "NoticeSettled");

  /** The limit for such a sweep; its nodes are not checked. */
  private static final double OUTLIER = 0.3;

  private FromSchema5() {}

  static ObjectNode upgraded(ObjectNode event) {
    String type = event.path("type").asText();
    if (TELLING.contains(type)) {
      event.put("to", NoticeState.EVERYBODY);
    }
    if (event.at("/spec/budget") instanceof ObjectNode budget) {
      budget.putNull("nodeHours");
    }
    for (JsonNode entry : event.at("/spec/catalogs").findValues("entries")) {
      entry.forEach(e -> ((ObjectNode) e).put("passesOnly", false));
    }
    if (event.at("/spec/policy") instanceof ObjectNode policy) {
      policy.put("nodeGate", false);
      policy.put("nodeOutlier", OUTLIER);
    }
    if (event.get("command") instanceof ObjectNode command
        && command.path("type").asText().equals("SetBudget")) {
      command.putNull("nodeHours");
    }
    return event;
  }
}
