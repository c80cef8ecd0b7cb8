package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.nightsweep.engine.FileDecisionLog;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.Json;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands against journals of simulated nights, without a daemon. */
@Tag("slow")
class CommandsTest {
  private static final List<Entry> NIGHT = PastNights.of(12, 0.08, 7);

  @TempDir Path dir;

  private StateDirectory state;

  @BeforeEach
  void stateDirectory() throws IOException {
    state = new StateDirectory(dir.resolve("state"));
    state.create();
  }

  @Test
  void withoutASweepEachCommandSaysHowToStartOne() {
    for (String command : List.of("status", "watch", "report", "explain", "pause", "stop")) {
      Typed said = say(command);
      assertThat(said.code()).as(command).isEqualTo(ExitCode.NOT_FOUND);
      assertThat(said.err()).contains("no sweep in").contains("nightsweep start sweep.yaml");
    }
  }

  /** The JSON that a program reads must fit the published schema and the next call. */
  @Test
  @Tag("agent")
  void programsReadTheSameThatPeopleDo() throws IOException {
    sweep("night", NIGHT.size());
    JsonNode listed = Json.mapper().readTree(say("sweeps", "--json").out());
    assertThat(listed.path("sweep").asText()).isEqualTo("night");
    assertThat(listed.path("phase").asText()).isEqualTo("finished");
    assertThat(say("sweeps").out()).contains("night", "winner", "p3 +8.3 %");

    List<JsonNode> first = lines(say("watch", "--json", "--sweep", "night").out());
    assertThat(first).hasSize(Math.min(200, NIGHT.size()));
    assertThat(first.getFirst().path("type").asText()).isEqualTo("SweepStarted");
    List<JsonNode> next = lines(say("watch", "--json", "--sweep", "night", "--since", "100").out());
    assertThat(next.getFirst().path("seq").asLong()).isEqualTo(101);
    assertThat(say("watch", "--json", "--wait", "31").code()).isEqualTo(ExitCode.USAGE);

    JsonNode board = Json.mapper().readTree(say("report", "--json").out());
    assertThat(board.path("winner").asText()).isEqualTo("p3");
    JsonNode file =
        Json.mapper()
            .createObjectNode()
            .put("schema", 2)
            .put("model", "m")
            .set("cells", Json.mapper().createArrayNode().add(board));
    assertThat(
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(SchemaLocation.of("classpath:templates/report/tuning.schema.json"))
                .validate(file))
        .isEmpty();
  }

