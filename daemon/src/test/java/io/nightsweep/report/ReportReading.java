package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Reads both pages of a finished sweep against its journal: each figure is recomputed from the
 * journal's lines, without the code that wrote the pages.
 */
public final class ReportReading {
  private static final Set<String> COMPARED =
      Set.of("SCREEN", "CONTROL", "CONFIRM", "CONFIRM_CONTROL");

  /** A run without the deployed environment is screened on every tag. */
  private static final Set<String> CHECKED = Set.of("SCREEN", "CROSS_CHECK");

  private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(?:\\.\\d+)?");
  private static final Pattern FIGURE = Pattern.compile("([+-]?[\\d.]+)([kMG]?)");
  private static final Map<String, Double> SCALES = Map.of("", 1.0, "k", 1e3, "M", 1e6, "G", 1e9);

  private final String english;
  private final String chinese;
  private final SweepState end;
  private final List<JsonNode> events = new ArrayList<>();
  private final Map<String, JsonNode> trials = new LinkedHashMap<>();

  /**
   * @param reports the folder of both pages
   */
  public ReportReading(Path reports, Path journal, SweepState end) throws Exception {
    this.end = end;
    Path page = ReportWriter.page(reports, end);
    english = Files.readString(page);
    chinese =
        Files.readString(
            page.resolveSibling(
                page.getFileName().toString().replace("-tuning.md", "-tuning.zh.md")));
    ObjectMapper mapper = new ObjectMapper();
    for (String line : Files.readAllLines(journal)) {
      JsonNode event = mapper.readTree(line).path("event");
      events.add(event);
      event.path("trials").forEach(t -> trials.put(t.path("id").asText(), t));
    }
  }

  public void holds(String primaryTag) {
    assertThat(english).doesNotContain("Preliminary");
    counts();
    attempts();
    leaderboard(primaryTag);
    verdicts();
    crossChecks();
    waves();
    findings();
    ending();
    reason();
    bothAlike();
  }

  /** The journal's events of a type. */
  private Stream<JsonNode> of(String type) {
    return events.stream().filter(e -> e.path("type").asText().equals(type));
  }

  private void counts() {
    Map<String, Long> closed = new TreeMap<>();
    of("TrialClosed")
        .forEach(e -> closed.merge(e.path("disposition").path("type").asText(), 1L, Long::sum));
    assertThat(english)
        .contains(
            "- Coverage: %d planned = %d measured + %d failed + %d dropped + %d unsupported\n"
                .formatted(
                    trials.size(),
                    closed.getOrDefault("Measured", 0L),
                    closed.getOrDefault("Failed", 0L),
                    closed.getOrDefault("Dropped", 0L),
                    closed.getOrDefault("Unsupported", 0L)),
            "- Jobs: %d in ".formatted(of("Submitted").count()));
  }

  /** Checks one row for each job, with its mean over the window that the journal names. */
  private void attempts() {
    List<List<String>> rows = rows(english, "Attempt");
    assertThat(rows).hasSize((int) of("SubmissionIntended").count());
    Map<String, Double> means = means();
    for (JsonNode submitted : (Iterable<JsonNode>) of("Submitted")::iterator) {
      String attempt = submitted.path("attempt").asText();
      List<String> row = only(rows, 1, attempt);
      assertThat(row.getFirst()).isEqualTo(submitted.path("job").asText());
      assertThat(row.get(2)).isEqualTo(profile(attempt));
      if (means.containsKey(attempt)) {
        same("job of " + attempt, row.getLast(), means.get(attempt));
      } else {
        assertThat(row.getLast()).isEqualTo("-");
      }
    }
  }

