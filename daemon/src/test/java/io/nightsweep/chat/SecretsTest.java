package io.nightsweep.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.nightsweep.cluster.local.LocalCluster;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepOrigin;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Redaction;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plants secrets everywhere that a night may meet them, and looks for them in all that it left. */
@Tag("guard")
@Tag("recovery")
class SecretsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String CANARY = "canary";
  private static final String TOKEN = "987654321:AAHcanarycanarycanarycanarycanary42";
  private static final long CHAT = 42;

  /** What the job itself prints: its log holds it, and nothing that is made of its log may. */
  private static final String LOGGED = "hf_canaryInTheLog0123456789";

  private static final String SWEEP =
      """
      model: allreduce
      parallelism: ranks=2
      slot: {nodelist: "n[1-2]"}
      workload: {kind: kernels, program: %s, kernel: allreduce, sizes: 4096, dtype: f32, iterations: 4, trials: 4}
      profiles: {linear: {env: {%s}}}
      plan:
        waves:
          - {name: baseline, kind: baseline, profiles: [baseline-deployed], repetitions: 2, why: noise}
          - {name: screen, kind: screen, profiles: [linear], repetitions: 1, why: each of them}
      budget: {jobs: 8, hours: 1}
      playbook: kernels
      """;

  @TempDir Path dir;

  @Test
  void noSecretIsInAnythingThatANightLeaves() throws Exception {
    Path home = Files.createDirectories(dir.resolve("home"));
    Path config = home.resolve(".tg_config");
    Files.createFile(
        config, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(config, "BotToken " + TOKEN + "\nChatID " + CHAT + "\n");
    Path program = dir.resolve("leaky");
    Files.writeString(
        program,
        """
        #!/bin/bash
        printenv
        echo "0: a core dump may have $(ulimit -c) blocks"
        echo "0: pulled by https://me:canary-in-an-address@registry.example/image" >&2
        echo "0: {\\"private_key\\": \\"-----BEGIN PRIVATE KEY-----\\\\ncanarykeycanary\\\\n-----END\\"}"
        echo "0: POST https://hooks.slack.com/services/T0canary/B0canary/canarycanary"
        echo "0: x-api-key: canary-of-a-header"
        echo "0: Traceback (most recent call last):"
        echo "0: ValueError: cannot log in with --password canary-of-a-command"
        echo "0: NCCL WARN Timeout waiting for rank 1, NCCL error: ncclSystemError HF_TOKEN=%s"
        echo "0: RESOURCE_EXHAUSTED: Out of memory, key %s" >&2
        exit 1
        """
            .formatted(LOGGED, LOGGED));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    Path daemonLog = dir.resolve("daemon.log");
    List<String> told = new CopyOnWriteArrayList<>();
    try (BotApi api = new BotApi(TOKEN, CHAT);
        Hook hook = new Hook()) {
      Process daemon = serve(state, home, daemonLog, api, hook);
      try {
        DaemonClient client = new DaemonClient(state);
        await().atMost(PATIENCE).until(() -> client.ping().isPresent());
        String text = SWEEP.formatted(program, "OMPI_MCA_coll_tuned_use_dynamic_rules: 1");
        Reply reply =
            client.ask(
                new Request.Start(
                    "leaky",
                    text,
                    new SweepOrigin(
                        ClusterChoice.of(ClusterChoice.Kind.LOCAL, Map.of()), "sweep.yaml", "me"),
                    spec(text, state)),
                PATIENCE);
        String sweep = ((Reply.Started) reply).sweep();
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    JournalReader.fold(state.sweep(sweep).journal()).phase()
                        instanceof Phase.Halted);
        api.says(CHAT, 7, "/log");
        api.says(CHAT, 7, "/explain");
        api.says(CHAT, 7, "/stop cancel");
        await()
            .atMost(PATIENCE)
            .until(() -> api.received.stream().anyMatch(m -> m.method().equals("senddocument")));
        assertThat(api.received).anyMatch(m -> m.text().contains("log of t0"));
        assertThat(api.received).anyMatch(m -> m.text().contains("***"));
        assertThat(api.violations).isEmpty();
        Path log = files(state.root()).filter(f -> f.endsWith("job.log")).findFirst().orElseThrow();
        for (String command :
            List.of(
                "explain",
                "explain linear --events",
                "status --json",
                "watch --json",
                "report",
                "page --export " + dir.resolve("page.html"),
                "doctor --json")) {
          told.add(command + ": " + say(state, home, command.split(" ")));
        }
        told.add("triage: " + say(home, "triage", log.toString()));
        for (String tool :
            List.of(
                "\"status\", \"arguments\": {}",
                "\"events\", \"arguments\": {}",
                "\"explain\", \"arguments\": {}",
                "\"leaderboard\", \"arguments\": {}")) {
          String answer = asked(state, home, tool);
          assertThat(answer).as(tool).contains("leaky").doesNotContain("\"refused\"");
          told.add("an assistant asked " + tool + ": " + answer);
        }
        told.add("the exported page: " + read(dir.resolve("page.html")));
        await().atMost(PATIENCE).until(() -> hook.bodies.size() > 2);
        told.addAll(hook.bodies);
      } finally {
        daemon.destroy();
        daemon.waitFor();
      }
      List<Path> logs = files(state.root()).filter(f -> f.endsWith("job.log")).toList();
      assertThat(logs).isNotEmpty();
      assertThat(read(logs.getFirst())).as("the job printed its own").contains(LOGGED);
      // A core dump would hold the environment.
      assertThat(read(logs.getFirst())).contains("0: a core dump may have 0 blocks");
      List<String> leaks = new ArrayList<>();
      for (Path file : files(state.root()).toList()) {
        String text = read(file);
        String foreign = file.endsWith("job.log") ? withoutTheProgramsOwn(text) : text;
        if (foreign.contains(CANARY)) {
          leaks.add(file.toString());
        }
      }
      if (read(daemonLog).contains(CANARY)) {
        leaks.add("the daemon's log");
      }
      told.stream().filter(text -> text.contains(CANARY)).forEach(leaks::add);
      for (String request : api.raw) {
        if (request.contains(CANARY)) {
          leaks.add("Telegram: " + request);
        }
      }
      assertThat(leaks).isEmpty();
      assertThat(files(state.root()).map(f -> f.getFileName().toString()))
          .contains(
              "journal.jsonl", "decisions.jsonl", "job.sh", "tuning.json", "allreduce-tuning.md");
    }
  }

  @Test
  void aSecretInASweepFileIsRefusedByItsPlaceAndNotQuoted() {
    String text = SWEEP.formatted("none", "HF_TOKEN: hf_canarycanarycanary");
    assertThatThrownBy(() -> spec(text, new StateDirectory(dir.resolve("state"))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("sweep.yaml:5:")
        .hasMessageContaining("'HF_TOKEN' is named like a secret")
        .hasMessageNotContaining(CANARY);
  }

  /** What people wrote as a node's reason and a job's name and comment, and what a command says. */
  @Test
  void whatSlurmSaysIsMaskedOnATerminal() throws Exception {
    Path file =
        Files.writeString(
            dir.resolve("sweep.yaml"), SWEEP.formatted("/bin/true", "OMPI_MCA_pml: ob1"));
    Path commands = Files.createDirectory(dir.resolve("bin"));
    for (String command : List.of("sinfo", "squeue", "scontrol", "sbatch", "scancel", "sacct")) {
      Path fake =
          Files.writeString(
              commands.resolve(command),
              """
              #!/bin/sh
              case "${0##*/} $*" in
                *--version) echo slurm 23.11 ;;
                *--Node*)
                  echo "n1|drained|batch*|ask https://bob:canary-of-a-node@ipmi, HF_TOKEN=%1$s"
                  echo "n2|idle|batch*|none" ;;
                squeue*) echo "7|RUNNING|1|n2||bob|x --password canary-of-a-name|KEY=%1$s|%1$s" ;;
                *) echo "error: HF_TOKEN=canary-of-an-error, Bearer canary-of-a-header" >&2; exit 1 ;;
              esac
              """
                  .formatted(LOGGED));
      Files.setPosixFilePermissions(fake, PosixFilePermissions.fromString("rwx------"));
    }
    List<String> told = new ArrayList<>();
    for (String words : List.of("doctor " + file, "doctor --json " + file, "start " + file)) {
      told.add(saidBy(commands, words));
    }
    assertThat(told.getFirst()).contains("n1 is drained: ask ", "***", "7 of bob");
    Files.delete(commands.resolve("sinfo"));
    Files.move(commands.resolve("sacct"), commands.resolve("sinfo"));
    Files.writeString(
        commands.resolve("sinfo"), "#!/bin/sh\necho HF_TOKEN=canary-of-an-error >&2\nexit 1\n");
    told.add(saidBy(commands, "doctor " + file));
    assertThat(told.getLast()).contains("gives no answer", "***");
    assertThat(told).noneMatch(said -> said.contains(CANARY));
  }

  private String saidBy(Path commands, String words) throws Exception {
    List<String> all = new ArrayList<>(List.of(words.split(" ")));
    all.addAll(List.of("--state", dir.resolve("state").toString()));
    ProcessBuilder builder = nightsweep(dir, all.toArray(String[]::new)).redirectErrorStream(true);
    builder.environment().merge("PATH", commands.toString(), (old, mine) -> mine + ":" + old);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isNotZero();
    return said;
  }

  /** Telegram shows 200 characters for a moment beside a button. */
  @Test
  void whatAButtonIsAnsweredIsMaskedBeforeItIsCut() throws Exception {
    try (BotApi api = new BotApi(TOKEN, CHAT)) {
      Bot bot =
          new Bot(
              new Secret(TOKEN),
              ChatSettings.of(Map.of(ChatSettings.SERVER, api.url())),
              Redaction.of(Map.of("A_KEY", "one-" + CANARY + "-of-mine")),
              new Health(InstantSource.system()));
      for (int before = 140; before < 190; before += 7) {
        boolean unused =
            bot.answer("1", "x".repeat(before) + " one-" + CANARY + "-of-mine " + LOGGED);
      }
      assertThat(api.raw).isNotEmpty().noneMatch(said -> said.contains(CANARY));
    }
  }

  private static SweepSpec spec(String text, StateDirectory state) throws Exception {
    return SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("sweep.yaml")))
        .resolve(
            new LocalCluster(state.root().resolve("local"), List.of("n1", "n2", "n3", "n4")),
            (key, question, choices) -> Optional.empty(),
            ZonedDateTime.now(ZoneOffset.UTC));
  }

  /** What the job prints is its own; what it was given is not. */
  private static String withoutTheProgramsOwn(String log) {
    return log.lines().filter(line -> !line.startsWith("0: ")).collect(Collectors.joining("\n"));
  }

  /** A server of one's own that takes notices; its address is a secret. */
  private static final class Hook implements AutoCloseable {
    private final HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final List<String> bodies = new CopyOnWriteArrayList<>();

    Hook() throws IOException {
      server.createContext(
          "/",
          exchange -> {
            bodies.add(
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
          });
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort() + "/hooks/canary-of-a-webhook";
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  /** What an assistant gets to see over the Model Context Protocol. */
  private static String asked(StateDirectory state, Path home, String tool) throws Exception {
    ProcessBuilder mcp = nightsweep(home, "mcp", "--state", state.root().toString());
    mcp.environment().put("HF_TOKEN", "canary-of-hf-in-the-environment");
    Process process = mcp.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (Writer in = process.outputWriter()) {
      in.write(
          """
          {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
          {"jsonrpc": "2.0", "method": "notifications/initialized"}
          {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": %s}}
          """
              .formatted(tool));
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private static String say(StateDirectory state, Path home, String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--state", state.root().toString()));
    return say(home, all.toArray(String[]::new));
  }

  private static String say(Path home, String... words) throws Exception {
    ProcessBuilder builder = nightsweep(home, words).redirectErrorStream(true);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isNotEqualTo(2);
    assertThat(said).as(String.join(" ", words)).isNotBlank();
    return said;
  }

  private static ProcessBuilder nightsweep(Path home, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.awt.headless=true",
                "-Duser.home=" + home,
                "-cp",
                System.getProperty("java.class.path"),
                "io.nightsweep.cli.Main"));
    command.addAll(List.of(words));
    return new ProcessBuilder(command);
  }

  private static Process serve(StateDirectory state, Path home, Path log, BotApi api, Hook hook)
      throws IOException {
    ProcessBuilder builder = nightsweep(home, "serve", "--state", state.root().toString());
    builder.environment().put("NIGHTSWEEP_WEBHOOK_URL", hook.url());
    builder.environment().put("HTTPS_PROXY", "http://me:canary-of-a-proxy@127.0.0.1:9");
    builder
        .environment()
        .putAll(
            Map.of(
                ChatSettings.SERVER,
                api.url(),
                ChatSettings.ROUTINE,
                "100",
                "HF_TOKEN",
                "canary-of-hf-in-the-environment",
                "MY_API_KEY",
                "canary-of-an-api-key",
                "TG_NOTE",
                "canary-of-telegram",
                "DB_PASSWORD",
                "canary-of-a-database"));
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .start();
  }

  private static Stream<Path> files(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile).toList().stream();
    }
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }
}
