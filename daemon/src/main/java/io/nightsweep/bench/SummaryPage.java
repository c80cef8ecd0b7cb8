package io.nightsweep.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.bench.figure.Figure;
import io.nightsweep.report.Markdown;
import io.nightsweep.report.Quantity;
import io.nightsweep.workload.kernels.KernelResult;
import io.nightsweep.workload.kernels.KernelResult.Component;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The summary page of a bundle. It never averages over sizes. */
final class SummaryPage {
  private static final int MOST_ROWS = 400;

  private final Manifest manifest;
  private final List<CaseRow> rows;
  private final List<CaseRow> attempts;

  SummaryPage(Manifest manifest, List<CaseRow> rows, List<CaseRow> attempts) {
    this.manifest = manifest;
    this.rows = rows;
    this.attempts = attempts;
  }

  String text(List<Figure> figures) {
    Markdown page = new Markdown();
    page.heading(1, Markdown.escape("Study " + manifest.study()));
    page.paragraph(Markdown.escape(manifest.about()));
    standing(page);
    figures.forEach(f -> page.image(f.title(), f.path()));
    sides(page);
    measured(page);
    published(page);
    others(page);
    failedBefore(page);
    limits(page);
    return page.toString();
  }

  private void standing(Markdown page) {
    List<String> items = new ArrayList<>();
    items.add(
        "Planned: "
            + manifest.planned()
            + " ("
            + manifest.dispositions().entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey().word())
                .collect(Collectors.joining(", "))
            + ")");
    items.add(
        "Run " + Markdown.code(manifest.run()) + " on " + Markdown.escape(manifest.cluster()));
    items.add("Attempts: rule " + Markdown.code(Attempts.RULE));
    manifest.reusedFrom().ifPresent(b -> items.add("Rows reused from " + Markdown.code(b)));
    manifest
        .reference()
        .ifPresent(
            r ->
                items.add(
                    "Reference "
                        + Markdown.code(r.name())
                        + " version "
                        + r.version()
                        + ": "
                        + Markdown.escape(r.source())));
    page.bullets(items);
    if (!manifest.isPublishable()) {
      page.heading(2, "Not published as the latest");
      page.bullets(manifest.obstacles().stream().map(Markdown::escape).toList());
    }
  }

  private void sides(Markdown page) {
    List<SideBySide> pairs = SideBySide.of(rows);
    if (pairs.isEmpty()) {
      return;
    }
    page.heading(2, "Side by side");
    page.paragraph(
        "A ratio compares times and is the median over rounds; its interval lies between two of"
            + " the rounds' ratios, and is given with how often such an interval holds the median.");
    page.table(
        List.of("case", "rounds", "first", "second", "ratio of times"),
        pairs.stream()
            .map(
                p ->
                    List.of(
                        Markdown.code(CaseWords.of(p.row())),
                        Integer.toString(p.rounds()),
                        Markdown.escape(p.first()) + " " + time(p.firstTime().seconds()),
                        Markdown.escape(p.second()) + " " + time(p.secondTime().seconds()),
                        String.format(
                            Locale.ROOT,
                            "%.3f (%.3f to %.3f, %.1f %%)",
                            p.ratio(),
                            p.low(),
                            p.high(),
                            100 * p.coverage())))
            .toList());
  }

  /** Adds the published times of other machines, without ratios to them. */
  private void published(Markdown page) {
    List<List<String>> lines = new ArrayList<>();
    for (CaseRow row : rows.stream().filter(CaseRow::isMeasured).toList()) {
      for (Component c : row.record().orElseThrow().components()) {
        manifest
            .published(row, c.name())
            .ifPresent(
                p ->
                    lines.add(
                        List.of(
                            Markdown.code(CaseWords.of(row)),
                            Markdown.escape(c.name()),
                            time(c.p50Seconds()),
                            time(p.seconds()),
                            Markdown.escape(p.machine()))));
      }
    }
    if (!lines.isEmpty()) {
      page.heading(2, "Beside published times");
      page.table(List.of("case", "part", "measured p50", "published", "on"), lines);
    }
  }

  private void measured(Markdown page) {
    List<CaseRow> measured = rows.stream().filter(CaseRow::isMeasured).toList();
    if (measured.isEmpty()) {
      return;
    }
    page.heading(2, "Measured");
    page.paragraph(
        "Times are of the slowest rank; every sample is in "
            + Markdown.code(Bundle.CASES)
            + ", every figure in "
            + Markdown.code("summary.csv")
            + ". Shares are of the limits that the same run measured. Official rows have 8 x 64"
            + " samples after 32 warm-ups on hosts of their own with CPUs for all ranks, no"
            + " anomaly, and products by the processor's own kernels; comparable ones 64 samples at"
            + " least; the rest is diagnostic.");
    page.table(
        List.of(
            "shard", "case", "tier", "samples", "p50", "p90", "p99", "busbw", "of copy", "of peak"),
        measured.stream().limit(MOST_ROWS).map(this::cells).toList());
    if (measured.size() > MOST_ROWS) {
      page.paragraph("And " + (measured.size() - MOST_ROWS) + " more in the CSV.");
    }
  }

  private List<String> cells(CaseRow row) {
    KernelResult.Case record = row.record().orElseThrow();
    Component c = record.components().getFirst();
    return List.of(
        Markdown.code(row.shard().id()),
        Markdown.code(CaseWords.of(row)),
        Tier.of(row, manifest).map(Tier::word).orElse(""),
        Integer.toString(record.iterations() * record.trials()),
        time(c.p50Seconds()),
        time(c.p90Seconds()),
        time(c.p99Seconds()),
        rate(c.busbwBytesPerSecond(), "B/s"),
        share(c.ofCopyLimit()),
        share(c.ofFlopsLimit()));
  }

  /** Cases without figures, by the reason why they were not measured. */
  private void others(Markdown page) {
    List<CaseRow> others = rows.stream().filter(r -> !r.isMeasured()).toList();
    if (others.isEmpty()) {
      return;
    }
    page.heading(2, "Not measured");
    page.table(
        List.of("disposition", "reason", "cases"),
        others.stream()
            .collect(
                Collectors.groupingBy(
                    r -> List.of(r.disposition().word(), r.reason().orElse("")),
                    LinkedHashMap::new,
                    Collectors.counting()))
            .entrySet()
            .stream()
            .map(
                e ->
                    List.of(
                        e.getKey().getFirst(),
                        Markdown.escape(e.getKey().getLast()),
                        Objects.toString(e.getValue())))
            .toList());
  }

  /** Failed attempts, listed even where a later attempt succeeded. */
  private void failedBefore(Markdown page) {
    List<CaseRow> failed =
        attempts.stream().filter(r -> r.disposition() == CaseDisposition.FAILED).toList();
    if (failed.isEmpty()) {
      return;
    }
    page.heading(2, "Failed attempts");
    page.table(
        List.of("shard", "case", "attempt", "job", "reason"),
        failed.stream()
            .limit(MOST_ROWS)
            .map(
                r ->
                    List.of(
                        Markdown.code(r.shard().id()),
                        Markdown.code(CaseWords.of(r)),
                        Integer.toString(r.attempt()),
                        Markdown.escape(r.job().orElse("")),
                        Markdown.escape(r.reason().orElse(""))))
            .toList());
  }

  private void limits(Markdown page) {
    if (manifest.sources().isEmpty()) {
      return;
    }
    page.heading(2, "What ran, and the machine's own limits");
    page.table(
        List.of("shard", "program", "transport", "latency", "message", "f32", "BLAS kernels"),
        manifest.sources().stream()
            .map(
                s ->
                    List.of(
                        Markdown.code(s.shard()),
                        Markdown.escape(s.probes().path("program").asText()),
                        Markdown.escape(s.probes().path("transport").asText()),
                        limit(s.limits().path("latencySeconds"), "s"),
                        limit(s.limits().path("messageBytesPerSecond"), "B/s"),
                        limit(s.limits().path("fmaFlopsPerSecond").path("f32"), "FLOP/s"),
                        Markdown.escape(s.blasCore().orElse(""))))
            .distinct()
            .toList());
    page.bullets(manifest.sources().stream().flatMap(SummaryPage::warnings).distinct().toList());
  }

  private static Stream<String> warnings(Manifest.JobSource source) {
    return Stream.concat(
        source.blasWarning().stream().map(w -> "Warning: " + Markdown.escape(w)),
        source.sharesCpus()
            ? Stream.of(
                "Warning: the ranks of "
                    + Markdown.code(source.shard())
                    + " needed more CPUs than there were")
            : Stream.empty());
  }

  private static String limit(JsonNode told, String unit) {
    return told.asDouble() > 0 ? Quantity.of(told.asDouble(), unit) : "";
  }

  private static String time(double seconds) {
    return Quantity.of(seconds, "s");
  }

  private static String rate(@Nullable Double value, String unit) {
    return Optional.ofNullable(value).map(v -> Quantity.of(v, unit)).orElse("");
  }

  private static String share(@Nullable Double value) {
    return Optional.ofNullable(value)
        .map(v -> String.format(Locale.ROOT, "%.1f %%", 100 * v))
        .orElse("");
  }
}
