package io.nightsweep.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * A parallelism's axes in the order written, such as {@code PP=4,FSDP=2}. Their product is the
 * number of ranks. The first axis counts as the dominant one until evidence shows otherwise.
 */
public record Parallelism(SequencedMap<String, Integer> axes) {
  /** The procedure's axes, and {@code ranks} for native kernels. */
  static final List<String> KNOWN = List.of("FSDP", "PP", "TP", "DP", "EP", "CP", "ranks");

  /**
   * @param anyAxis whether axes beyond the known ones are allowed, as for a user's command
   */
  static Parallelism parse(Yaml.Scalar text, boolean anyAxis, Problems problems) {
    LinkedHashMap<String, Integer> axes = new LinkedHashMap<>();
    int at = 0;
    for (String part : text.text().split(",", -1)) {
      Place place = text.at(at);
      at += part.length() + 1;
      String[] sides = part.strip().split("=", -1);
      if (sides.length != 2
          || !sides[0].matches("[A-Za-z]\\w{0,19}")
          || !sides[1].matches("[0-9]{1,6}")
          || Integer.parseInt(sides[1]) < 1) {
        problems.add(
            place,
            "'" + part.strip() + "' is not an axis of a parallelism",
            anyAxis
                ? "expected axes of any name, each with a whole number, such as 'ranks=1' or"
                    + " 'nodes=2,threads=8'"
                : "expected axes such as 'FSDP=8' or 'PP=4,FSDP=2'");
      } else if (!anyAxis && !KNOWN.contains(sides[0])) {
        problems.add(Problem.unknown(place, "axis", sides[0], KNOWN));
      } else if (axes.putIfAbsent(sides[0], Integer.valueOf(sides[1])) != null) {
        problems.add(place, "the axis " + sides[0] + " stands twice", "expected each axis once");
      }
    }
    return new Parallelism(axes);
  }

  /** The same with one of its axes first. */
  Parallelism ledBy(String axis) {
    LinkedHashMap<String, Integer> led = new LinkedHashMap<>();
    led.put(axis, axes.get(axis));
    axes.forEach(led::putIfAbsent);
    return new Parallelism(led);
  }

  boolean has(String axis) {
    return axes.containsKey(axis);
  }

  List<String> names() {
    return new ArrayList<>(axes.keySet());
  }
}
