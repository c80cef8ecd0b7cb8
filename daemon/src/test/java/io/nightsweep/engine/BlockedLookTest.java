package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.nightsweep.chat.ChatSettings;
import io.nightsweep.chat.Messenger;
import io.nightsweep.chat.WebhookAddress;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Phase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A look at one sweep takes long, as when Slurm or a file server hangs. */
@Tag("guard")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class BlockedLookTest extends DaemonFixture {
  private static final Duration LONG_LOOK = Duration.ofSeconds(1);

  @BeforeEach
  void freeze() {
    parts.frozen = true;
  }

  private void hang(Daemon daemon) {
    parts.hang(daemon, "s", LONG_LOOK);
  }

  @Test
  void neitherOtherSweepsWaitForItNorWhoAsks() throws Exception {
    parts.giveUpAfter(Duration.ofSeconds(8));
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.handle(start("s", "n1"));
      daemon.handle(start("t", "n2"));
      hang(daemon);
      CompletableFuture<Reply> paused = told(daemon, "s", new Command.Pause());
      assertThat(daemon.handle(start("u", "n3"))).isEqualTo(new Reply.Started("u"));
      assertThat(told(daemon, "t", new Command.Pause()).get()).isEqualTo(new Reply.Accepted());
      assertThat(paused).as("both were answered before").isNotDone();
      assertThat(paused.get())
          .isInstanceOfSatisfying(
              Reply.Refused.class,
              r -> assertThat(r.reason()).contains("a look at sweep s", "nothing was done"));
      parts.hanging = Optional.empty();
      assertThat(daemon.state("s").orElseThrow().phase()).isInstanceOf(Phase.Running.class);
      assertThat(told(daemon, "s", new Command.Pause()).get()).isEqualTo(new Reply.Accepted());
    }
  }

  /** It has issued a message about its own sweep, which cannot be journaled. */
  @Test
  void neitherItsAlarmNorOtherSweepsMessagesWaitForIt() throws Exception {
    List<String> got = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          got.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    Messenger.Addresses webhook =
        Messenger.Addresses.find(Map.of(WebhookAddress.Service.SLACK.variable(), url), dir);
    parts.telling =
        Optional.of(
            sweeps ->
                Messenger.open(
                    webhook, ChatSettings.defaults(), sweeps, dir, Redaction.byForm(), parts));
    parts.giveUpAfter(Duration.ofSeconds(4));
    parts.hanging = Optional.of("tick s");
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.handle(start("s", "n1"));
      await().atMost(PATIENCE).until(() -> daemon.blocked(LONG_LOOK).contains("s"));
      daemon.alarm(LONG_LOOK);
      daemon.handle(start("t", "n2"));
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(got)
                      .anyMatch(message -> message.contains("NOT LOOKED AT"))
                      .anyMatch(message -> message.contains("Sweep: t\\n")));
    } finally {
      parts.hanging = Optional.empty();
      server.stop(0);
    }
  }

  /** A check against the state alone would admit both commands during the look. */
  @Test
  void whatIsAskedMeanwhileIsHeldAgainstWhatWasAskedBefore() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.handle(start("s", "n1"));
      // A look at a paused sweep queries the cluster only if the sweep has a job.
      await()
          .atMost(PATIENCE)
          .until(() -> daemon.state("s").filter(s -> !s.inFlight().isEmpty()).isPresent());
      assertThat(told(daemon, "s", new Command.Pause()).get()).isEqualTo(new Reply.Accepted());
      hang(daemon);
      CompletableFuture<Reply> stopped =
          told(daemon, "s", new Command.Stop(Command.Stop.Mode.CANCEL));
      CompletableFuture<Reply> resumed =
          told(daemon, "s", new Command.Resume(Optional.empty(), Optional.empty()));
      await()
          .during(Duration.ofSeconds(1))
          .atMost(PATIENCE)
          .until(() -> !stopped.isDone() && !resumed.isDone());
      parts.hanging = Optional.empty();
      assertThat(stopped.get()).isEqualTo(new Reply.Accepted());
      assertThat(resumed.get()).isNotNull();
      assertThat(daemon.state("s").filter(s -> s.phase() instanceof Phase.Running))
          .as("a stop stays one")
          .isEmpty();
    }
  }

  /**
   * The look waits as for a dead file server. It hangs until the end, since otherwise it would
   * write into a folder that is being removed.
   */
  @Test
  void aDaemonThatEndsDoesNotWaitForOneThatNothingInterrupts() throws Exception {
    parts.giveUpAfter(Duration.ofSeconds(2));
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.handle(start("s", "n1"));
      parts.deaf = true;
      hang(daemon);
      CompletableFuture<Void> ended =
          CompletableFuture.runAsync(() -> close(daemon), Thread::startVirtualThread);
      await().atMost(PATIENCE).until(ended::isDone);
    }
  }

  private static void close(Daemon daemon) {
    try {
      daemon.close("SIGTERM");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CompletableFuture<Reply> told(Daemon daemon, String sweep, Command command) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return tell(daemon, sweep, command);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
          }
        },
        Thread::startVirtualThread);
  }
}