  private static List<JsonNode> lines(String out) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : out.lines().toList()) {
      lines.add(Json.mapper().readTree(line));
    }
    return lines;
  }

  @Test
  void statusTellsOfEachUnfinishedSweepOrElseOfTheLatest() throws IOException {
    sweep("done", NIGHT.size());
    assertThat(say("status").out()).contains("finished  jobs").contains("winner p3");
    sweep("half", NIGHT.size() / 2);
    sweep("early", 12);
    Typed said = say("status");
    assertThat(said.code()).isZero();
    assertThat(said.out()).contains("half  allreduce").contains("early  allreduce");
    assertThat(said.out()).doesNotContain("finished  jobs");
    // The last entry of the journal still says so, since a killed daemon wrote no other.
    assertThat(said.out())
        .doesNotContain("running", "about done at")
        .containsPattern(
            "] NO DAEMON  jobs .*, ran for .*\\n"
                + "  no daemon drives it; to go on: nightsweep start; its journal was last written"
                + " \\d+ s");
    assertThat(say("status", "--sweep", "done").out()).contains("finished  jobs");
    Typed wrong = say("status", "--sweep", "nosuch");
    assertThat(wrong.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(wrong.err()).contains("no sweep 'nosuch'").contains("done, early, half");
  }

  @Test
  void statusAsJsonIsOneObjectOnALineForEachSweep() throws IOException {
    sweep("a", 30);
    sweep("b", NIGHT.size() / 2);
    List<String> lines = say("status", "--json").out().lines().toList();
    assertThat(lines).hasSize(2);
    JsonNode b = Json.mapper().readTree(lines.get(1));
    assertThat(b.at("/sweep").asText()).isEqualTo("b");
    assertThat(b.at("/phase/type").asText()).isEqualTo("Running");
    assertThat(b.at("/cell/nodes/0").asText()).isEqualTo("n1");
    assertThat(b.at("/trials/planned").asInt()).isPositive();
  }

  @Test
  @Tag("guard")
  void nobodyIsToldToRemoveAJournalOfWhichNothingCanBeRead() throws IOException {
    sweep("garbled", 1);
    Files.writeString(state.sweep("garbled").journal(), "half a line");
    Typed said = say("status");
    assertThat(said.code()).isEqualTo(ExitCode.FAILED);
    assertThat(said.out())
        .contains("garbled: no event can be read in " + state.sweep("garbled").journal())
        .doesNotContain("remove");
  }

  @Test
  void aDamagedJournalIsNamedAndHidesNoOtherSweep() throws IOException {
    sweep("bad", 30);
    sweep("good", 40);
    Path journal = state.sweep("bad").journal();
    byte[] bytes = Files.readAllBytes(journal);
    bytes[30] ^= 4;
    Files.write(journal, bytes);
    Typed said = say("status");
    assertThat(said.code()).isEqualTo(ExitCode.FAILED);
    assertThat(said.out()).contains("good  allreduce");
    assertThat(said.err()).contains("bad: ").contains("journal.jsonl:1 ");
  }

  @Test
  void aCommandIsNeverGivenToASweepThatMayNotBeMeant() throws IOException {
    sweep("one", 30);
    sweep("two", 30);
    Typed said = say("stop", "--cancel");
    assertThat(said.code()).isEqualTo(ExitCode.USAGE);
    assertThat(said.err()).contains("--sweep one").contains("--sweep two");
    Typed noDaemon = say("stop", "--sweep", "one");
    assertThat(noDaemon.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(noDaemon.err()).contains("no answer from a daemon").contains("nightsweep start");
    assertThat(say("stop", "--sweep", "one", "--drain", "--cancel").code())
        .isEqualTo(ExitCode.USAGE);
    assertThat(say("resume", "--sweep", "one", "--nodelist", "n[1").err()).contains("n[1");
  }

  @Test
  void watchWithoutATerminalIsALinePerEventAndItsExitStatusTells() throws IOException {
    sweep("done", NIGHT.size());
    Typed said = say("watch", "--exit-status");
    assertThat(said.code()).isZero();
    assertThat(said.out()).contains("wave screen-1 opened").contains("the sweep finished (winner)");
    assertThat(said.out()).doesNotContain("\033");
  }

  /** Otherwise it waits silently for something that never happens. */
  @Test
  @Tag("people")
  void watchWithoutATerminalSaysThatNoDaemonDrivesWhatItWaitsFor() throws Exception {
    SweepDirectory half = sweep("half", NIGHT.size() / 2);
    StringWriter out = new StringWriter();
    AtomicInteger looks = new AtomicInteger();
    SweepState unused =
        new Watcher(new PrintWriter(out), new DaemonWord(state))
            .follow(half, s -> looks.incrementAndGet() > 2);
    assertThat(out.toString())
        .containsOnlyOnce("no daemon drives it; to go on: nightsweep start; its journal was last")
        .doesNotContain("about done at");
  }

  @Test
  void reportPrintsWhereItLiesOrWhatItSays() throws IOException {
    SweepDirectory done = sweep("done", NIGHT.size());
    String path = say("report", "--path").out().strip();
    assertThat(Path.of(path)).exists().startsWith(done.root());
    assertThat(say("report").out()).isEqualTo(Files.readString(Path.of(path)));
  }

  @Test
  void explainShowsTheEventsThatLedToWhatWasDecidedOfItsSubjectAlone() throws IOException {
    SweepDirectory done = sweep("done", NIGHT.size());
    FileDecisionLog log = new FileDecisionLog(done.decisions());
    for (Entry e : NIGHT) {
      switch (e.event()) {
        case Event.SubmissionIntended s ->
            log.add(
                e.seq() - 1, e.at(), new Decision.Submit(s.attempt(), Statement.words("its turn")));
        case Event.TrialClosed c ->
            log.add(
                e.seq() - 1,
                e.at(),
                new Decision.Append(c, Statement.words("its attempt measured")));
        default -> {}
      }
    }
    String all = say("explain", "--last", "0", "--events").out();
    String p1 = say("explain", "p1", "--last", "0", "--events").out();
    assertThat(p1).contains("=> submit t").contains("because its turn").contains("measured ");
    assertThat(p1.lines().count()).isLessThan(all.lines().count() / 3);
    assertThat(p1)
        .contains("runs of p1, each against the baseline of its own time, a fresh one")
        .containsPattern("% against its block's controls, [+-]\\d+\\.\\d\\d % for drift");
    String trial = p1.substring(p1.indexOf("submit ") + 7).substring(0, 5);
    assertThat(say("explain", trial, "--events").out())
        .contains("submit " + trial + "a1")
        .contains("#");
    assertThat(say("explain", "last").out().lines().filter(l -> l.contains("=>"))).hasSize(1);
    assertThat(say("explain", "t9999").err()).contains("has no profile, wave, trial");
  }

  /** As the times of all other commands. */
  @Test
  void explainsTimesAreThoseOfThePersonsZone() throws Exception {
    sweep("done", NIGHT.size());
    assertThat(Duration.between(firstRun("UTC"), firstRun("Asia/Kathmandu")))
        .isEqualTo(Duration.ofMinutes(5 * 60 + 45));
  }

  private LocalDateTime firstRun(String zone) throws Exception {
    Path said = dir.resolve("said");
    ProcessBuilder explain =
        new ProcessBuilder(
                MainProcess.command(
                    List.of("explain", "p1", "--state", dir.resolve("state").toString())))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    explain.environment().put("TZ", zone);
    assertThat(explain.start().waitFor()).isZero();
    return Files.readAllLines(said).stream()
        .filter(line -> line.matches("\\d{4}-\\d\\d-\\d\\d .*"))
        .map(line -> LocalDateTime.parse(line.substring(0, 19).replace(' ', 'T')))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void completionIsAScriptThatBashTakes() throws Exception {
    Path script = dir.resolve("completion");
    Files.writeString(script, say("completion").out());
    Process bash =
        new ProcessBuilder("bash", "-c", "source " + script + " && complete -p nightsweep")
            .redirectErrorStream(true)
            .start();
    assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("nightsweep");
    assertThat(bash.exitValue()).isZero();
    assertThat(script).content().contains("--exit-status").doesNotContain("train");
  }

  @Test
  void everyCommandHasAManualPageThatNamesEachOfItsOptions() throws IOException {
    Path pages = dir.resolve("man1");
    assertThat(say("man", "--dir", pages.toString()).code()).isZero();
    List<String> names = new ArrayList<>();
    for (CommandLine sub : ManCommand.visible(Main.commandLine())) {
      names.add(sub.getCommandName());
      String page = Files.readString(pages.resolve("nightsweep-" + sub.getCommandName() + ".1"));
      assertThat(page).startsWith(".TH \"NIGHTSWEEP\\-").contains(".SH SYNOPSIS");
      assertThat(page).doesNotContain("${");
      sub.getCommandSpec().options().stream()
          .filter(o -> !o.hidden())
          .forEach(o -> assertThat(page).contains(o.longestName().replace("-", "\\-")));
    }
    assertThat(names)
        .contains(
            "demo",
            "init",
            "doctor",
            "start",
            "serve",
            "status",
            "watch",
            "pause",
            "resume",
            "stop",
            "report",
            "explain",
            "completion");
    assertThat(Files.readString(pages.resolve("nightsweep.1"))).contains(".BR nightsweep\\-start");
    assertThat(say("man", "nosuch").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void anUnknownCommandNamesTheNearestAndPrintsNoStackTrace() {
    Typed said = say("staus");
    assertThat(said.code()).isEqualTo(ExitCode.USAGE);
    assertThat(said.err()).contains("status").doesNotContain("\tat ");
  }

  private Typed say(String... words) {
    boolean isStateless = List.of("completion", "man", "staus").contains(words[0]);
    return isStateless ? Typed.line(words) : Typed.in(state.root(), words);
  }

  /** A sweep with the first events of the night in its journal. */
  private SweepDirectory sweep(String id, int events) throws IOException {
    return PastNights.leave(state.root(), id, NIGHT.subList(0, events));
  }
}
