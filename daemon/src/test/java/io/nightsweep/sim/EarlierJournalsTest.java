package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.engine.Actor;
import io.nightsweep.engine.FileDecisionLog;
import io.nightsweep.engine.Observer;
import io.nightsweep.engine.RemedySteps;
import io.nightsweep.engine.Settings;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.engine.SweepEngine;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.JournalCorruptException;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Replay;
import io.nightsweep.journal.UnsyncedJournal;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.CancelCause;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Journals of earlier schemas are read, folded and resumed. Beside each are the decisions made from
 * it when it was written; a new schema adds a folder and removes none.
 */
@Tag("guard")
@Tag("slow")
class EarlierJournalsTest {
  private static final Path JOURNALS = Path.of("src/test/resources/journals");

  @TempDir private Path directory;

  static Stream<Path> journals() throws IOException {
    try (Stream<Path> files = Files.walk(JOURNALS)) {
      return files.filter(f -> f.toString().endsWith(".jsonl.gz")).sorted().toList().stream();
    }
  }

  /** The first, the middle and the last: a resumed night takes much longer than a folded one. */
  static Stream<Path> someOfEachSchema() throws IOException {
    return journals().collect(Collectors.groupingBy(Path::getParent)).values().stream()
        .flatMap(of -> Stream.of(of.getFirst(), of.get(of.size() / 2), of.getLast()).distinct());
  }

  @ParameterizedTest
  @MethodSource("journals")
  void isReadAndFoldedAsItWasWritten(Path recorded) throws IOException {
    List<Entry> entries = read(unpacked(recorded));
    Path decided =
        recorded.resolveSibling(recorded.getFileName().toString().replace(".jsonl.gz", ".decided"));
    assertThat(Decided.lines(entries)).isEqualTo(Files.readAllLines(decided));
    assertThat(entries).noneMatch(e -> e.event() instanceof Event.WaveSkipped w && isTold(w.why()));
    assertThat(entries)
        .noneMatch(e -> e.event() instanceof Event.ProfileDropped d && isTold(d.why()));
    assertThat(entries)
        .noneMatch(
            e ->
                e.event() instanceof Event.TrialClosed c
                    && c.disposition() instanceof Disposition.Dropped d
                    && isTold(d.why()));
    SweepState s = SweepState.fold(entries);
    assertThat(s.isFinished()).isTrue();
    assertThat(s.trials().values()).noneMatch(TrialState::isOpen);
  }

  /** The lines of a log of decisions contain no schema number. */
  @ParameterizedTest
  @MethodSource("someOfEachSchema")
  @Tag("people")
  void itsDecisionsAreReadForExplanations(Path recorded) throws IOException {
    Path journal = unpacked(recorded);
    List<String> decided = new ArrayList<>();
    for (String line : Files.readAllLines(journal)) {
      decided.add(
          "{\"seq\":1,\"at\":\"2026-01-01T00:00:00Z\",\"decision\":{\"type\":\"Append\",\"event\":"
              + line.substring(line.indexOf("{\"type\":"), line.lastIndexOf(",\"crc\":"))
              + ",\"because\":\"of that\"}}");
    }
    decided.add(
        "{\"seq\":1,\"at\":\"2026-01-01T00:00:00Z\",\"decision\":{\"type\":\"Cancel\",\"attempt\":\"t0001a1\",\"because\":\"the"
            + " sweep was stopped\"}}");
    List<Decision> read =
        FileDecisionLog.read(Files.write(directory.resolve("decisions.jsonl"), decided)).stream()
            .map(FileDecisionLog.LoggedDecision::decision)
            .toList();
    assertThat(read.subList(0, read.size() - 1))
        .isEqualTo(
            read(journal).stream()
                .map(e -> new Decision.Append(e.event(), Statement.words("of that")))
                .toList());
    assertThat(read.getLast())
        .isEqualTo(
            new Decision.Cancel(
                AttemptId.parse("t0001a1"),
                CancelCause.SWEEP_STOPPED,
                Statement.phrase("because-stopped")));
  }

