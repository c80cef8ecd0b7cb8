package io.nightsweep.chat;

import static io.nightsweep.chat.PlantedSweeps.CANARY;
import static io.nightsweep.chat.PlantedSweeps.CHAT;
import static io.nightsweep.chat.PlantedSweeps.LOGGED;
import static io.nightsweep.chat.PlantedSweeps.MEASURED;
import static io.nightsweep.chat.PlantedSweeps.PATIENCE;
import static io.nightsweep.chat.PlantedSweeps.SWEEP;
import static io.nightsweep.chat.PlantedSweeps.TOKEN;
import static io.nightsweep.chat.PlantedSweeps.in;
import static io.nightsweep.chat.PlantedSweeps.said;
import static io.nightsweep.chat.PlantedSweeps.script;
import static io.nightsweep.chat.PlantedSweeps.spec;
import static io.nightsweep.chat.PlantedSweeps.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Redaction;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.sweep.Phase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plants secrets wherever a night may meet them, and searches everything that the night left. */
@Tag("guard")
@Tag("recovery")
@Tag("slow")
class SecretsTest {
  /** Writes each file that a job's wrapper writes, before the wrapper does. */
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
            dir,
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
    Path candid = script(dir, "candid", CANDID.replace("@KEY@", LOGGED));
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

  /** Telegram briefly shows 200 characters beside a button. */
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

  /** Whether the second program itself wrote this file into its job's folder. */
  private static boolean isOfTheProgram(Path file) {
    String name = file.getFileName().toString();
    return name.equals("exit.json")
        || name.startsWith("duplicate.")
        || name.equals("claim.of-nobody");
  }

  /** A job may print its own secrets; those that it was given must be masked. */
  private static String withoutTheProgramsOwn(String log) {
    return log.lines().filter(line -> !line.startsWith("0: ")).collect(Collectors.joining("\n"));
  }
}
