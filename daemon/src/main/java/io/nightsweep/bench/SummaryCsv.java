package io.nightsweep.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.workload.kernels.KernelResult.Component;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One line for each component of each case, with one column for each independent variable. A case
 * without figures has one line. Times are seconds, the maximum over ranks.
 */
final class SummaryCsv {
  private static final List<String> HEAD =
      List.of(
          "shard",
          "deviceKind",
          "nodes",
          "side",
          "round",
          "attempt",
          "caseId",
          "groups",
          "required",
          "disposition",
          "reason",
          "wrong",
          "tier",
          "samples",
          "warmup",
          "blasCore",
          "blasWarning");
  private static final List<String> FIGURES =
      List.of(
          "component",
          "p50Seconds",
          "p90Seconds",
          "p95Seconds",
          "p99Seconds",
          "minSeconds",
          "maxSeconds",
          "meanSeconds",
          "stdevSeconds",
          "cv",
          "minOverRanksP50Seconds",
          "spreadP50Seconds",
          "stateBytes",
          "algbwBytesPerSecond",
          "busbwBytesPerSecond",
          "flopsPerSecond",
          "ofCopyLimit",
          "ofFlopsLimit",
          "publishedSeconds");

  private SummaryCsv() {}

  static String of(List<CaseRow> rows, Manifest manifest) {
    TreeSet<String> axes = new TreeSet<>();
    rows.forEach(row -> row.identity().fieldNames().forEachRemaining(axes::add));
    StringBuilder csv = new StringBuilder();
    List<String> header = new ArrayList<>(HEAD);
    header.addAll(axes);
    header.addAll(FIGURES);
    line(csv, header);
    for (CaseRow row : rows) {
      List<String> start = new ArrayList<>(head(row, manifest));
      axes.forEach(axis -> start.add(text(row.identity().path(axis))));
      List<Component> components = row.record().map(r -> r.components()).orElse(List.of());
      if (components.isEmpty() || !row.isMeasured()) {
        List<String> cells = new ArrayList<>(start);
        FIGURES.forEach(name -> cells.add(""));
        line(csv, cells);
        continue;
      }
      for (Component component : components) {
        List<String> cells = new ArrayList<>(start);
        cells.addAll(figures(component));
        cells.add(
            manifest.published(row, component.name()).map(p -> number(p.seconds())).orElse(""));
        line(csv, cells);
      }
    }
    return csv.toString();
  }

  private static List<String> head(CaseRow row, Manifest manifest) {
    Optional<Manifest.JobSource> source = manifest.source(row);
    return List.of(
        row.shard().id(),
        row.shard().deviceKind(),
        Integer.toString(row.shard().nodes()),
        row.side(),
        Integer.toString(row.round()),
        Integer.toString(row.attempt()),
        row.caseId(),
        String.join(" ", row.groups()),
        Boolean.toString(row.required()),
        row.disposition().word(),
        row.reason().orElse(""),
        row.record().flatMap(r -> Optional.ofNullable(r.wrong())).map(Objects::toString).orElse(""),
        Tier.of(row, manifest).map(Tier::word).orElse(""),
        row.record().map(r -> Integer.toString(r.iterations() * r.trials())).orElse(""),
        row.record().map(r -> Integer.toString(r.warmup())).orElse(""),
        source.flatMap(Manifest.JobSource::blasCore).orElse(""),
        source.flatMap(Manifest.JobSource::blasWarning).orElse(""));
  }

  private static List<String> figures(Component c) {
    return List.of(
        c.name(),
        number(c.p50Seconds()),
        number(c.p90Seconds()),
        number(c.p95Seconds()),
        number(c.p99Seconds()),
        number(c.minSeconds()),
        number(c.maxSeconds()),
        number(c.meanSeconds()),
        number(c.stdevSeconds()),
        number(c.cv()),
        number(c.minOverRanksP50Seconds()),
        number(c.spreadP50Seconds()),
        number(c.stateBytes()),
        number(c.algbwBytesPerSecond()),
        number(c.busbwBytesPerSecond()),
        number(c.flopsPerSecond()),
        number(c.ofCopyLimit()),
        number(c.ofFlopsLimit()));
  }

  private static String number(@Nullable Double value) {
    return value == null ? "" : Double.toString(value);
  }

  private static String text(JsonNode value) {
    return value.isMissingNode() ? "" : value.asText();
  }

  private static void line(StringBuilder csv, List<String> cells) {
    csv.append(cells.stream().map(SummaryCsv::quoted).collect(Collectors.joining(",")))
        .append('\n');
  }

  /**
   * Quotes a cell. A spreadsheet would execute a cell that begins like a formula, so such a cell is
   * escaped; negative numbers stay.
   */
  static String quoted(String text) {
    String cell = text.matches("(?s)[=+@\\t\\r].*|-(?![\\d.]).*") ? "'" + text : text;
    return cell.matches("[^,\"\\r\\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }
}
