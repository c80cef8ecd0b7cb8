package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Turns events of schema 3 into those of schema 4. In schema 3 a playbook had patterns of its own
 * for steps, and knew no errors that a rank survived. Schema 4 also has events of which schema 3
 * has none.
 */
final class FromSchema3 {
  private FromSchema3() {}

  static ObjectNode upgraded(ObjectNode event) {
    if (event.at("/spec/playbook/recognition") instanceof ObjectNode recognition) {
      if (recognition.get("readings") instanceof ObjectNode readings) {
        readings.remove(List.of("step", "stepSeconds"));
      }
      if (recognition.get("errors") instanceof ObjectNode errors) {
        errors.putArray("warnings");
        errors.putArray("ignored");
      }
      for (JsonNode found : recognition.path("classes").findParents("unless")) {
        ((ObjectNode) found).put("diedOf", false);
      }
    }
    return event;
  }
}
