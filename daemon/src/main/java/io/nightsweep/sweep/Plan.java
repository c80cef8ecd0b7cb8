package io.nightsweep.sweep;

import java.util.List;

/**
 * The ordered waves, expanded: conditions on the cell are already decided.
 *
 * @param template the name of the template it came from, or {@code sweep.yaml}
 * @param notApplicable waves of the template that do not apply to this cell, each with its reason
 */
public record Plan(String template, List<Wave> waves, List<NotApplicable> notApplicable) {

  public record NotApplicable(String wave, String reason) {}

  public Plan {
    waves = List.copyOf(waves);
    notApplicable = List.copyOf(notApplicable);
  }
}
