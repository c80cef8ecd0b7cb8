package io.nightsweep.cli;

import static io.nightsweep.cli.Served.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.Version;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Json;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The daemon as a process: its socket, its signals, its lock. */
@Tag("guard")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class ServeTest {
  @TempDir Path dir;

  @AutoClose private Served served;

  @BeforeEach
  void open() {
    served = new Served(dir);
  }

  @Test
  void sigtermLeavesTheJournalWholeAndTheNextDaemonGoesOn() throws Exception {
    Process first = served.serve();
    assertThat(mode(served.state.socket())).isEqualTo("rw-------");
    assertThat(mode(served.state.root())).isEqualTo("rwx------");
    String sweep = served.startPaused();

    first.destroy();
    assertThat(first.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(served.state.socket()).doesNotExist();
    List<Entry> entries = served.entries(sweep);
    assertThat(entries.getLast().event()).isEqualTo(new Event.DaemonStopped("SIGTERM"));

    served.serve();
    assertThat(served.entries(sweep).subList(entries.size(), entries.size() + 1))
        .allMatch(e -> e.event() instanceof Event.DaemonStarted);
    assertThat(JournalReader.fold(served.state.sweep(sweep).journal()).phase())
        .isEqualTo(new Phase.Paused());
  }

  @Test
  void aKilledDaemonsLockAndSocketAreTakenOverAndALiveOnesNot() throws Exception {
    Process first = served.serve();
    Process second = served.begun(served.program());
    assertThat(second.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(second.exitValue()).isEqualTo(ExitCode.FAILED);
    assertThat(new String(second.getInputStream().readAllBytes(), UTF_8))
        .contains("process " + first.pid())
        .doesNotContain("\tat ");

    first.destroyForcibly().waitFor();
    assertThat(served.state.socket()).exists();
    Process third = served.serve();
    assertThat(served.client.ping().orElseThrow().pid()).isEqualTo(third.pid());
  }

  @Test
  @Tag("people")
  void aDaemonWhoseFolderWasRemovedEnds() throws Exception {
    Process daemon = served.serve();
    try (Stream<Path> files = Files.walk(served.state.root())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    assertThat(daemon.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(daemon.exitValue()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(served.state.root()).doesNotExist();
  }

  @Test
  @Tag("people")
  void aDaemonOfAnotherBuildIsReplacedAndItsSweepGoesOn() throws Exception {
    Path here = Path.of(Version.build());
    Path other = dir.resolve("other-build");
    copy(here, other);
    Process first =
        served.answering(
            served.programOf(other + File.pathSeparator + System.getProperty("java.class.path")));
    String sweep = served.startPaused();
    StringWriter said = new StringWriter();
    try {
      Background.ensure(served.state, new PrintWriter(said));
      assertThat(said.toString()).contains("of another build is replaced", other.toString());
      assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();
      Reply.Pong second = served.client.ping().orElseThrow();
      assertThat(second.build()).contains(Version.build());
      assertThat(JournalReader.fold(served.state.sweep(sweep).journal()).phase())
          .isEqualTo(new Phase.Paused());

      said.getBuffer().setLength(0);
      Background.ensure(served.state, new PrintWriter(said));
      assertThat(said.toString()).isEmpty();
      assertThat(served.client.ping().orElseThrow().pid()).isEqualTo(second.pid());
    } finally {
      Optional<ProcessHandle> last = served.client.ping().flatMap(p -> ProcessHandle.of(p.pid()));
      last.ifPresent(ProcessHandle::destroy);
      // The daemon may be writing a report into the folder that is removed after the test.
      if (last.isPresent()) {
        last.get().onExit().get(60, TimeUnit.SECONDS);
      }
    }
  }

  /** Even a command that only shows something, such as 'page', starts a daemon and thereby jobs. */
  @Test
  @Tag("people")
  void whatStartsADaemonSaysSoAndHowItEnds() throws Exception {
    StringWriter said = new StringWriter();
    Background.ensure(served.state, new PrintWriter(said));
    try {
      assertThat(said.toString())
          .startsWith("no daemon runs: one is started. It ends by itself 10 minutes after")
          .contains("nightsweep stop --daemon")
          .doesNotContain("go on");
      served.startPaused();
    } finally {
      assertThat(stopDaemon()).contains("has ended");
    }
    said.getBuffer().setLength(0);
    Background.ensure(served.state, new PrintWriter(said));
    try {
      assertThat(said.toString()).contains("one is started, and unfinished sweeps go on");
    } finally {
      assertThat(stopDaemon()).contains("has ended");
    }
  }

  @Test
  @Tag("people")
  void stopEndsTheDaemonItselfAndNoSweep() throws Exception {
    assertThat(stopDaemon()).startsWith("" + ExitCode.NOT_FOUND).contains("no daemon runs for");
    Process daemon = served.serve();
    String sweep = served.startPaused();
    assertThat(stopDaemon("--cancel")).startsWith("" + ExitCode.USAGE).contains("ends no sweep");
    assertThat(daemon.isAlive()).isTrue();

    assertThat(stopDaemon())
        .startsWith("" + ExitCode.OK)
        .contains("has ended", "'nightsweep start' continues unfinished sweeps");
    assertThat(daemon.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(served.entries(sweep).getLast().event())
        .isEqualTo(new Event.DaemonStopped("SIGTERM"));
    SweepState state = JournalReader.fold(served.state.sweep(sweep).journal());
    assertThat(state.phase()).isEqualTo(new Phase.Paused());
    assertThat(state.inventory())
        .as("jobs were processes of this machine")
        .filteredOn(Fact::headline)
        .extracting(Fact::name)
        .contains("processor", "memory");
  }

  @Test
  void whatAStoppedDaemonIsAskedIsNotDoneWhenItGoesOn() throws Exception {
    Process daemon = served.serve();
    String sweep = served.startPaused();
    signal(daemon, "STOP");
    String todo = "kill -CONT " + daemon.pid();
    assertThat(served.say("budget", "--jobs", "41"))
        .startsWith("" + ExitCode.NOT_FOUND)
        .contains("no answer", "pid " + daemon.pid(), todo, "'nightsweep status' shows the state")
        .doesNotContain("Start one");
    assertThat(served.say("status")).contains("NO ANSWER", todo, "its journal was last written");
    assertThat(served.say("doctor", "--cluster", "local"))
        .startsWith("" + ExitCode.UNFIT)
        .contains("daemon: it gives no answer", todo)
        .doesNotContain("none runs");
    assertThat(served.say("status", "--json"))
        .contains("\"care\":\"NO_ANSWER\"", "NO ANSWER", todo);
    assertThat(served.client.silence().orElseThrow()).contains(todo);
    String request =
        Json.mapper()
            .writerFor(Request.class)
            .writeValueAsString(
                new Request.Tell(
                    sweep,
                    new Command.SetBudget(Optional.of(43), Optional.empty(), Optional.empty()),
                    Served.ME));
    try (SocketChannel channel = connected()) {
      channel.write(UTF_8.encode((request + "\n").repeat(3)));
    }

    signal(daemon, "CONT");
    served.awaitAnswer();
    // On a busy machine a look may not end in time, and the request has to be repeated.
    await()
        .atMost(PATIENCE)
        .until(
            () -> served.say("budget", "--jobs", "42"),
            said -> said.startsWith(ExitCode.OK + " ") && said.contains("42 jobs"));
    assertThat(served.entries(sweep))
        .anyMatch(e -> e.event().toString().contains("jobs=Optional[42]"))
        .noneMatch(e -> e.event().toString().matches(".*jobs=Optional\\[4[13]\\].*"));
  }

  private static void signal(Process process, String signal) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor())
        .isZero();
  }

  /** Together the requests would fill the launcher's heap. */
  @Test
  void requestsOfMegabytesAtOnceAreRefusedAndTheDaemonLivesOn() throws Exception {
    Process daemon = served.serve();
    byte[] request =
        ("{\"type\":\"Start\",\"name\":\"" + "x".repeat(15 << 20) + "\"}\n").getBytes(UTF_8);
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      clients.add(Thread.startVirtualThread(() -> send(request)));
    }
    for (Thread each : clients) {
      each.join();
    }
    assertThat(served.client.ask(new Request.Ping(), PATIENCE))
        .isInstanceOfSatisfying(
            Reply.Pong.class, pong -> assertThat(pong.pid()).isEqualTo(daemon.pid()));
    served.startPaused();
  }

  private SocketChannel connected() throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(served.state.socket()));
  }

  private void send(byte[] request) {
    try (SocketChannel channel = connected()) {
      ByteBuffer bytes = ByteBuffer.wrap(request);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.read(ByteBuffer.allocate(1000));
    } catch (IOException e) {
      // The daemon hangs up before it has read all.
    }
  }

  /** Whichever command a person types first. */
  @Test
  void aStateThatTheLocalClusterBeginsIsItsUsersAlone() throws Exception {
    String file = served.sweepFile("first", "n1").toString();
    assertThat(served.say("start", "--cluster", "local", file)).startsWith(ExitCode.OK + " ");
    try {
      assertThat(mode(served.state.root())).isEqualTo("rwx------");
      assertThat(mode(served.state.root().resolve("local"))).isEqualTo("rwx------");
      try (Stream<Path> children = Files.list(served.state.root())) {
        assertThat(children).allSatisfy(child -> assertThat(mode(child)).endsWith("------"));
      }
      assertThat(mode(served.state.sweep("first-ranks-1").journal())).isEqualTo("rw-------");
      assertThat(mode(served.state.sweep("first-ranks-1").sweepFile())).isEqualTo("rw-------");
    } finally {
      served.say("stop", "--cancel");
      served.awaitEnd("first-ranks-1", PATIENCE);
      stopDaemon();
    }
  }

  private String stopDaemon(String... further) {
    return served.say(
        Stream.concat(Stream.of("stop", "--daemon"), Stream.of(further)).toArray(String[]::new));
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }
}
