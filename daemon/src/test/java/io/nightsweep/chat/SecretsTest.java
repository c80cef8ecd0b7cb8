package io.nightsweep.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nightsweep.cli.InTurn;
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
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepSpec;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** It is measured, compared and drawn, whatever its jobs print and plant. */
  private static final String MEASURED =
      """
      model: candid
      parallelism: ranks=1
      slot: {nodelist: "n1"}
      workload:
        kind: command
        command: exec @PROGRAM@
        pattern: 'step (?<step>\\d+): (?<value>[\\d.]+) items/s'
        steps: 8
        launch: once
      metric: {name: speed, unit: items/s, better: higher}
      profiles: {faster: {env: {SPEED: 1300}}}
      plan:
        waves:
          - {name: baseline, kind: baseline, profiles: [baseline-deployed], repetitions: 2, why: noise}
          - {name: screen, kind: screen, profiles: [faster], repetitions: 2, why: each of them}
      budget: {jobs: 8, hours: 1}
      playbook: common
      """;

  /** Each file that a job's wrapper writes, before the wrapper does. */
  private static final String CANDID =
      """
      #!/bin/bash
      printenv
      here=$(dirname "$(readlink /proc/$$/fd/1)") job=$NIGHTSWEEP_JOB_ID now=$(date +%s)
      for record in exit duplicate.$job; do
        printf '{"job":"%s","exitCode":0,"signal":0,"startedAt":%d,"endedAt":%d,"host":"@KEY@"}' \
          "$job" "$now" "$now" >"$here/$record.json"
      done
      echo "HF_TOKEN=@KEY@" >"$here/claim.of-nobody"
      echo "0: nightsweep: effective HF_TOKEN=@KEY@"
      echo "0: WARNING the proxy http://me:canary-of-a-proxy@proxy:3128 does not answer, key @KEY@"
      for step in 0 1 2 3 4 5 6 7; do
        echo "0: step $step: $((${SPEED:-1000} + RANDOM % 5)) items/s, KEY=@KEY@"
      done
      """;

  @TempDir Path dir;

  @Test
  void noSecretIsInAnythingThatANightLeaves() throws Exception {
    Path home = Files.createDirectories(dir.resolve("home"));
    Path config = home.resolve(".tg_config");
    Files.createFile(
        config, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(config, "BotToken " + TOKEN + "\nChatID " + CHAT + "\n");
    Path program =
        script(
            "leaky",
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
    Path candid = script("candid", CANDID.replace("@KEY@", LOGGED));
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    Path daemonLog = dir.resolve("daemon.log");
    List<String> told = new CopyOnWriteArrayList<>();
    try (BotApi api = new BotApi(TOKEN, CHAT);
        Planted.Hook hook = new Planted.Hook()) {
      Process daemon = Planted.serve(state, home, daemonLog, api, hook);
      try {
        DaemonClient client = new DaemonClient(state);
        await().atMost(PATIENCE).until(() -> client.ping().isPresent());
        String text = SWEEP.formatted(program, "OMPI_MCA_coll_tuned_use_dynamic_rules: 1");
        String sweep = started(client, "leaky", text, state);
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
        Path log =
            Planted.files(state.root())
                .filter(f -> f.endsWith("job.log"))
                .findFirst()
                .orElseThrow();
        told.addAll(
            said(
                home,
                "triage " + log,
                in(state, "explain"),
                in(state, "explain linear --events"),
                in(state, "status --json"),
                in(state, "watch --json"),
                in(state, "report"),
                in(state, "page --export " + dir.resolve("page.html")),
                in(state, "doctor --json")));
        List<String> answers =
            Planted.asked(
                state,
                home,
                List.of(
                    "\"status\", \"arguments\": {}",
                    "\"events\", \"arguments\": {}",
                    "\"explain\", \"arguments\": {}",
                    "\"leaderboard\", \"arguments\": {}"));
        assertThat(answers)
            .allSatisfy(a -> assertThat(a).contains("leaky").doesNotContain("\"refused\""));
        answers.forEach(answer -> told.add("an assistant asked: " + answer));
        told.add("the exported page: " + Planted.read(dir.resolve("page.html")));
        String measured =
            started(client, "candid", MEASURED.replace("@PROGRAM@", candid.toString()), state);
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    JournalReader.fold(state.sweep(measured).journal()).phase()
                        instanceof Phase.Finished);
        String ofIt = " --sweep " + measured;
        told.addAll(
            said(
                home,
                in(state, "explain faster" + ofIt),
                in(state, "status" + ofIt),
                in(state, "report" + ofIt),
                in(state, "page --export " + dir.resolve("2.html") + ofIt)));
        told.add("the exported page: " + Planted.read(dir.resolve("2.html")));
        await().atMost(PATIENCE).until(() -> hook.bodies.size() > 2);
        told.addAll(hook.bodies);
      } finally {
        daemon.destroy();
        daemon.waitFor();
      }
      List<Path> logs = Planted.files(state.root()).filter(f -> f.endsWith("job.log")).toList();
      assertThat(logs).isNotEmpty();
      assertThat(Planted.read(logs.getFirst())).as("the job printed its own").contains(LOGGED);
      // A core dump would hold the environment.
      assertThat(Planted.read(logs.getFirst())).contains("0: a core dump may have 0 blocks");
      List<String> leaks = new ArrayList<>();
      for (Path file : Planted.files(state.root()).filter(f -> !isOfTheProgram(f)).toList()) {
        String text = Planted.read(file);
        String foreign = file.endsWith("job.log") ? withoutTheProgramsOwn(text) : text;
        if (foreign.contains(CANARY)) {
          leaks.add(file.toString());
        }
      }
      if (Planted.read(daemonLog).contains(CANARY)) {
        leaks.add("the daemon's log");
      }
      told.stream().filter(text -> text.contains(CANARY)).forEach(leaks::add);
      for (String request : api.raw) {
        if (request.contains(CANARY)) {
          leaks.add("Telegram: " + request);
        }
      }
      assertThat(leaks).isEmpty();
      assertThat(Planted.files(state.root()).filter(f -> f.endsWith("exit.json")))
          .as("a planted record stays")
          .anySatisfy(f -> assertThat(f).content().contains(LOGGED));
      assertThat(Planted.files(state.root()).map(f -> f.getFileName().toString()))
          .contains(
              "journal.jsonl",
              "decisions.jsonl",
              "job.sh",
              "tuning.json",
              "allreduce-tuning.md",
              "candid-tuning.md")
          .as("a chart is drawn")
          .anyMatch(name -> name.endsWith(".png"));
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
    List<String> told =
        saidBy(commands, "doctor " + file, "doctor --json " + file, "start " + file);
    assertThat(told.getFirst()).contains("n1 is drained: ask ", "***", "7 of bob");
    Files.delete(commands.resolve("sinfo"));
    Files.move(commands.resolve("sacct"), commands.resolve("sinfo"));
    Files.writeString(
        commands.resolve("sinfo"), "#!/bin/sh\necho HF_TOKEN=canary-of-an-error >&2\nexit 1\n");
    told.addAll(saidBy(commands, "doctor " + file));
    assertThat(told.getLast()).contains("gives no answer", "***");
    assertThat(told).noneMatch(said -> said.contains(CANARY));
  }

  /** Slurm quotes it where it tells a job's state, its end, its refusal or its own trouble. */
  @ParameterizedTest
  @ValueSource(strings = {"accounting_storage/slurmdbd", "(null)"})
  void noCommentOfAJobIsInAnythingThatANightLeaves(String books) throws Exception {
    String said = "ask https://bob:canary-of-a-comment@host, HF_TOKEN=" + LOGGED;
    Path commands = PlantedSlurm.commands(dir.resolve("bin"), said, books);
    Path program =
        script(
            "plain",
            """
            #!/bin/bash
            [ "$SLURM_JOB_ID" != 8 ] || kill -9 $(cat %s/jobs/8.pid)
            for step in 0 1 2 3 4 5 6 7; do
              echo "0: step $step: $((${SPEED:-1000} + RANDOM %% 5)) items/s"
            done
            sleep 3
            """
                .formatted(commands));
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    Path home = Files.createDirectories(dir.resolve("home"));
    Path daemonLog = dir.resolve("daemon.log");
    List<String> told = new ArrayList<>();
    try (BotApi api = new BotApi(TOKEN, CHAT);
        Planted.Hook hook = new Planted.Hook()) {
      Process daemon = Planted.serve(state, home, daemonLog, api, hook, commands);
      try {
        DaemonClient client = new DaemonClient(state);
        await().atMost(PATIENCE).until(() -> client.ping().isPresent());
        String sweep =
            started(
                client,
                "queued",
                MEASURED.replace("@PROGRAM@", program.toString()),
                state,
                ClusterChoice.Kind.SLURM);
        Path journal = state.sweep(sweep).journal();
        // A refusal is waited out for a minute.
        await().atMost(PATIENCE).until(() -> Planted.read(journal).contains("SubmissionRefused"));
        Command stop = new Command.Stop(Command.Stop.Mode.CANCEL);
        Command.Origin me = new Command.Origin(Command.Origin.Door.CLI, "me");
        client.ask(new Request.Tell(sweep, stop, me), PATIENCE);
        await().atMost(PATIENCE).until(() -> JournalReader.fold(journal).isFinished());
        assertThat(Planted.read(journal))
            .contains(books.equals("(null)") ? "\"CONTROLLER\"" : "\"ACCOUNTING\"");
        String ofIt = " --sweep " + sweep;
        told.addAll(
            said(
                home,
                in(state, "explain --events" + ofIt),
                in(state, "status" + ofIt),
                in(state, "report" + ofIt),
                in(state, "page --export " + dir.resolve("p") + ofIt)));
        told.add(Planted.read(dir.resolve("p")));
        await().atMost(PATIENCE).until(() -> !hook.bodies.isEmpty());
        told.addAll(hook.bodies);
        told.add(Planted.read(daemonLog));
      } finally {
        daemon.destroy();
        daemon.waitFor();
      }
    }
    for (Path file : Planted.files(state.root()).toList()) {
      told.add(file + ": " + Planted.read(file));
    }
    assertThat(told).noneMatch(text -> text.contains(CANARY));
    assertThat(told.getFirst()).contains("the comment 'ask https://***@host");
  }

  private static List<String> said(Path home, String... lines) throws Exception {
    return Planted.say(home, List.of(lines)).stream().map(InTurn.Said::text).toList();
  }

  private static String in(StateDirectory state, String line) {
    return line + " --state " + state.root();
  }

  /** What commands say that do not succeed. */
  private List<String> saidBy(Path commands, String... lines) throws Exception {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    List<InTurn.Said> said =
        Planted.say(dir, Stream.of(lines).map(line -> in(state, line)).toList(), commands);
    assertThat(said).allMatch(answer -> answer.code() != 0);
    return said.stream().map(InTurn.Said::text).collect(Collectors.toList());
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
              new Health(InstantSource.system()),
              new MovedGroups(dir.resolve("telegram.moved")));
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

  private Path script(String name, String text) throws Exception {
    Path program = Files.writeString(dir.resolve(name), text);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program;
  }

  private static String started(DaemonClient client, String name, String text, StateDirectory state)
      throws Exception {
    return started(client, name, text, state, ClusterChoice.Kind.LOCAL);
  }

  private static String started(
      DaemonClient client,
      String name,
      String text,
      StateDirectory state,
      ClusterChoice.Kind cluster)
      throws Exception {
    Reply reply =
        client.ask(
            new Request.Start(
                name,
                text,
                new SweepOrigin(ClusterChoice.of(cluster, Map.of()), "sweep.yaml", "me"),
                spec(text, state)),
            PATIENCE);
    return ((Reply.Started) reply).sweep();
  }

  /** What the second program itself wrote into its job's folder. */
  private static boolean isOfTheProgram(Path file) {
    String name = file.getFileName().toString();
    return name.equals("exit.json")
        || name.startsWith("duplicate.")
        || name.equals("claim.of-nobody");
  }

  /** What the job prints is its own; what it was given is not. */
  private static String withoutTheProgramsOwn(String log) {
    return log.lines().filter(line -> !line.startsWith("0: ")).collect(Collectors.joining("\n"));
  }
}
