package io.nightsweep.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.report.MemorySizes;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.SweepState;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Evidence: findings with their figures and sources, and memory by profile. */
final class EvidenceRows {
  /** The parts of the profiled window. Communication hidden behind compute counts as compute. */
  private static final List<String> PARTS =
      List.of("compute", "exposed communication", "copies", "idle");

  private static final String WINDOW = "window";

  private final Phrases t;

  EvidenceRows(Phrases t) {
    this.t = t;
  }

  void finding(ObjectNode row, SweepState s, int index) {
    Finding finding = s.findings().get(index);
    row.put("kind", finding.kind())
        .put("kindText", t.textOr("finding." + finding.kind(), finding.kind()))
        .put("statement", t.text(finding.statement()))
        .put("attempt", finding.attempt().toString());
    Optional.ofNullable(s.trials().get(finding.attempt().trial()))
        .ifPresent(trial -> row.put("profile", trial.trial().profile()));
    ArrayNode sources = row.putArray("sources");
    finding.sources().forEach(sources::add);
    if (finding.is(Finding.BREAKDOWN)) {
      breakdown(row.putArray("parts"), finding);
    }
  }

  /** Shares of the profiled window, from 0 to 1. */
  private void breakdown(ArrayNode parts, Finding finding) {
    double window = finding.figures().getOrDefault(WINDOW, Double.NaN);
    for (String part : PARTS) {
      double share = finding.figures().getOrDefault(part, 0.0) / window;
      if (Double.isFinite(share)) {
        parts.addObject().put("name", t.text("part." + slug(part))).put("share", share);
      }
    }
  }

  /** GiB of each kind of memory that the profile's last run reported. */
  void memory(Frame.Builder frame, SweepState s, String profile) {
    ArrayNode sizes = frame.row("memory", profile).putArray("sizes");
    MemorySizes.gibibytes(s)
        .getOrDefault(profile, Collections.emptySortedMap())
        .forEach(
            (kind, gibibytes) -> {
              ObjectNode size =
                  sizes.addObject().put("kind", t.textOr("memory." + slug(kind), kind));
              Numbers.put(size, "gibibytes", gibibytes);
            });
  }

  private static String slug(String words) {
    return words.replace(' ', '-');
  }
}
