package io.nightsweep.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.conductor.RealData.RealDataRun;
import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.Json;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Standing;
import io.nightsweep.plan.WhatIsTrained;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * {@code tuning.json}, which later sweeps of the model read. Its schema is {@code
 * templates/report/tuning.schema.json}. Figures that are not finite are written as words.
 */
final class TuningFile {
  static final int SCHEMA = 2;
  private static final String CONCLUDED = "concluded";

  private TuningFile() {}

  /**
   * The file with this sweep's cell in place of its older figures, and the other cells unchanged.
   *
   * @param known the file so far, or empty
   */
  static byte[] with(SweepState s, String known) throws JsonProcessingException {
    ObjectNode root = Json.mapper().createObjectNode();
    root.put("schema", SCHEMA);
    root.put("model", s.cell().model());
    ArrayNode cells = root.putArray("cells");
    root(known)
        .ifPresent(
            before -> {
              for (JsonNode cell : before.path("cells")) {
                if (!isSame(cell, s)) {
                  cells.add(cell);
                }
              }
            });
    cells.add(cell(s));
    return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(root);
  }

  /** The cells of the file; empty where another program wrote the file. */
  static List<OtherCell> read(String json) {
    List<OtherCell> cells = new ArrayList<>();
    Optional<JsonNode> root = root(json);
    if (root.isPresent()) {
      try {
        for (JsonNode cell : root.get().path("cells")) {
          cells.add(cell(cell));
        }
      } catch (JsonProcessingException | IllegalArgumentException e) {
        return List.of();
      }
    }
    return cells;
  }

  /** Whether the file has the cell from a sweep that began after this one. */
  static boolean isOutdated(SweepState s, String known) {
    long own = s.startedAt().map(Instant::toEpochMilli).orElse(0L);
    return root(known)
        .map(
            root -> {
              for (JsonNode cell : root.path("cells")) {
                if (isSame(cell, s) && cell.path("startedAtMillis").asLong() > own) {
                  return true;
                }
              }
              return false;
            })
        .orElse(false);
  }

  /**
   * Whether to keep the figures, page and patch of an earlier sweep of the cell: its conclusion is
   * in the file, and this sweep has none yet. Files of earlier versions do not say whether there is
   * a conclusion; they are kept too, since a recipe in them may be deployed.
   */
  static boolean keeps(SweepState s, String known) {
    if (isConcluded(s)) {
      return false;
    }
    long own = s.startedAt().map(Instant::toEpochMilli).orElse(0L);
    return root(known)
        .map(
            root -> {
              for (JsonNode cell : root.path("cells")) {
                boolean isOwn =
                    cell.path("startedAtMillis").asLong() == own
                        && cell.path("sweep").asText().equals(s.sweep());
                if (isSame(cell, s) && !isOwn && cell.path(CONCLUDED).asBoolean(true)) {
                  return true;
                }
              }
              return false;
            })
        .orElse(false);
  }

  /** Whether the sweep came to its end, or was stopped with a confirmed winner. */
  private static boolean isConcluded(SweepState s) {
    return s.phase() instanceof Phase.Finished f
        && (f.outcome() != Event.SweepFinished.SweepOutcome.STOPPED
            || Standings.winner(s).isPresent());
  }

  private static boolean isSame(JsonNode cell, SweepState s) {
    return cell.path("parallelism").asText().equals(s.cell().parallelism())
        && cell.path("configTag").asText().equals(s.spec().primaryTag().name());
  }

  /** Whether the file can be rewritten without losing anything. */
  static boolean isOurs(String json) {
    return json.isBlank() || root(json).isPresent();
  }

