package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.Commands;
import io.nightsweep.asked.Confirming;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.FileDecisionLog;
import io.nightsweep.engine.ScheduledStart;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.Json;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.LostNode;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Hypothesis;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.LlmOccasion;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.ReadAnswers;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each command's JSON fits its published schema in {@code templates/json/}. */
@Tag("agent")
class PublishedSchemasTest {
  private static List<Entry> night = List.of();

  @TempDir private Path folder;

  private StateDirectory state = new StateDirectory(Path.of(""));

  @BeforeAll
  static void simulate() {
    night =
        new Night(
                Specs.kernels(6, 40),
                Specs.surface(0.08, 0.002),
                Faults.none().with(Faults.Kind.JOB_FAILS, 0.1),
                Duration.ofMinutes(2),
                7)
            .run()
            .entries();
  }

  @BeforeEach
  void stateDirectory() throws IOException {
    state = new StateDirectory(folder.resolve("state"));
    state.create();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sweeps", "status", "watch", "explain"})
  void ofASweepAtEachStageOfItsNight(String command) throws Exception {
    for (int events = 1; events <= night.size(); events += 1 + night.size() / 7) {
      sweep("s" + events, night.subList(0, events));
    }
    sweep("whole", night);
    List<Entry> halted = new ArrayList<>(night.subList(0, night.size() / 2));
    halted.add(
        new Entry(
            halted.getLast().seq() + 1,
            halted.getLast().at(),
            new Event.SweepHalted(new HaltCause.NodesFailed(2, "screen-1"), List.of("n1", "n2"))));
    sweep("halted", halted);
    sweep("awaiting", awaitingANode());
    if (command.equals("sweeps")) {
      assertFits(command, say(command, "--json"));
      return;
    }
    for (SweepDirectory each : state.all()) {
      assertFits(command, say(command, "--json", "--sweep", each.id()));
    }
  }

  private static List<Entry> awaitingANode() throws InvalidInputException {
    List<Entry> entries = new ArrayList<>(night.subList(0, night.size() / 2));
    while (SweepState.fold(entries).inFlight().isEmpty()) {
      entries.add(night.get(entries.size()));
    }
    entries.addAll(LostNode.awaitedFrom(SweepState.fold(entries)));
    return entries;
  }

  @Test
  void ofALogThatIsJudged() throws IOException {
    Path log = Files.writeString(folder.resolve("log"), "0: CUDA out of memory\n0: exit 1\n");
    assertFits("triage", Typed.line("triage", "--json", log.toString()).out());
  }

  @Test
  void ofADoctorsFindings() throws IOException {
    Files.writeString(
        state.root().resolve("llm.yaml"), "mode: run\ndialect: openai\nurl: nowhere\n");
    String said = say("doctor", "--json", "--cluster", "local");
    assertFits("doctor", said);
    assertThat(said.lines().filter(l -> l.contains("\"fit\":false")))
        .anyMatch(l -> l.contains("llm.yaml:3:6") && l.contains("'model' is missing"));
  }

  @Test
  void ofALanguageModelsHypotheses() throws IOException {
    Hypothesis h =
        new Hypothesis(
            Profile.of("llm-1-x", Map.of("--xla_gpu_x", "1"), Map.of(), Map.of()),
            "m",
            new Hypothesis.Signal(
                Hypothesis.Signal.SignalSource.HLO,
                "all-gather",
                Hypothesis.Signal.ExpectedChange.GROWS),
            "f",
            0,
            1,
            2);
    LlmAnswer answer =
        ReadAnswers.of(
            List.of(h),
            List.of(new LlmAnswer.Refusal("llm-1-y", Statement.words("no"))),
            List.of(
                new LlmAnswer.Claim(
                    "p9",
                    LlmAnswer.Claim.Relation.RUNS_PER_STEP,
                    1,
                    LlmAnswer.Claim.Truth.UNKNOWN,
                    OptionalDouble.empty())),
            "prose");
    List<Entry> entries = new ArrayList<>(night.subList(0, 1));
    for (Event event :
        List.of(
            new Event.LlmAdmitted(
                new LlmTerms(
                    LlmTerms.Mode.RUN, "m", 0.3, 8, 9_000, 0, List.of(LlmTerms.Topic.values()))),
            new Event.LlmAsked(new LlmOccasion(LlmOccasion.Kind.EVIDENCE, "")),
            new Event.LlmAnswered(1, answer),
            new Event.LlmAsked(new LlmOccasion(LlmOccasion.Kind.BOUNDED, "")))) {
      entries.add(new Entry(entries.size() + 1L, Instant.EPOCH, event));
    }
    sweep("s", entries);
    assertFits("advise", say("advise", "--json"));
    assertThat(say("advise", "--dry-run"))
        .contains("\"additionalProperties\":false", "\"kind\":\"bounded\"")
        .contains("\"settings\":\"--xla_gpu_x=1\"");
  }

  @Test
  void ofWhatAssistantsAskedForInEachOfItsStates() throws Exception {
    AskedFor asked = new AskedFor(state.root());
    Instant now = Instant.now();
    for (int i = 0; i < 3; i++) {
      asked.ask(
          "bob",
          "stop",
          List.of("stop", "--state=/x", "--sweep=s" + i, "--on-behalf-of=bob"),
          List.of(),
          now,
          Instant.MAX);
    }
    asked.ask(
        "amy",
        "start",
        List.of("start", "x.yaml"),
        List.of(),
        now.minusSeconds(7_200),
        Instant.MAX);
    Confirming confirming =
        new Confirming(
            asked,
            words -> new Commands.CommandResult(0, "it stops\n", ""),
            InstantSource.system());
    confirming.confirm("a1", "carol");
    confirming.deny("a2", "carol");
    String said = say("confirm", "--list", "--json");
    assertFits("confirm", said);
    assertThat(said.lines()).hasSize(4);
    assertThat(said)
        .contains(
            "\"stands\":\"done\",", "\"exit\":0,\"says\":[\"it stops\"]", "\"stands\":\"denied\"")
        .contains("\"stands\":\"waits\"", "\"stands\":\"expired\"");
    assertFits("confirm", say("confirm", "--json"));
  }

  @Test
  void ofAProfileItsVerdictStandsFirstAndAnUnknownOneIsRefused() throws IOException {
    sweep("whole", night);
    String said = say("explain", "--json", "p1");
    assertFits("explain", said);
    assertThat(said).startsWith("{\"verdict\":[");
    assertThat(say("explain", "--json", "nonesuch")).isEmpty();
  }

  @Test
  void ofGrants() throws IOException {
    say("grant", "bob", "--scope", "propose", "--for", "1h");
    String said = say("grant", "--json");
    assertFits("grant", said);
    assertThat(said).contains("\"assistant\":\"bob\",\"scope\":\"propose\"", "\"holds\":true");
  }

  @Test
  void ofScheduledStarts() throws IOException {
    ScheduledStart start =
        new ScheduledStart(
            1,
            Path.of("/x/sweep.yaml"),
            ClusterChoice.Kind.LOCAL,
            Instant.EPOCH,
            true,
            ZoneOffset.UTC,
            Optional.of(new ScheduledStart.StartOutcome(Instant.EPOCH, false, "no nodes", true)));
    Path scheduled = Files.createDirectories(state.root().resolve("scheduled"));
    Files.writeString(scheduled.resolve("1.json"), Json.mapper().writeValueAsString(start));
    String said = say("schedule", "--json");
    assertFits("schedule", said);
    assertThat(said).contains("\"said\":\"no nodes\"");
  }

  @Test
  void ofTheEvidence() throws IOException {
    List<Entry> entries = new ArrayList<>(night);
    AttemptId attempt = SweepState.fold(night).attempts().findFirst().orElseThrow().id();
    entries.add(
        new Entry(
            entries.getLast().seq() + 1,
            Instant.EPOCH,
            new Event.FindingMade(
                new Finding(
                    attempt,
                    Finding.MECHANISMS,
                    Statement.words("seen"),
                    List.of("job 7: dump"),
                    new TreeMap<>(Map.of("all-gather", 28.0))))));
    sweep("whole", entries);
    String said = say("report", "--evidence", "--json");
    assertFits("evidence", said);
    assertThat(said).contains("all-gather", "job 7: dump");
  }

  @Test
  void ofAReport() throws IOException {
    sweep("whole", night);
    assertFits("report", say("report", "--json"));
  }

  @Test
  void ofARehearsal() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("sweep.yaml"),
            """
            model: anything
            parallelism: ranks=1
            slot: {nodelist: "n1"}
            workload:
              kind: command
              command: "true"
              launch: once
              pattern: 'step (?<step>\\d+) (?<value>\\d+) tok/s'
              steps: 6
              windowFrom: 2
            metric: {name: tokensPerSecond, unit: tok/s, better: higher}
            profiles: {one: {env: {ONE: 1}}}
            plan: kernels
            budget: {jobs: 30, hours: 4}
            playbook: common
            """);
    String said = say("rehearse", "--json", "--nights", "4", file.toString());
    assertFits("rehearse", said);
    for (String inside : List.of("/pace/0", "/assumptions")) {
      JsonNode line = Json.mapper().readTree(said);
      ((ObjectNode) line.at(inside)).put("somethingElse", 1);
      assertThat(schema("rehearse").validate(line)).as(inside).isNotEmpty();
    }
  }

  /** A schema that accepts anything would be useless. */
  @Test
  void noSchemaTakesAFieldThatItDoesNotName() throws Exception {
    sweep("whole", night);
    new AskedFor(state.root())
        .ask("bob", "stop", List.of("stop"), List.of(), Instant.now(), Instant.MAX);
    for (String command : List.of("sweeps", "status", "watch", "explain", "report", "confirm")) {
      JsonNode line =
          Json.mapper().readTree(say(command, "--json").lines().findFirst().orElseThrow());
      ((ObjectNode) line).put("somethingElse", 1);
      assertThat(schema(command).validate(line)).as(command).isNotEmpty();
    }
  }

  private static void assertFits(String command, String printed) throws IOException {
    List<String> lines = printed.lines().toList();
    assertThat(lines).as(command).isNotEmpty();
    for (String line : lines) {
      assertThat(schema(command).validate(Json.mapper().readTree(line))).as(line).isEmpty();
    }
  }

  static Schema schema(String command) {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(SchemaLocation.of("classpath:templates/json/" + command + ".schema.json"));
  }

  private String say(String... words) {
    return Typed.in(state.root(), words).out();
  }

  private void sweep(String id, List<Entry> entries) throws IOException {
    SweepDirectory directory = PastNights.leave(state.root(), id, entries);
    new FileDecisionLog(directory.decisions())
        .add(
            1,
            Instant.EPOCH,
            new Decision.Append(new Event.WaveClosed("w"), Statement.words("it is over")));
  }
}
