package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepOrigin;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A state folder with daemons as separate processes that have the launcher's heap. */
final class Served implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(90);
  static final Command.Origin ME = new Command.Origin(Command.Origin.Door.CLI, "me");

  final StateDirectory state;
  final DaemonClient client;
  private final Path dir;
  private final List<Process> started = new ArrayList<>();

  Served(Path dir) {
    this.dir = dir;
    state = new StateDirectory(dir.resolve("state"));
    client = new DaemonClient(state);
  }

  /** Starts a daemon and waits until it answers. */
  Process serve() throws IOException {
    return answering(program());
  }

  Process answering(ProcessBuilder program) throws IOException {
    Process daemon = begun(program);
    awaitAnswer();
    return daemon;
  }

  Process begun(ProcessBuilder program) throws IOException {
    Process process = program.start();
    started.add(process);
    return process;
  }

  void awaitAnswer() {
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
  }

  ProcessBuilder program(String... options) {
    return programOf(System.getProperty("java.class.path"), options);
  }

  ProcessBuilder programOf(String classPath, String... options) {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // The launcher's heap.
                "-Xmx192m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                classPath,
                Main.class.getName(),
                "serve",
                "--state",
                state.root().toString()));
    words.addAll(List.of(options));
    return new ProcessBuilder(words).redirectErrorStream(true);
  }

  /** The exit code and the output. */
  String say(String... words) {
    Typed typed = Typed.in(state.root(), words);
    return typed.code() + " " + typed.said();
  }

  List<Entry> entries(String sweep) throws IOException {
    List<Entry> entries = new ArrayList<>();
    JournalReader.read(state.sweep(sweep).journal(), entries::add);
    return entries;
  }

  void awaitEnd(String sweep, Duration patience) {
    await().atMost(patience).until(() -> JournalReader.endsFinished(state.sweep(sweep).journal()));
  }

  /** Starts a sweep and pauses it; its one running job ends by itself. */
  String startPaused() throws Exception {
    ClusterChoice local = new ClusterChoice(ClusterChoice.Kind.LOCAL, Optional.empty());
    String file =
        Files.readString(sweepFile("s", "n1")).replace("command: for", "command: sleep 5; for");
    SweepSpec spec =
        SweepFile.parse("sweep.yaml", file, Resources.beside(dir.resolve("sweep.yaml")))
            .onPaper(ZonedDateTime.now(ZoneOffset.UTC));
    Reply reply =
        client.ask(
            new Request.Start("s", "# none", new SweepOrigin(local, "sweep.yaml", "me"), spec),
            PATIENCE);
    assertThat(reply).isEqualTo(new Reply.Started("s"));
    assertThat(client.ask(new Request.Tell("s", new Command.Pause(), ME), PATIENCE))
        .isEqualTo(new Reply.Accepted());
    return "s";
  }

  /** A sweep of a program with settings that change nothing, in four jobs at most. */
  Path sweepFile(String model, String node) throws IOException {
    return Files.writeString(
        dir.resolve(model + ".yaml"),
        """
        model: %s
        parallelism: ranks=1
        slot: {nodelist: "%s"}
        workload:
          kind: command
          command: for s in 0 1 2 3; do echo "step $s of 4, 100 tok/s"; done
          launch: once
          pattern: 'step (?<step>\\d+) of \\d+, (?<value>\\d+) tok/s'
          steps: 4
          windowFrom: 1
        metric: {name: tokensPerSecond, unit: tok/s, better: higher}
        plan: kernels
        profiles:
          one: {env: {ONE: "1"}}
        budget: {jobs: 4, hours: 1}
        playbook: common
        """
            .formatted(model, node));
  }

  @Override
  public void close() {
    started.forEach(Process::destroyForcibly);
  }
}
