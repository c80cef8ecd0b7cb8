package io.nightsweep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.ScheduledStart;
import io.nightsweep.engine.ScheduledStarts;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepOrigin;
import io.nightsweep.engine.Version;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Json;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The daemon as a process: its socket, its signals, its lock. */
@Tag("guard")
@Execution(ExecutionMode.CONCURRENT)
class ServeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir Path dir;
  private StateDirectory state;
  private DaemonClient client;
  private final List<Process> started = new ArrayList<>();

  @BeforeEach
  void stateDirectory() {
    state = new StateDirectory(dir.resolve("state"));
    client = new DaemonClient(state);
  }

  @AfterEach
  void end() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void sigtermLeavesTheJournalWholeAndTheNextDaemonGoesOn() throws Exception {
    Process first = serve();
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.socket())))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.root())))
        .isEqualTo("rwx------");
    String sweep = startPaused();

    first.destroy();
    assertThat(first.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(state.socket()).doesNotExist();
    List<Entry> entries = entries(sweep);
    assertThat(entries.getLast().event()).isEqualTo(new Event.DaemonStopped("SIGTERM"));

    serve();
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    assertThat(entries(sweep).subList(entries.size(), entries.size() + 1))
        .allMatch(e -> e.event() instanceof Event.DaemonStarted);
    assertThat(JournalReader.fold(state.sweep(sweep).journal()).phase())
        .isEqualTo(new Phase.Paused());
  }

  @Test
  void aKilledDaemonsLockAndSocketAreTakenOverAndALiveOnesNot() throws Exception {
    Process first = serve();
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    Process second = serve();
    assertThat(second.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(second.exitValue()).isEqualTo(ExitCode.FAILED);
    assertThat(new String(second.getInputStream().readAllBytes(), UTF_8))
        .contains("process " + first.pid())
        .doesNotContain("\tat ");

    first.destroyForcibly().waitFor();
    assertThat(state.socket()).exists();
    Process third = serve();
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    assertThat(client.ping().orElseThrow().pid()).isEqualTo(third.pid());
  }

  @Test
  @Tag("people")
  void aDaemonWhoseFolderWasRemovedEnds() throws Exception {
    Process daemon = serve();
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    try (Stream<Path> files = Files.walk(state.root())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    assertThat(daemon.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(daemon.exitValue()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(state.root()).doesNotExist();
  }

  @Test
  @Tag("people")
  void aDaemonOfAnotherBuildIsReplacedAndItsSweepGoesOn() throws Exception {
    Path here = Path.of(Version.build());
    Path other = dir.resolve("other-build");
    copy(here, other);
    Process first = serve(other + File.pathSeparator + System.getProperty("java.class.path"));
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    String sweep = startPaused();
    StringWriter said = new StringWriter();
    try {
      Background.ensure(state, new PrintWriter(said));
      assertThat(said.toString()).contains("of another build is replaced", other.toString());
      assertThat(first.waitFor(1, TimeUnit.SECONDS)).isTrue();
      Reply.Pong second = client.ping().orElseThrow();
      assertThat(second.build()).contains(Version.build());
      assertThat(JournalReader.fold(state.sweep(sweep).journal()).phase())
          .isEqualTo(new Phase.Paused());

      said.getBuffer().setLength(0);
      Background.ensure(state, new PrintWriter(said));
      assertThat(said.toString()).isEmpty();
      assertThat(client.ping().orElseThrow().pid()).isEqualTo(second.pid());
    } finally {
      Optional<ProcessHandle> last = client.ping().flatMap(p -> ProcessHandle.of(p.pid()));
      last.ifPresent(ProcessHandle::destroy);
      // It may be writing a report into the folder that goes with the test.
      if (last.isPresent()) {
        last.get().onExit().get(20, TimeUnit.SECONDS);
      }
    }
  }

  /** A command that only shows something, such as 'page', starts jobs by it. */
  @Test
  @Tag("people")
  void whatStartsADaemonSaysSoAndHowItEnds() throws Exception {
    StringWriter said = new StringWriter();
    Background.ensure(state, new PrintWriter(said));
    try {
      assertThat(said.toString())
          .startsWith("no daemon runs: one is started. It ends by itself 10 minutes after")
          .contains("nightsweep stop --daemon")
          .doesNotContain("go on");
      String unused = startPaused();
    } finally {
      assertThat(stopDaemon()).contains("has ended");
    }
    said.getBuffer().setLength(0);
    Background.ensure(state, new PrintWriter(said));
    try {
      assertThat(said.toString()).contains("one is started, and unfinished sweeps go on");
    } finally {
      assertThat(stopDaemon()).contains("has ended");
    }
  }

  @Test
  @Tag("people")
  void whatIsAddedToAPausedSweepIsNotCalledTriedNext() throws Exception {
    serve();
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    String sweep = startPaused();
    assertThat(say("add", "mine OMP_NUM_THREADS=2"))
        .isEqualTo(
            ExitCode.OK
                + " "
                + sweep
                + ": 1 profile is added; the sweep is paused, and tries what was added first after:"
                + " nightsweep resume\n");
  }

  @Test
  @Tag("people")
  void stopEndsTheDaemonItselfAndNoSweep() throws Exception {
    assertThat(stopDaemon()).startsWith("" + ExitCode.NOT_FOUND).contains("no daemon runs for");
    Process daemon = serve();
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    String sweep = startPaused();
    assertThat(stopDaemon("--cancel")).startsWith("" + ExitCode.USAGE).contains("ends no sweep");
    assertThat(daemon.isAlive()).isTrue();

    assertThat(stopDaemon())
        .startsWith("" + ExitCode.OK)
        .contains("has ended", "'nightsweep start' takes up what is unfinished");
    assertThat(daemon.waitFor(1, TimeUnit.SECONDS)).isTrue();
    assertThat(entries(sweep).getLast().event()).isEqualTo(new Event.DaemonStopped("SIGTERM"));
    SweepState state = JournalReader.fold(this.state.sweep(sweep).journal());
    assertThat(state.phase()).isEqualTo(new Phase.Paused());
    assertThat(state.inventory())
        .as("jobs were processes of this machine")
        .filteredOn(Fact::headline)
        .extracting(Fact::name)
        .contains("processor", "memory");
  }

  @Test
  @Tag("people")
  void aBudgetBelowWhatIsUsedIsRefusedAndAnotherSaysWhatHolds() throws Exception {
    serve();
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    startPaused();
    assertThat(say("budget", "--jobs", "0"))
        .startsWith("" + ExitCode.REFUSED)
        .contains("a budget of 0 jobs cannot be", "'nightsweep stop' ends a sweep");
    assertThat(say("budget", "--hours", "-1"))
        .startsWith("" + ExitCode.REFUSED)
        .contains("a budget of -1.0 hours cannot be");
    assertThat(say("budget", "--jobs", "40", "--node-hours", "8"))
        .startsWith("" + ExitCode.OK)
        .containsPattern(
            "the budget is now 40 jobs and .*8\\.0 node-hours; used: \\d jobs?, \\d+ s")
        .contains(" of 8.0 node-hours");
  }

  @Test
  void whatAStoppedDaemonIsAskedIsNotDoneWhenItGoesOn() throws Exception {
    Process daemon = serve();
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    String sweep = startPaused();
    signal(daemon, "STOP");
    String todo = "kill -CONT " + daemon.pid();
    assertThat(say("budget", "--jobs", "41"))
        .startsWith("" + ExitCode.NOT_FOUND)
        .contains("no answer", "pid " + daemon.pid(), todo, "'nightsweep status' shows what holds")
        .doesNotContain("Start one");
    assertThat(say("status")).contains("NO ANSWER", todo, "its journal was last written");
    assertThat(say("doctor", "--cluster", "local"))
        .startsWith("" + ExitCode.UNFIT)
        .contains("daemon: it gives no answer", todo)
        .doesNotContain("none runs");
    assertThat(say("status", "--json")).contains("\"care\":\"NO_ANSWER\"", "NO ANSWER", todo);
    assertThat(client.silence().orElseThrow()).contains(todo);
    String request =
        Json.mapper()
            .writerFor(Request.class)
            .writeValueAsString(
                new Request.Tell(
                    sweep,
                    new Command.SetBudget(Optional.of(43), Optional.empty(), Optional.empty()),
                    new Command.Origin(Command.Origin.Door.CLI, "me")));
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(state.socket()))) {
      channel.write(UTF_8.encode((request + "\n").repeat(3)));
    }

    signal(daemon, "CONT");
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    assertThat(say("budget", "--jobs", "42")).startsWith("" + ExitCode.OK).contains("42 jobs");
    assertThat(entries(sweep))
        .anyMatch(e -> e.event().toString().contains("jobs=Optional[42]"))
        .noneMatch(e -> e.event().toString().matches(".*jobs=Optional\\[4[13]\\].*"));
  }

  private static void signal(Process process, String signal) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor())
        .isZero();
  }

  /** Together they would fill the heap of the launcher. */
  @Test
  void requestsOfMegabytesAtOnceAreRefusedAndTheDaemonLivesOn() throws Exception {
    Process daemon = serve();
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    byte[] request =
        ("{\"type\":\"Start\",\"name\":\"" + "x".repeat(15 << 20) + "\"}\n").getBytes(UTF_8);
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      clients.add(Thread.startVirtualThread(() -> send(request)));
    }
    for (Thread each : clients) {
      each.join();
    }
    assertThat(client.ask(new Request.Ping(), PATIENCE))
        .isInstanceOfSatisfying(
            Reply.Pong.class, pong -> assertThat(pong.pid()).isEqualTo(daemon.pid()));
    startPaused();
  }

  private void send(byte[] request) {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(state.socket()))) {
      ByteBuffer bytes = ByteBuffer.wrap(request);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.read(ByteBuffer.allocate(1000));
    } catch (IOException e) {
      // The daemon hangs up before it has read all.
    }
  }

  /** Whatever a person types first. */
  @Test
  void aStateThatTheLocalClusterBeginsIsItsUsersAlone() throws Exception {
    String file = sweepFile("first", "n1").toString();
    assertThat(say("start", "--cluster", "local", file)).startsWith(ExitCode.OK + " ");
    try {
      assertThat(mode(state.root())).isEqualTo("rwx------");
      assertThat(mode(state.root().resolve("local"))).isEqualTo("rwx------");
      try (Stream<Path> children = Files.list(state.root())) {
        assertThat(children).allSatisfy(child -> assertThat(mode(child)).endsWith("------"));
      }
      assertThat(mode(state.sweep("first-ranks-1").journal())).isEqualTo("rw-------");
      assertThat(mode(state.sweep("first-ranks-1").sweepFile())).isEqualTo("rw-------");
    } finally {
      say("stop", "--cancel");
      await()
          .atMost(PATIENCE)
          .until(() -> JournalReader.endsFinished(state.sweep("first-ranks-1").journal()));
      stopDaemon();
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  /** Where a file server or a controller does not answer for a while. */
  @Test
  void aLookThatHangsIsToldToPeopleAndSoIsItsEnd() throws Exception {
    List<String> got = new CopyOnWriteArrayList<>();
    HttpServer hook =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    hook.createContext(
        "/",
        exchange -> {
          got.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    hook.start();
    try {
      Path hangs = Files.createFile(dir.resolve("hangs"));
      ProcessBuilder daemon = onSlurm(hangs, "--longest-look", "60");
      daemon
          .environment()
          .put("NIGHTSWEEP_SLACK_URL", "http://127.0.0.1:" + hook.getAddress().getPort() + "/hook");
      begun(daemon.redirectOutput(dir.resolve("said").toFile()));
      await().atMost(PATIENCE).until(() -> client.ping().isPresent());
      startOnSlurm();
      await()
          .atMost(PATIENCE)
          .until(() -> got.stream().anyMatch(m -> m.contains("NOT LOOKED AT: a look at sweep s")));
      Files.delete(hangs);
      await()
          .atMost(PATIENCE)
          .until(() -> got.stream().anyMatch(m -> m.contains("the look at sweep s has ended")));
    } finally {
      hook.stop(0);
    }
  }

  /** Where a file server or a controller never answers. */
  @Test
  void aDaemonWhoseLookDoesNotEndGivesItsPlaceToAnother() throws Exception {
    Path hangs = Files.createFile(dir.resolve("hangs"));
    Path said = dir.resolve("said");
    Process first = begun(onSlurm(hangs, "--longest-look", "2").redirectOutput(said.toFile()));
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    startOnSlurm();

    assertThat(first.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(first.exitValue()).isEqualTo(75);
    Files.delete(hangs);
    assertThat(said)
        .content()
        .contains("a look at sweep s has not ended in 2 s; the daemon ends and is started again");
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    Reply.Pong next = client.ping().orElseThrow();
    assertThat(next.pid()).isNotEqualTo(first.pid());
    ProcessHandle.of(next.pid()).ifPresent(ProcessHandle::destroyForcibly);
  }

  private void startOnSlurm() throws IOException {
    ClusterChoice slurm = new ClusterChoice(ClusterChoice.Kind.SLURM, Optional.empty());
    assertThat(
            client.ask(
                new Request.Start(
                    "s", "# none", new SweepOrigin(slurm, "sweep.yaml", "me"), allreduce()),
                PATIENCE))
        .isEqualTo(new Reply.Started("s"));
  }

  /** A daemon whose queue takes twenty seconds to answer while the file is there. */
  private ProcessBuilder onSlurm(Path hangs, String... options) throws IOException {
    Path commands = Files.createDirectory(dir.resolve("bin"));
    for (String command : List.of("sinfo", "squeue", "scontrol", "sbatch", "scancel", "sacct")) {
      Path fake =
          Files.writeString(
              commands.resolve(command),
              """
              #!/bin/sh
              case "${0##*/} $*" in
                sinfo*--Node*) printf 'n1|idle|batch*|none\\nn2|idle|batch*|none\\n' ;;
                squeue*|sbatch*) test ! -e %s || exec sleep 20 ;;
              esac
              """
                  .formatted(hangs));
      assertThat(fake.toFile().setExecutable(true)).isTrue();
    }
    ProcessBuilder builder = program(System.getProperty("java.class.path"), options);
    builder.environment().merge("PATH", commands.toString(), (path, before) -> before + ":" + path);
    builder.environment().remove("INVOCATION_ID");
    return builder;
  }

  private static SweepSpec allreduce() {
    SweepSpec s = Specs.kernels(4, Optional.of(30));
    return new SweepSpec(
        s.cell(),
        s.workload(),
        new TreeMap<>(Map.of("kernel", "allreduce", "sizes", "1024")),
        s.metric(),
        s.configTags(),
        s.profiles(),
        s.plan(),
        s.budget(),
        s.policy(),
        s.playbook(),
        s.catalogs());
  }

  private String stopDaemon(String... further) {
    List<String> words = new ArrayList<>(List.of("stop", "--daemon"));
    words.addAll(List.of(further));
    return say(words.toArray(String[]::new));
  }

  /** The exit code, and what was said. */
  private String say(String... typed) {
    List<String> words = new ArrayList<>(List.of(typed));
    words.addAll(List.of("--state", state.root().toString()));
    StringWriter said = new StringWriter();
    int code = Main.run(new PrintWriter(said), new PrintWriter(said), words.toArray(String[]::new));
    // Commands in texts name the folder, as TypeableTest shows.
    return code + " " + said.toString().replace(" --state " + state.root(), "");
  }

  @Test
  @Tag("people")
  void aScheduledStartIsWhatAPersonWouldHaveTyped() throws Exception {
    Path good = sweepFile("nightly", "n1");
    Path bad = dir.resolve("bad.yaml");
    Files.writeString(bad, Files.readString(good).replace("plan: kernels", "plan: kernel"));
    serve();
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    for (Path file : List.of(good, bad)) {
      ScheduledStart start =
          new ScheduledStart(
              0,
              file,
              ClusterChoice.Kind.LOCAL,
              Instant.now(),
              false,
              ZoneId.systemDefault(),
              Optional.empty());
      assertThat(client.ask(new Request.Schedule(start), PATIENCE))
          .isInstanceOf(Reply.Scheduled.class);
    }
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> ScheduledStarts.of(state).stream().noneMatch(ScheduledStart::isWaiting));
    StringWriter said = new StringWriter();
    assertThat(
            Main.run(
                new PrintWriter(said),
                new PrintWriter(said),
                "schedule",
                "--state",
                state.root().toString()))
        .isEqualTo(ExitCode.OK);
    assertThat(said.toString())
        .containsPattern("\\d: started nightly-ranks-1\\n")
        .containsPattern("NOT STARTED: .*bad.yaml:\\d+:\\d+: unknown plan 'kernel'");
    // Its jobs write into the folder that goes with the test.
    Command.Origin me = new Command.Origin(Command.Origin.Door.CLI, "me");
    client.ask(
        new Request.Tell("nightly-ranks-1", new Command.Stop(Command.Stop.Mode.CANCEL), me),
        PATIENCE);
    Path journal = state.sweep("nightly-ranks-1").journal();
    await().atMost(PATIENCE).until(() -> JournalReader.endsFinished(journal));
  }

  @Test
  @Tag("people")
  @Tag("hours")
  void sweepsThatAreStartedTogetherTakeTurnsAndEachComesToItsEnd() throws Exception {
    String near = sweepFile("near", "n1").toString();
    String far = sweepFile("far", "n1").toString();
    String elsewhere = sweepFile("elsewhere", "n2").toString();
    serve();
    await().atMost(PATIENCE).until(() -> client.ping().isPresent());
    assertThat(say("start", "--cluster", "local", "--together", near))
        .startsWith(ExitCode.USAGE + " ")
        .contains("nightsweep start --together a.yaml b.yaml");
    assertThat(say("start", "--cluster", "local", near, far)).startsWith(ExitCode.USAGE + " ");
    assertThat(say("start", "--cluster", "local", "--together", near, elsewhere))
        .startsWith(ExitCode.REFUSED + " ")
        .contains("elsewhere.yaml pins other nodes than");
    assertThat(state.all()).isEmpty();

    assertThat(say("start", "--cluster", "local", "--together", near, far))
        .startsWith(ExitCode.OK + " ")
        .contains("started near-ranks-1", "started far-ranks-1")
        .containsPattern("they share the night night-[0-9-]+: one has the nodes, the others wait");
    for (String sweep : List.of("near-ranks-1", "far-ranks-1")) {
      // A busy machine answers late, and is asked the less often for it.
      await()
          .atMost(Duration.ofMinutes(4))
          .until(() -> JournalReader.endsFinished(state.sweep(sweep).journal()));
      assertThat(entries(sweep))
          .extracting(Entry::event)
          .hasAtLeastOneElementOfType(Event.TurnTaken.class);
      assertThat(say("report", "--sweep", sweep)).contains("Shared night: `night-");
    }
  }

  /** A program whose settings change nothing, in four jobs at most. */
  private Path sweepFile(String model, String node) throws IOException {
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

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  /** Its one job under way ends by itself. */
  private String startPaused() throws Exception {
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
    Command.Origin me = new Command.Origin(Command.Origin.Door.CLI, "me");
    assertThat(client.ask(new Request.Tell("s", new Command.Pause(), me), PATIENCE))
        .isEqualTo(new Reply.Accepted());
    return "s";
  }

  private List<Entry> entries(String sweep) throws IOException {
    List<Entry> entries = new ArrayList<>();
    JournalReader.read(state.sweep(sweep).journal(), entries::add);
    return entries;
  }

  private Process serve() throws IOException {
    return serve(System.getProperty("java.class.path"));
  }

  private Process serve(String classPath) throws IOException {
    return begun(program(classPath));
  }

  private ProcessBuilder program(String classPath, String... options) {
    List<String> words =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // The launcher's.
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

  private Process begun(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    started.add(process);
    return process;
  }
}
