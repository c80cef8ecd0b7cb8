package io.nightsweep.cli;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.engine.Version;
import io.nightsweep.journal.JournalReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** The background daemon of a state directory. */
final class Background {
  /** A loaded machine may take many seconds; a daemon that dies is told at once. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final int IDLE_SECONDS = 600;

  private Background() {}

  /**
   * Starts a daemon in a session of its own, unless one of this build answers. A daemon of another
   * build is replaced; its sweeps continue from their journals without loss.
   *
   * @param out receives a line when a daemon is started, with how to end it, or when one is
   *     replaced
   */
  static void ensure(StateDirectory state, PrintWriter out)
      throws IOException, CliException, InterruptedException {
    DaemonClient client = new DaemonClient(state);
    Optional<Reply.Pong> answer = client.ping();
    if (answer.isEmpty()) {
      out.println(
          "no daemon runs: one is started"
              + (isAnyUnfinished(state) ? ", and unfinished sweeps go on" : "")
              + ". It ends by itself %d minutes after its last work; to end it now: nightsweep stop --daemon"
                  .formatted(IDLE_SECONDS / 60));
      out.flush();
    } else {
      Reply.Pong pong = answer.get();
      if (pong.build().filter(Version.build()::equals).isPresent()) {
        return;
      }
      if (!ended(pong)) {
        throw new CliException(
            ExitCode.FAILED,
            "the daemon is of another build and does not end; end it: kill " + pong.pid());
      }
      out.println(
          "the daemon of another build is replaced ("
              + pong.build().orElse("version " + pong.version())
              + "); its sweeps go on from their journals");
      out.flush();
    }
    state.create();
    Process process =
        new ProcessBuilder(command(state))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(state.log().toFile()))
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .start();
    Instant limit = Instant.now().plus(PATIENCE);
    while (client.ping().isEmpty()) {
      if (!process.isAlive() || Instant.now().isAfter(limit)) {
        throw new CliException(
            ExitCode.FAILED,
            "the daemon did not start; its log, " + state.log() + ", ends with:\n" + end(state));
      }
      Thread.sleep(100);
    }
  }

  /** Whether a sweep in the state directory is unfinished and needs a daemon. */
  static boolean isAnyUnfinished(StateDirectory state) throws IOException {
    for (SweepDirectory sweep : state.all()) {
      if (!JournalReader.endsFinished(sweep.journal())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Ends a daemon by a signal on which it closes its journals properly.
   *
   * @return false where its process still lives half a minute later, or belongs to another user
   */
  static boolean ended(Reply.Pong daemon) {
    Optional<ProcessHandle> process = ProcessHandle.of(daemon.pid());
    process.ifPresent(ProcessHandle::destroy);
    try {
      process.map(ProcessHandle::onExit).orElseGet(CompletableFuture::new).get(30, SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  private static String end(StateDirectory state) throws IOException {
    List<String> lines =
        Files.readAllLines(state.log()).stream().filter(l -> !l.isBlank()).toList();
    return lines.isEmpty() ? "(nothing)" : "  " + lines.getLast();
  }

  /** The command line that starts this program again; the arguments follow it. */
  static List<String> thisProgram() {
    List<String> command = new ArrayList<>();
    Path launcher = Places.home().resolve("nightsweep");
    if (Files.isExecutable(launcher)) {
      command.add(launcher.toString());
    } else {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    }
    return command;
  }

  private static List<String> command(StateDirectory state) {
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(thisProgram());
    command.addAll(
        List.of("serve", "--state", state.root().toString(), "--idle-exit", "" + IDLE_SECONDS));
    return command;
  }
}
