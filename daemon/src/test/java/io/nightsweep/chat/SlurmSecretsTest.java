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
import static io.nightsweep.chat.PlantedSweeps.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.cli.InTurn;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.sweep.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Slurm's output may quote anybody's secrets: no secret may appear in a night's files and messages.
 */
@Tag("guard")
@Tag("recovery")
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class SlurmSecretsTest {
  @TempDir Path dir;

  /**
   * Texts that people wrote, such as a node's reason or a job's name and comment, and a command's
   * output.
   */
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
    assertThat(told.getLast()).contains("no Slurm answers here", "***");
    assertThat(told).noneMatch(said -> said.contains(CANARY));
  }

  /** Slurm quotes the comment in a job's state, its end, its refusal or its own errors. */
  @ParameterizedTest
  @ValueSource(strings = {"accounting_storage/slurmdbd", "(null)"})
  void noCommentOfAJobIsInAnythingThatANightLeaves(String books) throws Exception {
    String said = "ask https://bob:canary-of-a-comment@host, HF_TOKEN=" + LOGGED;
    Path commands = PlantedSlurm.commands(dir.resolve("bin"), said, books);
    Path program =
        script(
            dir,
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
        // After a refusal the daemon waits for a minute.
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

  /** The output of commands that fail. */
  private List<String> saidBy(Path commands, String... lines) throws Exception {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    List<InTurn.Said> said =
        Planted.say(dir, Stream.of(lines).map(line -> in(state, line)).toList(), commands);
    assertThat(said).allMatch(answer -> answer.code() != 0);
    return said.stream().map(InTurn.Said::text).collect(Collectors.toList());
  }
}
