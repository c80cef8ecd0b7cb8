package io.nightsweep.llm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.report.Phrases;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.LlmOccasion;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.LlmTerms.Topic;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is sent to the endpoint, and what is not. */
@Tag("agent")
class PromptsTest {
  private static final LlmOccasion EVIDENCE = new LlmOccasion(LlmOccasion.Kind.EVIDENCE, "");

  /** In JSON, a quote and a backslash are escaped. */
  private static final String PASSWORD = "pa\"ss\\word-1234";

  private static final String TOKEN = "tok-0123456789";

  private static final Redaction MASK =
      Redaction.of(Map.of("DB_PASSWORD", PASSWORD, "MODEL_KEY", TOKEN + "\n"));

  private static SweepState told(List<Topic> topics) {
    List<Event> events =
        List.of(
            new Event.SweepStarted("s", 1, Specs.kernels(3, 60)),
            new Event.LlmAdmitted(new LlmTerms(LlmTerms.Mode.RUN, "m", 0.3, 8, 100_000, 0, topics)),
            new Event.InventoryTaken(
                List.of(
                    new Fact("jax", "0.8.2", true),
                    new Fact("quoted", "x " + PASSWORD + " y", true),
                    new Fact("split", "tok-01\u200b23456789", true),
                    new Fact("name " + TOKEN, "v", true),
                    new Fact("WANDB_API_KEY", "whatever", true),
                    new Fact("far", "x".repeat(295) + TOKEN, true))),
            new Event.FindingMade(
                new Finding(
                    AttemptId.parse("t0001a1"),
                    Finding.MECHANISMS,
                    Statement.words("a statement with a name"),
                    List.of("/home/somebody/dump"),
                    new TreeMap<>(Map.of("all-gather", 28.0)))));
    List<Entry> entries = new ArrayList<>();
    events.forEach(e -> entries.add(new Entry(entries.size() + 1L, Instant.EPOCH, e)));
    return SweepState.fold(entries);
  }

  private static JsonNode data(List<Topic> topics) throws Exception {
    SweepState s = told(topics);
    return Json.mapper().readTree(prompt(s).data());
  }

  private static Prompt prompt(SweepState s) {
    return Prompts.of(s, Standings.board(s), EVIDENCE, remembered(), Phrases.EN::text, MASK::of);
  }

  private static List<Remembered> remembered() {
    return List.of(
        new Remembered(
            "allreduce",
            "ranks=2",
            new TreeMap<>(Map.of("jax", "0.8.1")),
            "--xla_x=1",
            "m",
            -1.234));
  }

  @Test
  void withoutTopicsOnlyTheOccasionAndTheCellsShapeAreTold() throws Exception {
    JsonNode data = data(List.of());
    assertThat(data.properties())
        .extracting(Map.Entry::getKey)
        .containsExactly("occasion", "cell", "worthwhilePercent");
    assertThat(data.path("cell").path("nodes").isInt()).isTrue();
  }

  /** Each topic adds only what its name says; no topic discloses nodes, users or paths. */
  @ParameterizedTest
  @EnumSource(Topic.class)
  void aTopicTellsItsOwn(Topic topic) throws Exception {
    String text = data(List.of(topic)).toString();
    assertThat(text).doesNotContain("\"n1\"", "somebody", "/home", "a statement");
    assertThat(text.contains("allreduce")).isEqualTo(topic == Topic.MODEL);
    assertThat(text.contains("0.8.2")).isEqualTo(topic == Topic.VERSIONS);
    assertThat(text.contains("all-gather")).isEqualTo(topic == Topic.FINDINGS);
    assertThat(text.contains("-1.23")).isEqualTo(topic == Topic.REFUTED);
    assertThat(text.contains("quotedLogLines")).isEqualTo(topic == Topic.LOG_LINES);
  }

  @Test
  void whatEarlierNightsRefutedIsToldWithItsVersions() throws Exception {
    JsonNode refuted = data(List.of(Topic.REFUTED, Topic.VERSIONS)).path("refutedInEarlierNights");
    assertThat(refuted.path(0).path("versions").path("jax").asText()).isEqualTo("0.8.1");
    assertThat(refuted.path(0).path("settings").asText()).isEqualTo("--xla_x=1");
  }

  /** Values are masked whole, before they are cut, flattened or written as JSON; names too. */
  @Test
  void noSecretLeavesWhateverItsCharactersAndWhereverItStands() throws Exception {
    JsonNode versions = data(List.of(Topic.VERSIONS)).path("versions");
    assertThat(versions.path("jax").asText()).isEqualTo("0.8.2");
    assertThat(versions.path("quoted").asText()).isEqualTo("x *** y");
    assertThat(versions.path("split").asText()).isEqualTo("***");
    assertThat(versions.path("name ***").asText()).isEqualTo("v");
    assertThat(versions.path("WANDB_API_KEY").asText()).isEqualTo("***");
    assertThat(versions.path("far").asText()).startsWith("xxx").doesNotContain("tok");
  }

  /** The same state gives the same text, so that a hash identifies what was sent. */
  @Test
  void thePromptIsAFunctionOfTheState() {
    SweepState s = told(List.of(Topic.values()));
    assertThat(prompt(s)).isEqualTo(prompt(told(List.of(Topic.values()))));
  }
}
