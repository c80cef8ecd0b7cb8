package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.journal.RandomEvents;
import io.nightsweep.journal.Redaction;
import io.nightsweep.report.EventLines;
import io.nightsweep.report.Phrases;
import io.nightsweep.sim.DrawnSurface;
import io.nightsweep.sim.LlmNights;
import io.nightsweep.sim.NoiseFamily;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page expresses every possible event of a sweep in words, in both languages. */
@Tag("page")
@Tag("slow")
class SayingsTest {
  private static final Instant AT = Instant.parse("2026-01-02T00:00:00Z");
  private static final int OF_EACH = 100;

  /**
   * A constant's name, or Java's text of a record; one word is the launcher's own and one an
   * example.
   */
  private static final Pattern RAW =
      Pattern.compile(
          "\\b(?!restore_default|xla_flag)[A-Za-z]+_[A-Za-z_]+\\b|\\b(?!NAME\\b)[A-Z]{4,}\\b|\\b[A-Z]\\w+\\[");

  private static final Pattern HAN = Pattern.compile("\\p{IsHan}");

  private static final Pattern SENTENCE =
      Pattern.compile("[A-Za-z][a-z']+(?:[ ,]+[A-Za-z][a-z']*){2,}");

  /** Names, settings, places and people's own words, which are the same in every language. */
  private static final Set<String> AS_THEY_ARE =
      Set.of(
          "id",
          "model",
          "parallelism",
          "unit",
          "settings",
          "sources",
          "quotes",
          "outage",
          "output",
          "prose",
          "complete");

  static Stream<Class<?>> events() {
    return RandomEvents.types().stream();
  }

  /** With every cause, command, disposition, judgement and notice that an event can contain. */
  @ParameterizedTest
  @MethodSource("events")
  void everyEventIsSaidInBothLanguages(Class<?> type) {
    RandomEvents random = new RandomEvents(type.getName().hashCode());
    for (int i = 0; i < OF_EACH; i++) {
      Event event = random.of(type);
      assertThat(plain(EventLines.of(event, Phrases.EN))).isNotBlank().doesNotContainPattern(RAW);
      assertThat(plain(EventLines.of(event, Phrases.ZH)))
          .containsPattern(HAN)
          .doesNotContainPattern(RAW);
    }
  }

  /** Without the Chinese texts of the event itself. */
  private static String plain(String words) {
    return words.replace("夜间", "").replaceAll("\\p{Cntrl}", " ");
  }

