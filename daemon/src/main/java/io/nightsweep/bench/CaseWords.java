package io.nightsweep.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.report.Quantity;
import io.nightsweep.workload.kernels.KernelResult.Component;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Describes a case briefly, for tables and terminals. */
final class CaseWords {
  /**
   * Fields left out: the shard already shows them, or they are the same in all cases of a program.
   */
  private static final Set<String> LEFT_OUT =
      Set.of("kernel", "backend", "ranks", "metricContract", "contractVersion");

  private static final List<String> USUAL =
      List.of("false", "0", "none", "heap", "1", "even", "normal");

  private CaseWords() {}

  static String of(CaseRow row) {
    return of(row.identity())
        + (row.side().equals(CaseRow.ONE_SIDE) ? "" : " (" + row.side() + " " + row.round() + ")");
  }

  /** With its main result: the slowest rank's median time, and the rate computed from it. */
  static String withFigures(CaseRow row) {
    String told =
        row.isMeasured()
            ? row.record().map(r -> figures(r.components().getFirst())).orElse("")
            : row.disposition().word() + row.reason().map(r -> ": " + r).orElse("");
    return of(row) + "  " + told;
  }

  private static String figures(Component headline) {
    String time = Quantity.of(headline.p50Seconds(), "s");
    if (headline.busbwBytesPerSecond() != null) {
      return time + ", busbw " + Quantity.of(headline.busbwBytesPerSecond(), "B/s");
    }
    if (headline.flopsPerSecond() != null) {
      return time + ", " + Quantity.of(headline.flopsPerSecond(), "FLOP/s");
    }
    if (headline.algbwBytesPerSecond() != null) {
      return time + ", algbw " + Quantity.of(headline.algbwBytesPerSecond(), "B/s");
    }
    return time;
  }

  static String of(ObjectNode identity) {
    return identity.path("kernel").asText()
        + " "
        + identity.properties().stream()
            .filter(p -> !LEFT_OUT.contains(p.getKey()))
            .filter(p -> !USUAL.contains(p.getValue().asText()) || p.getKey().equals("tokens"))
            .map(p -> p.getKey() + "=" + p.getValue().asText())
            .collect(Collectors.joining(" "));
  }
}
