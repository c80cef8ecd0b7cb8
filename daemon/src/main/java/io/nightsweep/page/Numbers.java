package io.nightsweep.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Writes figures as JSON, which has only finite numbers: an unknown figure is left out of an
 * object, and is null in a list.
 */
final class Numbers {
  private Numbers() {}

  static void put(ObjectNode row, String name, double value) {
    if (Double.isFinite(value)) {
      row.put(name, value);
    }
  }

  static void add(ArrayNode list, double value) {
    if (Double.isFinite(value)) {
      list.add(value);
    } else {
      list.addNull();
    }
  }
}