  @Test
  void everyKindOfFindingHasItsWords() throws Exception {
    List<String> kinds = new ArrayList<>();
    for (Field field : Finding.class.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
        field.setAccessible(true);
        kinds.add("finding." + field.get(null));
      }
    }
    // The page does not list these.
    kinds.remove("finding." + Finding.PROGRAM);
    kinds.remove("finding.known-settings");
    kinds.remove("finding." + Finding.UNLIKE_LOG);
    assertThat(kinds).hasSizeGreaterThan(10);
    assertThat(Phrases.EN.keys()).containsAll(kinds);
    assertThat(Phrases.ZH.keys()).containsAll(kinds);
  }

  /** A text that a module uses, or a prefix to which it adds a name. */
  private static final Pattern ASKED =
      Pattern.compile("\\b(?:t|fact)\\(((?:[^,()]|\\([^()]*\\))*)");

  /** Names in a list, for each of which the module uses the text. */
  private static final Pattern IN_A_ROW =
      Pattern.compile(
          "\\[((?:\"[\\w.-]+\",?\\s*)+)]\\.map\\(\\s*\\(?key\\) =>[^;]{0,60}?\\bt\\(key\\)");

  private static final Pattern LITERAL = Pattern.compile("\"([a-z][\\w.-]*)\"");

  /** The page's modules, found by their imports, as one text. */
  private static String modules() throws IOException {
    List<String> names = new ArrayList<>(List.of("app.js"));
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      String text = Assets.find(names.get(i)).orElseThrow().text();
      Pattern.compile("from \"\\./((?!uPlot)[\\w.]+)\"")
          .matcher(text)
          .results()
          .map(m -> m.group(1))
          .filter(name -> !names.contains(name))
          .forEach(names::add);
      all.append(text);
    }
    assertThat(names).contains("asked.js", "approvals.js").hasSizeGreaterThan(15);
    return all.toString();
  }

  private static Set<String> literals(String text) {
    return LITERAL.matcher(text).results().map(m -> m.group(1)).collect(Collectors.toSet());
  }

  @Test
  void everyTextThatAModuleAsksForIsThere() throws Exception {
    String modules = modules();
    Set<String> keys = new TreeSet<>();
    for (Pattern pattern : List.of(ASKED, IN_A_ROW)) {
      pattern.matcher(modules).results().forEach(m -> keys.addAll(literals(m.group(1))));
    }
    // For a choice, such as t(weekly ? "start.weekly" : "start.due"), both; prefixes end in a dot.
    assertThat(keys).hasSizeGreaterThan(100).contains("start.weekly", "start.due", "legend.");
    assertThat(keys)
        .allMatch(
            key ->
                key.endsWith(".")
                    ? Phrases.EN.keys().stream().anyMatch(k -> k.startsWith("page." + key))
                    : Phrases.EN.keys().contains("page." + key));
  }

  /** Each of the page's texts in the catalogue is used by a module or a row. */
  @Test
  void everyTextOfThePageIsAskedFor() throws Exception {
    Set<String> names = literals(modules());
    assertThat(Phrases.EN.keys())
        .filteredOn(
            key -> key.startsWith("page.") && !key.matches("page\\.(wave\\..*|halted|ended)"))
        .allMatch(
            key ->
                names.contains(key.substring("page.".length()))
                    || names.contains(key.replaceFirst("page\\.([a-z-]+\\.).*", "$1")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "schema-1/faulty-7",
        "schema-1/evidence-idle",
        "schema-2/rough-40",
        "schema-2/rough-72",
        "schema-3/advised-1",
        "schema-3/packed-fsdp4-tp2"
      })
  void recordedNightsReadChinese(String journal) throws Exception {
    readsChinese(Nights.recorded(journal));
  }

  /** A language model's proposals, the winner's own profile and all waves of the packed plan. */
  @Test
  void aNightOfThePackedPlanWithALanguageModelReadsChinese(@TempDir Path repository)
      throws Exception {
    List<Entry> night =
        new LlmNights(repository).result(LlmNights.Adviser.GOOD, LlmTerms.Mode.RUN, 1).entries();
    JsonNode page = readsChinese(night);
    assertThat(page.at("/put/advice/0000/asked").asText()).contains("语言模型");
    assertThat(page.path("put").path("advice").findValuesAsText("profile"))
        .anyMatch(name -> name.startsWith("llm-"));
    assertThat(page.path("put").path("waves").findValuesAsText("kind"))
        .contains(
            Phrases.ZH.text("kind." + Wave.Kind.WINNER_EVIDENCE.name().toLowerCase(Locale.ROOT)));
    assertThat(page.path("put").path("findings").findValuesAsText("profile"))
        .contains("baseline-deployed", "llm-1-hidden");
  }

  /** The page also says what the report's head says about the runs. */
  @ParameterizedTest
  @CsvSource({"STRAGGLERS, stragglers", "CARRY_OVER_TO_CANDIDATES, carry-over"})
  void whatTheRunsSufferedFromIsSaid(NoiseFamily family, String key) {
    List<Entry> night =
        LongStream.range(0, 20)
            .mapToObj(seed -> rough(family, seed))
            .filter(entries -> remarks(entries, Phrases.EN).anyMatch(isOf(key, Phrases.EN)))
            .findFirst()
            .orElseThrow();
    assertThat(remarks(night, Phrases.ZH)).anyMatch(isOf(key, Phrases.ZH));
    readsChinese(night);
  }

  private static List<Entry> rough(NoiseFamily family, long seed) {
    DrawnSurface surface =
        new DrawnSurface(Map.of(), 1000, NoiseFamily.weather(0.008, List.of(family)), seed);
    List<String> names = IntStream.range(0, 20).mapToObj(i -> "p" + i).toList();
    return Specs.night(
            Specs.screening(names, Optional.of(60), 1), surface, Duration.ofMinutes(10), seed)
        .run()
        .entries();
  }

  private static Stream<String> remarks(List<Entry> night, Phrases t) {
    return new Frames(t, new Boards())
            .whole(SweepState.fold(night), AT)
            .json(Redaction.byForm())
            .path("put")
            .path("remarks")
            .findValuesAsText("text")
            .stream();
  }

  private static Predicate<String> isOf(String key, Phrases t) {
    String begin = t.text(key).replaceFirst("\\{.*", "");
    return text -> text.startsWith(begin);
  }

  private static JsonNode readsChinese(List<Entry> night) {
    SweepState s = SweepState.fold(night);
    JsonNode chinese = new Frames(Phrases.ZH, new Boards()).whole(s, AT).json(Redaction.byForm());
    JsonNode english = new Frames(Phrases.EN, new Boards()).whole(s, AT).json(Redaction.byForm());
    List<String> said = new ArrayList<>();
    texts("", chinese, said);
    assertThat(said)
        .filteredOn(text -> SENTENCE.matcher(text).find())
        // A simulated workload's own words.
        .allMatch(text -> text.equals("not in this build"));
    List<String> saidInEnglish = new ArrayList<>();
    texts("", english, saidInEnglish);
    assertThat(saidInEnglish)
        .hasSameSizeAs(said)
        .filteredOn(text -> HAN.matcher(text).find())
        .isEmpty();
    return chinese;
  }

  private static void texts(String name, JsonNode node, List<String> said) {
    if (AS_THEY_ARE.contains(name)) {
      return;
    }
    if (node.isTextual()) {
      said.add(node.asText());
    }
    node.properties().forEach(field -> texts(field.getKey(), field.getValue(), said));
    if (node.isArray()) {
      node.forEach(each -> texts(name, each, said));
    }
  }
}