  private static Optional<JsonNode> root(String json) {
    try {
      JsonNode root = Json.mapper().readTree(json);
      return Optional.ofNullable(root).filter(r -> r.path("schema").asInt() == SCHEMA);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** The facts at the top of the report, such as image, commits and versions. */
  static Map<String, String> provenance(SweepState s) {
    Map<String, String> facts = new LinkedHashMap<>();
    s.inventory().stream().filter(Fact::headline).forEach(f -> facts.put(f.name(), f.value()));
    return facts;
  }

  /** This sweep's cell. */
  static JsonNode cell(SweepState s) {
    return Json.mapper().valueToTree(figures(s));
  }

  private static Map<String, Object> figures(SweepState s) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("sweep", s.sweep());
    figures.put("startedAtMillis", s.startedAt().map(Instant::toEpochMilli).orElse(0L));
    figures.put(CONCLUDED, isConcluded(s));
    figures.put("parallelism", s.cell().parallelism());
    figures.put("configTag", s.spec().primaryTag().name());
    figures.put("metric", s.spec().metric());
    figures.put("coverage", Coverage.of(s));
    figures.put("provenance", provenance(s));
    figures.put("winner", Standings.winner(s).map(Standing::profile).orElse(""));
    figures.put("recipes", CellSummary.of(s));
    figures.put(
        "profiles", Standings.board(s).standings().stream().map(st -> figures(s, st)).toList());
    figures.put("dropped", s.dropped().values().stream().map(d -> dropped(s, d)).toList());
    return figures;
  }

  private static Map<String, Object> dropped(SweepState s, Event.ProfileDropped d) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("profile", d.profile());
    row.put("settings", s.profile(d.profile()).describe());
    row.put("cause", d.cause());
    row.put("why", Causes.english(d.why()));
    return row;
  }

  private static Map<String, Object> figures(SweepState s, Standing st) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("profile", s.profile(st.profile()));
    row.put("verdict", Figures.word(st.verdict()));
    row.put("changesWhatIsTrained", WhatIsTrained.moved(s.profile(st.profile())));
    row.put("logGain", Standings.publishedLogGain(st));
    row.put("low", st.verdict().interval().low());
    row.put("high", st.verdict().interval().high());
    row.put("runs", st.estimate().runs());
    row.put("mean", CountedRuns.on(s, s.spec().primaryTag().name()).mean(st.profile()));
    return row;
  }

  private static OtherCell cell(JsonNode cell) throws JsonProcessingException {
    Map<String, OtherCell.OtherGain> rows = new HashMap<>();
    for (JsonNode row : cell.path("profiles")) {
      Profile profile = Json.mapper().treeToValue(row.path("profile"), Profile.class);
      rows.put(
          profile.hash(),
          new OtherCell.OtherGain(
              number(row.path("logGain")),
              new Interval(number(row.path("low")), number(row.path("high")))));
    }
    List<CellSummary> recipes = new ArrayList<>();
    for (JsonNode recipe : cell.path("recipes")) {
      recipes.add(recipe(recipe));
    }
    return new OtherCell(
        cell.path("parallelism").asText(), cell.path("configTag").asText(), rows, recipes);
  }

  private static CellSummary recipe(JsonNode r) {
    return new CellSummary(
        r.path("parallelism").asText(),
        r.path("configTag").asText(),
        r.path("primary").asBoolean(),
        texts(r.path("axes")),
        texts(r.path("when")),
        r.path("profile").asText(),
        r.path("settings").asText(),
        r.path("deploys").asBoolean(),
        RealDataRun.valueOf(r.path("realData").asText(RealDataRun.NOT_NEEDED.name())),
        texts(r.path("flags")),
        texts(r.path("env")),
        r.path("restoresDefaults").asBoolean(),
        number(r.path("baselineMean")),
        number(r.path("mean")),
        number(r.path("logGain")),
        new Interval(
            number(r.path("interval").path("low")), number(r.path("interval").path("high"))),
        r.path("runs").asInt());
  }

  private static SortedMap<String, String> texts(JsonNode object) {
    TreeMap<String, String> texts = new TreeMap<>();
    object.properties().forEach(e -> texts.put(e.getKey(), e.getValue().asText()));
    return texts;
  }

  /** A number; infinities are written as words. */
  private static double number(JsonNode node) {
    return node.isNumber() ? node.asDouble() : Double.parseDouble(node.asText("NaN"));
  }
}
