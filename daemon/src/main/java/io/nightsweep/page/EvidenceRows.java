package io.nightsweep.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import java.util.Locale;

/** What the evidence says: findings with their figures and sources, and memory by profile. */
final class EvidenceRows {
  /** Figures of a measurement that are sizes of memory. */
  private static final String MEMORY = "(?i).*(mem|temp|argument|output).*bytes";

  private static final double GIB = 1L << 30;

  private final Phrases t;

  EvidenceRows(Phrases t) {
    this.t = t;
  }

  void finding(ObjectNode row, SweepState s, int index) {
    Finding finding = s.findings().get(index);
    row.put("kind", finding.kind())
        .put("kindText", t.textOr("finding." + finding.kind(), finding.kind()))
        .put("statement", t.said(finding.statement()))
        .put("attempt", finding.attempt().toString());
    ObjectNode figures = row.putObject("figures");
    finding.figures().forEach((name, value) -> Numbers.put(figures, name, value));
    ArrayNode sources = row.putArray("sources");
    finding.sources().forEach(sources::add);
  }

  /** GiB of each kind that the run tells; the last run of a profile stands. */
  void memory(Frame.Builder frame, String profile, Measurement m) {
    if (m.extras().keySet().stream().noneMatch(name -> name.matches(MEMORY))) {
      return;
    }
    ObjectNode row = frame.row("memory", profile);
    m.extras()
        .forEach(
            (name, bytes) -> {
              if (name.matches(MEMORY)) {
                Numbers.put(row, words(name), bytes / GIB);
              }
            });
  }

  /** {@code totalMemoryBytes} is "total memory". */
  private static String words(String name) {
    return name.replaceFirst("Bytes$", "")
        .replaceAll("(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT)
        .strip();
  }
}