  private void leaderboard(String primaryTag) {
    Map<String, List<Double>> values = new TreeMap<>();
    means()
        .forEach(
            (attempt, mean) -> {
              JsonNode trial = trialOf(attempt);
              if (COMPARED.contains(trial.path("purpose").asText())
                  && trial.path("configTag").asText().equals(primaryTag)
                  && !isSetAside(attempt)) {
                values.computeIfAbsent(profile(attempt), p -> new ArrayList<>()).add(mean);
              }
            });
    List<List<String>> rows = rows(english, "Verdict", "Flags");
    assertThat(rows).hasSizeGreaterThanOrEqualTo(3);
    for (List<String> row : rows) {
      List<Double> own = values.getOrDefault(row.getFirst(), List.of());
      assertThat(row.get(6)).isEqualTo("" + own.size());
      same("mean of " + row.getFirst(), row.get(2), mean(own));
    }
  }

  /** Checks that a gain lies in its interval, and that the verdict follows from the interval. */
  private void verdicts() {
    for (List<String> row : rows(english, "Verdict", "Flags")) {
      List<String> cells = row.subList(row.size() - 4, row.size());
      List<Double> interval = figures(cells.get(1));
      if (interval.size() == 2) {
        assertThat(figures(cells.getFirst()).getFirst())
            .as(row + "")
            .isBetween(interval.getFirst() - 0.01, interval.getLast() + 0.01);
      }
      if (cells.get(3).startsWith("win")) {
        assertThat(interval.getFirst()).as(row + "").isPositive();
      } else if (cells.get(3).startsWith("loss")) {
        assertThat(interval.getLast()).as(row + "").isNegative();
      }
    }
  }

  /**
   * Checks on each other tag the mean of its own runs, and the word that follows from the interval.
   */
  private void crossChecks() {
    double limit = -100 * end.spec().policy().regressionLimit();
    Map<String, Double> means = means();
    for (List<String> row : rows(english, "Profile", "Recipe")) {
      List<Double> own =
          means.entrySet().stream()
              .filter(e -> profile(e.getKey()).equals(row.getFirst()))
              .filter(e -> trialOf(e.getKey()).path("configTag").asText().equals(row.get(1)))
              .filter(e -> CHECKED.contains(trialOf(e.getKey()).path("purpose").asText()))
              .map(Map.Entry::getValue)
              .toList();
      assertThat(own.size()).as(row + "").isGreaterThanOrEqualTo(Integer.parseInt(row.get(6)));
      if (own.size() == Integer.parseInt(row.get(6)) && !own.isEmpty()) {
        same("mean of " + row.getFirst() + " on " + row.get(1), row.get(3), mean(own));
      }
      List<Double> interval = figures(row.get(5));
      boolean holds = interval.size() == 2 && interval.getFirst() > limit;
      assertThat(row.get(7).equals("holds")).as(row + "").isEqualTo(holds);
      if (row.get(7).equals("regresses")) {
        assertThat(interval.getLast()).as(row + "").isLessThan(limit);
      }
    }
  }

  private static List<Double> figures(String cell) {
    return numbers(cell).stream().map(Double::valueOf).toList();
  }

  private void waves() {
    Map<String, Long> counted = new TreeMap<>();
    of("WaveOpened").forEach(e -> counted.put(e.path("wave").asText(), 0L));
    trials.values().forEach(t -> counted.merge(t.path("wave").asText(), 1L, Long::sum));
    Set<String> skipped = Set.copyOf(of("WaveSkipped").map(e -> e.path("wave").asText()).toList());
    for (List<String> row : rows(english, "Wave")) {
      assertThat(row.get(2)).as(row + "").isEqualTo("" + counted.getOrDefault(row.getFirst(), 0L));
      assertThat(row.get(3).startsWith("skipped")).isEqualTo(skipped.contains(row.getFirst()));
    }
  }

