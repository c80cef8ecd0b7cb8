package io.nightsweep.page;

import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.asked.Commands;
import io.nightsweep.asked.Confirming;
import io.nightsweep.conductor.Conductor;
import io.nightsweep.engine.FileDecisionLog;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Redaction;
import io.nightsweep.journal.Replay;
import io.nightsweep.journal.UnsyncedJournal;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;

/** Simulated nights as journals of a state directory, with a page that reads them. */
final class Nights implements PageSweeps, AutoCloseable {
  private static final Map<Long, List<Entry>> SIMULATED = new ConcurrentHashMap<>();

  final StateDirectory directory;
  final List<Request.Tell> told = new CopyOnWriteArrayList<>();

  /** The commands of confirmed requests. */
  final List<List<String>> ran = new CopyOnWriteArrayList<>();

  final Confirming confirming;
  private final Page page;
  volatile Optional<SweepState> driven = Optional.empty();

  /** The steps that every running job has printed. */
  volatile List<Measurement.MeasuredStep> steps = List.of();

  volatile Optional<RuntimeException> bug = Optional.empty();

  Nights(Path root) throws IOException {
    directory = new StateDirectory(root);
    directory.create();
    confirming =
        new Confirming(
            new AskedFor(root),
            arguments -> {
              ran.add(arguments);
              return new Commands.CommandResult(0, "done", "");
            },
            InstantSource.system());
    page = new Page(directory, this, confirming, Redaction.byForm(), InstantSource.system());
  }

  /** A night with some failures, as a journal under its name; simulated once per JVM. */
  static List<Entry> night(long seed) {
    return SIMULATED.computeIfAbsent(
        seed,
        s ->
            List.copyOf(
                Specs.night(
                        Specs.kernels(6, 40), Specs.surface(0.05, 0.004), Duration.ofMinutes(4), s)
                    .run()
                    .entries()));
  }

  /** A journal from the test's resources. */
  static List<Entry> recorded(String name) throws IOException {
    Path file = Files.createTempFile("night", ".jsonl");
    try (InputStream in =
        new GZIPInputStream(
            Objects.requireNonNull(
                Nights.class.getResourceAsStream("/journals/" + name + ".jsonl.gz")))) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      List<Entry> entries = new ArrayList<>();
      JournalReader.read(file, entries::add);
      return entries;
    } finally {
      Files.delete(file);
    }
  }

  /** Adds, beside the events, what the conductor decides before each, as a daemon keeps it. */
  void explained(String name, List<Entry> entries) throws IOException {
    add(name, entries);
    decide(new FileDecisionLog(directory.sweep(name).decisions()), entries);
  }

  /** Each event at its own time. */
  void add(String name, List<Entry> entries) throws IOException {
    Files.createDirectories(directory.sweep(name).root());
    try (FileJournal journal =
        UnsyncedJournal.open(directory.sweep(name).journal(), new Replay())) {
      for (int from = 0, to; from < entries.size(); from = to) {
        Instant at = entries.get(from).at();
        // Events with the same time are written together, so that the disk is awaited once.
        List<Event> events = new ArrayList<>();
        for (to = from; to < entries.size() && entries.get(to).at().equals(at); to++) {
          events.add(entries.get(to).event());
        }
        journal.append(at, events);
      }
    }
  }

  private static void decide(FileDecisionLog log, List<Entry> entries) {
    SweepState s = SweepState.empty();
    for (Entry e : entries) {
      if (s.startedSpec().isPresent() && !(e.event() instanceof Event.AttemptProgressed)) {
        for (Decision decision : Conductor.decide(s, e.at())) {
          log.add(s.seq(), e.at(), decision);
        }
      }
      s = s.apply(e);
    }
  }

  /** Requests as an assistant does: a person has to confirm it. */
  AssistantRequest asks(String command, List<Path> reads) throws Exception {
    return new AskedFor(directory.root())
        .ask(
            "bob",
            command,
            List.of(command, "--on-behalf-of=bob"),
            reads,
            Instant.now(),
            Instant.MAX);
  }

  /** Where a request keeps the files that it was shown with. */
  Path copies(AssistantRequest call) {
    return directory.root().resolve("asked").resolve(call.id());
  }

  Reply.PageOpen open() {
    return (Reply.PageOpen) page.open(new Request.OpenPage(Optional.empty()));
  }

  Page page() {
    return page;
  }

  @Override
  public Optional<SweepState> driven(String sweep) {
    return driven.filter(s -> s.sweep().equals(sweep));
  }

  @Override
  public List<Measurement.MeasuredStep> steps(String sweep, AttemptId attempt) {
    return steps;
  }

  @Override
  public List<Reply.Hosting.Sweep> hosting() {
    return driven.stream()
        .map(
            s ->
                new Reply.Hosting.Sweep(
                    s.sweep(), Optional.empty(), Optional.empty(), 12, true, Duration.ZERO))
        .toList();
  }

  /** As in the daemon, the command is an event of the sweep before it is accepted. */
  @Override
  public Optional<Statement> tell(Request.Tell request) {
    if (bug.isPresent()) {
      throw bug.get();
    }
    driven(request.sweep())
        .ifPresent(
            s -> {
              Entry entry =
                  new Entry(
                      s.seq() + 1,
                      Instant.now(),
                      new Event.CommandAccepted(request.command(), request.origin()));
              driven = Optional.of(s.apply(entry));
            });
    told.add(request);
    return Optional.empty();
  }

  @Override
  public void close() {
    page.close();
  }
}
