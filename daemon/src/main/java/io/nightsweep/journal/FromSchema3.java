package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Converts events of schema 3 to schema 4. A playbook of schema 3 had its own patterns for steps,
 * and could not mark an error that a rank survived. Schema 4 also has events that schema 3 does not
 * have.
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