  /** Checks each finding's figures in its own row, the winner's beside the baseline's. */
  private void findings() {
    List<String> lines = english.lines().filter(line -> line.startsWith("| ")).toList();
    for (JsonNode finding :
        (Iterable<JsonNode>) of("FindingMade").map(e -> e.path("finding"))::iterator) {
      List<String> figures = new ArrayList<>();
      finding.path("figures").fieldNames().forEachRemaining(name -> figures.add("`" + name + "`"));
      boolean isShown =
          !finding.path("kind").asText().matches("program|known-settings")
              && profile(finding.path("attempt").asText()).equals("baseline-deployed");
      if (isShown && !figures.isEmpty()) {
        assertThat(lines)
            .as(finding.path("kind").asText())
            .anyMatch(line -> figures.stream().allMatch(line::contains) && agrees(line, finding));
      }
    }
  }

  private static boolean agrees(String line, JsonNode finding) {
    List<String> names = new ArrayList<>();
    finding.path("figures").fieldNames().forEachRemaining(names::add);
    return names.stream()
        .allMatch(
            name -> {
              Matcher m =
                  Pattern.compile(
                          "`" + Pattern.quote(name) + "` ([+-]?[\\d.]+(?:[Ee][+-]?\\d+)?)([kMG]?)")
                      .matcher(line);
              double own = finding.path("figures").path(name).asDouble();
              return m.find()
                  && Math.abs(Double.parseDouble(m.group(1)) * scale(m.group(2)) - own)
                      <= 0.001 * Math.abs(own) + 1e-12;
            });
  }

  /** Checks that the first sentences name what the journal ends with. */
  private void ending() {
    JsonNode finished = of("SweepFinished").reduce((first, second) -> second).orElseThrow();
    JsonNode ending = finished.path("ending");
    for (String page : List.of(english, chinese)) {
      String brief =
          page.substring(page.indexOf("## "), page.indexOf("## ", page.indexOf("## ") + 3));
      if (ending.path("type").asText().equals("Won")) {
        assertThat(brief)
            .contains("`" + ending.path("profile").asText() + "`")
            .contains("%+.2f %%".formatted(ending.path("percent").asDouble()));
        assertThat(numbers(brief)).contains("" + ending.path("runs").asInt());
      }
    }
    if (ending.path("type").asText().equals("Won")) {
      won(ending.path("profile").asText(), ending);
    }
  }

  /** Checks that the winner's row and recipe have the ending's profile, gain and fresh runs. */
  private void won(String profile, JsonNode ending) {
    List<String> row = only(rows(english, "Verdict", "Flags"), 0, profile);
    assertThat(row.getLast()).startsWith("win");
    assertThat(row.get(row.size() - 4))
        .isEqualTo("%+.2f %%".formatted(ending.path("percent").asDouble()));
    assertThat(
            means().keySet().stream()
                .filter(a -> profile(a).equals(profile))
                .filter(a -> trialOf(a).path("purpose").asText().equals("CONFIRM")))
        .hasSizeGreaterThanOrEqualTo(ending.path("runs").asInt());
    int from = english.indexOf("\n## Recommended deployment");
    String deployed = english.substring(from, english.indexOf("\n## ", from + 4));
    if (deployed.contains("```bash")) {
      end.profile(profile)
          .flags()
          .forEach((flag, value) -> assertThat(deployed).contains(flag + "=" + value));
    }
  }

  /** Checks that each share of the profiled window in a sentence belongs to a finding. */
  private void reason() {
    List<Double> shares = new ArrayList<>();
    of("FindingMade")
        .forEach(
            e ->
                e.path("finding")
                    .path("figures")
                    .elements()
                    .forEachRemaining(figure -> shares.add(100 * figure.asDouble())));
    Matcher m = Pattern.compile("([\\d.]+) % of the profiled window").matcher(english);
    while (m.find()) {
      double share = Double.parseDouble(m.group(1));
      assertThat(shares).as(m.group()).anyMatch(own -> Math.abs(own - share) <= 0.051);
    }
  }