  /** Any build that was ever used may have written a journal of its schema. */
  @Test
  void journalsOfEveryEarlierSchemaAreKept() throws Exception {
    Path file = directory.resolve("journal.jsonl");
    try (FileJournal journal = FileJournal.open(file, e -> {})) {
      journal.append(Instant.EPOCH, List.of(new Event.StorageRecovered()));
    }
    String line = Files.readString(file);
    int schema = Integer.parseInt(line.substring("{\"v\":".length(), line.indexOf(',')));
    assertThat(journals().map(j -> String.valueOf(j.getName(j.getNameCount() - 2))).distinct())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(1, schema).mapToObj(n -> "schema-" + n).toList());
  }

  private static boolean isTold(Cause cause) {
    return cause instanceof Cause.Told;
  }

  /** Its jobs are gone by then: each is looked up, ends as vanished, and the sweep continues. */
  @ParameterizedTest
  @MethodSource("someOfEachSchema")
  void isResumedFromItsMiddle(Path recorded) throws Exception {
    Path file = unpacked(recorded);
    List<String> lines = Files.readAllLines(file);
    Files.write(file, lines.subList(0, lines.size() / 2));
    Replay replay = new Replay();
    try (FileJournal journal = UnsyncedJournal.open(file, replay)) {
      SweepEngine engine = walk(replay.state(), journal);
      assertThat(engine.state().isFinished()).isTrue();
      assertThat(engine.state().trials().values()).noneMatch(TrialState::isOpen);
      assertThat(JournalReader.fold(file)).isEqualTo(engine.state());
    }
    assertThat(Files.readAllLines(file).getFirst())
        .startsWith(
            "{\"v\":"
                + Objects.requireNonNull(recorded.getParent()).toString().replaceAll(".*-", "")
                + ",");
    assertThat(Files.readAllLines(file).getLast()).startsWith("{\"v\":14,");
  }

  @ParameterizedTest
  @MethodSource("journals")
  @Tag("night")
  void everyOneIsExplainedAndResumed(Path recorded) throws Exception {
    itsDecisionsAreReadForExplanations(recorded);
    isResumedFromItsMiddle(recorded);
  }

  private static SweepEngine walk(SweepState s, FileJournal journal) throws Exception {
    VirtualClock clock = new VirtualClock(s.lastEventAt());
    SimCluster cluster =
        new SimCluster(clock, new SplittableRandom(1), Faults.none(), Duration.ofMinutes(8));
    SimWorkload workload =
        new SimWorkload(
            Specs.surface(0.05, 0.005), cluster, s.sweep(), s.startedAt().orElseThrow(), 1);
    SweepDirectory jobs = new SweepDirectory(Path.of("night"));
    RemedySteps steps =
        (step, attempt, state) ->
            CompletableFuture.completedFuture(StepEnd.succeeded(Statement.words("simulated")));
    SweepEngine engine =
        new SweepEngine(
            s,
            journal,
            new Observer(
                jobs,
                cluster,
                workload,
                new SimDiagnoser(cluster, s.spec().playbook()),
                Settings.defaults()),
            new Actor(jobs, cluster, workload, steps),
            (seq, at, decision) -> {},
            clock);
    for (int tick = 0; tick < 20_000 && !engine.state().isFinished(); tick++) {
      engine.tick();
      if (engine.state().phase() instanceof Phase.Halted
          || engine.state().phase() instanceof Phase.Paused) {
        engine.accept(
            new Command.Resume(Optional.empty(), Optional.empty()),
            new Command.Origin(Command.Origin.Door.CLI, "test"));
      }
      for (String question : engine.state().openQuestions().keySet()) {
        engine.accept(
            new Command.Approve(question), new Command.Origin(Command.Origin.Door.CLI, "test"));
      }
      clock.advance(Duration.ofSeconds(60));
    }
    return engine;
  }

  @Test
  void aJournalOfANewerSchemaSaysSoAndIsLeftAlone() throws Exception {
    Path file = unpacked(journals().findFirst().orElseThrow());
    byte[] newer =
        newerLine(Files.readString(file).lines().findFirst().orElseThrow())
            .getBytes(StandardCharsets.UTF_8);
    Files.write(file, newer);
    assertThatThrownBy(() -> FileJournal.open(file, e -> {}))
        .isInstanceOf(JournalCorruptException.class)
        .hasMessageContaining(":1 (byte 0): a newer Nightsweep wrote this line (schema 99;")
        .hasMessageContaining("nothing is damaged. Run this sweep with the newer program.");
    assertThat(Files.readAllBytes(file)).isEqualTo(newer);
  }

  private static String newerLine(String line) {
    String covered = line.substring(0, line.lastIndexOf(",\"crc\"")).replace("\"v\":1", "\"v\":99");
    var crc = new CRC32C();
    crc.update(covered.getBytes(StandardCharsets.UTF_8));
    return "%s,\"crc\":\"%08x\"}%n".formatted(covered, crc.getValue());
  }

  private static List<Entry> read(Path file) throws IOException {
    List<Entry> entries = new ArrayList<>();
    JournalReader.read(file, entries::add);
    return entries;
  }

  private Path unpacked(Path recorded) throws IOException {
    Path file =
        directory.resolve(
            Objects.requireNonNull(recorded.getFileName()).toString().replace(".gz", ""));
    try (InputStream in = new GZIPInputStream(Files.newInputStream(recorded))) {
      Files.write(file, in.readAllBytes());
    }
    return file;
  }
}
