package io.nightsweep.report;

import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.Json;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a sweep's report, its charts and {@code tuning.json}; each file whole or not at all. */
public final class ReportWriter {
  private static final int SCHEMA = 1;

  private ReportWriter() {}

  public static void write(Path directory, SweepState s) throws IOException {
    List<Charts.Chart> charts = Charts.of(s);
    Files.createDirectories(directory.resolve("charts"));
    for (Charts.Chart chart : charts) {
      replace(directory.resolve(chart.path()), chart.png().array());
    }
    replace(page(directory, s), TuningReport.of(s, charts).getBytes(StandardCharsets.UTF_8));
    replace(
        directory.resolve("tuning.json"),
        Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(figures(s)));
  }

  /** Where the page of a sweep lies. */
  public static Path page(Path directory, SweepState s) {
    return directory.resolve(s.cell().model().replaceAll("[^A-Za-z0-9._-]+", "-") + "-tuning.md");
  }

  /** What a later sweep of another parallelism reads. */
  private static Map<String, Object> figures(SweepState s) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("schema", SCHEMA);
    figures.put("sweep", s.sweep());
    figures.put("model", s.cell().model());
    figures.put("parallelism", s.cell().parallelism());
    figures.put("configTag", s.spec().primaryTag().name());
    figures.put("metric", s.spec().metric());
    figures.put("coverage", Coverage.of(s));
    figures.put("winner", Standings.winner(s).map(Standing::profile).orElse(""));
    figures.put(
        "profiles",
        Standings.board(s).standings().stream()
            .map(
                st -> {
                  Map<String, Object> row = new LinkedHashMap<>();
                  row.put("profile", s.profile(st.profile()));
                  row.put("verdict", Figures.word(st.verdict()));
                  row.put("logGain", Standings.publishedLogGain(st));
                  row.put("low", st.verdict().interval().low());
                  row.put("high", st.verdict().interval().high());
                  row.put("runs", st.estimate().runs());
                  return row;
                })
            .toList());
    return figures;
  }

  private static void replace(Path file, byte[] bytes) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.write(temporary, bytes);
    try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