  /** Checks for the same numbers in the same rows; sentences may order theirs differently. */
  private void bothAlike() {
    List<String> rows = english.lines().filter(line -> line.startsWith("|")).toList();
    List<String> same = chinese.lines().filter(line -> line.startsWith("|")).toList();
    assertThat(same).hasSameSizeAs(rows);
    for (int i = 0; i < rows.size(); i++) {
      assertThat(numbers(same.get(i)).stream().sorted())
          .as(rows.get(i))
          .containsExactlyElementsOf(numbers(rows.get(i)).stream().sorted().toList());
    }
    assertThat(numbers(chinese).stream().sorted())
        .isEqualTo(numbers(english).stream().sorted().toList());
    String prose = chinese.replaceAll("(?s)```.*?```|`[^`\n]*`|\\([^()\\s]*\\)", "");
    assertThat(prose.lines())
        .noneMatch(line -> line.matches(".*\\b(the|of|is|are|has|with|runs|largest)\\b.*"));
  }

  /** Whether the page's head lists the run as left out of every estimate. */
  private boolean isSetAside(String attempt) {
    return english
        .lines()
        .filter(line -> line.startsWith("- Runs that were far slower or faster"))
        .anyMatch(line -> line.contains(trial(attempt) + " "));
  }

  private Map<String, Double> means() {
    Map<String, Double> means = new LinkedHashMap<>();
    of("AttemptJudged")
        .forEach(
            e -> {
              JsonNode m = e.path("judgement").path("measurement");
              if (m.isObject()) {
                means.put(
                    e.path("attempt").asText(),
                    mean(
                        StreamSupport.stream(m.path("steps").spliterator(), false)
                            .filter(
                                step -> step.path("index").asInt() >= m.path("windowFrom").asInt())
                            .filter(
                                step -> step.path("index").asInt() <= m.path("windowTo").asInt())
                            .map(step -> step.path("value").asDouble())
                            .toList()));
              }
            });
    return means;
  }

  private String profile(String attempt) {
    return trialOf(attempt).path("profile").asText();
  }

  private JsonNode trialOf(String attempt) {
    return Objects.requireNonNull(trials.get(trial(attempt)), attempt);
  }

  private static double scale(String letter) {
    return Objects.requireNonNull(SCALES.get(letter), letter);
  }

  private static String trial(String attempt) {
    return attempt.replaceFirst("a\\d+$", "");
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(v -> v).average().orElseThrow();
  }

  /** The cells, without code marks, of the first table that has all these columns. */
  private static List<List<String>> rows(String page, String... columns) {
    List<List<String>> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : page.lines().toList()) {
      List<String> cells = cells(line);
      if (!inside) {
        inside = cells.containsAll(List.of(columns));
      } else if (cells.isEmpty()) {
        return rows;
      } else if (!cells.stream().allMatch(cell -> cell.matches(":?-{3,}:?"))) {
        rows.add(cells);
      }
    }
    return rows;
  }

  private static List<String> cells(String line) {
    return line.startsWith("|")
        ? Stream.of(line.substring(1).split("(?<!\\\\)\\|"))
            .map(cell -> cell.replaceAll("[`\\\\⭐]", "").strip())
            .toList()
        : List.of();
  }

  private static List<String> only(List<List<String>> rows, int column, String value) {
    Predicate<List<String>> meant = row -> row.get(column).equals(value);
    Optional<List<String>> row = rows.stream().filter(meant).findFirst();
    assertThat(row).as("a row of %s", value).isPresent();
    return row.orElseThrow();
  }

  /** Asserts equality within the last printed digit. */
  private static void same(String what, String shown, double own) {
    Matcher m = FIGURE.matcher(shown);
    assertThat(m.matches()).as("%s: %s", what, shown).isTrue();
    int point = m.group(1).indexOf('.');
    int places = point < 0 ? 0 : m.group(1).length() - point - 1;
    double scale = scale(m.group(2));
    assertThat(Double.parseDouble(m.group(1)) * scale)
        .as(what)
        .isCloseTo(own, offset(0.501 * Math.pow(10, -places) * scale));
  }

  private static List<String> numbers(String text) {
    return NUMBER.matcher(text).results().map(m -> m.group()).toList();
  }
}
