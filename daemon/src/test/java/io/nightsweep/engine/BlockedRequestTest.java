package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.sweep.Command;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A request about one sweep takes long, as when Slurm or a file server hangs. */
@Tag("guard")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class BlockedRequestTest extends DaemonFixture {
  private static final Duration SOON = Duration.ofSeconds(3);

  @AfterEach
  void answer() {
    parts.hanging = Optional.empty();
  }

  @Test
  void aStartHoldsUpNobodyAndHasItsNodesToItself() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      FutureTask<Reply> hung =
          hang("facts of s", () -> daemon.handle(DaemonTest.start("s", "n1", "n2")));
      assertThat(soon(() -> daemon.handle(DaemonTest.start("t", "n3"))))
          .isEqualTo(new Reply.Started("t"));
      refused(
          soon(() -> daemon.handle(DaemonTest.start("u", "n2"))),
          "sweep s is being started on n2; wait for it");
      refused(
          soon(() -> tell(daemon, "s", new Command.Stop(Command.Stop.Mode.CANCEL))),
          "sweep s is being started, which takes 40 s at most");
      assertThat(soon(() -> tell(daemon, "t", new Command.Stop(Command.Stop.Mode.CANCEL))))
          .isEqualTo(new Reply.Accepted());
      await().atMost(PATIENCE).until(() -> folded("t").isFinished());
      await().atMost(PATIENCE).until(() -> daemon.state("t").isEmpty());
      assertThat(soon(daemon::idleFor)).as("a start is under way").isZero();
      assertThat(daemon.refuseIfIdle()).as("a start is under way").isFalse();
      parts.hanging = Optional.empty();
      assertThat(hung.get()).isEqualTo(new Reply.Started("s"));
      assertThat(state.all()).extracting(SweepDirectory::id).containsExactly("s", "t");
    }
  }

  /** A thread that waits for a dead file server cannot be interrupted. */
  @Test
  void aStartThatHangsGivesUpAndItsNodesAreFree() throws Exception {
    parts.giveUpAfter(SOON);
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      parts.deaf = true;
      FutureTask<Reply> hung =
          hang("facts of s", () -> daemon.handle(DaemonTest.start("s", "n1", "n2")));
      refused(
          hung.get(PATIENCE.toSeconds(), TimeUnit.SECONDS),
          "cannot be read in time; nothing was done, so ask again");
      assertThat(state.sweep("s").root()).doesNotExist();
      parts.frozen = true;
      assertThat(soon(() -> daemon.handle(DaemonTest.start("t", "n2"))))
          .isEqualTo(new Reply.Started("t"));
    }
  }

  /** The sweep would be started by a process that is about to end, and then driven by none. */
  @Test
  void aStartThatADaemonGetsWhileItEndsIsRefused() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      assertThat(daemon.refuseIfIdle()).isTrue();
      refused(daemon.handle(DaemonTest.start("s", "n1")), "about to end; nothing was done");
      assertThat(state.sweep("s").root()).doesNotExist();
    }
  }

  @Test
  void aMoveHoldsUpNobodyAndChecksItsNodesAfterTheAnswer() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.handle(DaemonTest.start("s", "n1"));
      assertThat(tell(daemon, "s", new Command.Pause())).isEqualTo(new Reply.Accepted());
      await().atMost(PATIENCE).until(() -> folded("s").inFlight().isEmpty());
      parts.frozen = true;
      FutureTask<Reply> hung = hang("nodes of s", () -> tell(daemon, "s", resumeOn("n1", "n2")));
      assertThat(soon(() -> daemon.handle(DaemonTest.start("t", "n2"))))
          .isEqualTo(new Reply.Started("t"));
      parts.hanging = Optional.empty();
      refused(hung.get(), "sweep t has pinned n2; wait for it, end it with 'nightsweep stop");
      assertThat(tell(daemon, "s", resumeOn("n1", "n3"))).isEqualTo(new Reply.Accepted());
      refused(daemon.handle(DaemonTest.start("u", "n3")), "sweep s has pinned n3");
    }
  }

  @Test
  void aValidationHoldsUpNobodyAndChecksItsNodesAfterTheAnswer() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.handle(DaemonTest.validatable(DaemonTest.start("s", "n1")));
      await().atMost(PATIENCE).until(() -> folded("s").isFinished());
      await().atMost(PATIENCE).until(() -> daemon.state("s").isEmpty());
      parts.frozen = true;
      FutureTask<Reply> hung = hang("request", () -> tell(daemon, "s", new Command.Validate()));
      assertThat(soon(() -> daemon.handle(DaemonTest.start("t", "n1"))))
          .isEqualTo(new Reply.Started("t"));
      parts.hanging = Optional.empty();
      refused(hung.get(), "sweep t has pinned n1");
      assertThat(tell(daemon, "t", new Command.Stop(Command.Stop.Mode.CANCEL)))
          .isEqualTo(new Reply.Accepted());
      parts.frozen = false;
      await().atMost(PATIENCE).until(() -> daemon.state("t").isEmpty());
      parts.frozen = true;
      assertThat(tell(daemon, "s", new Command.Validate())).isEqualTo(new Reply.Accepted());
      refused(
          daemon.handle(DaemonTest.start("u", "n1")),
          "sweep s has pinned n1 for its run on real data; wait for it, or choose");
    }
  }

  /** A client gives up half a minute after its request. */
  @Test
  void allThatARequestWaitsForHasOneDeadline() throws Exception {
    parts.giveUpAfter(SOON);
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.handle(DaemonTest.start("s", "n1"));
      tell(daemon, "s", new Command.Pause());
      await().atMost(PATIENCE).until(() -> folded("s").inFlight().isEmpty());
      FutureTask<Reply> first = hang("nodes of s", () -> tell(daemon, "s", resumeOn("n2")));
      FutureTask<Reply> second = request(() -> tell(daemon, "s", resumeOn("n3")));
      refused(first.get(PATIENCE.toSeconds(), TimeUnit.SECONDS), "nothing was done, so ask again");
      refused(second.get(PATIENCE.toSeconds(), TimeUnit.SECONDS), "nothing was done, so ask again");
      assertThat(folded("s").cell().nodes()).containsExactly("n1");
    }
  }

  /**
   * Returns once the request waits.
   *
   * @param thread the thread that gets no answer
   */
  private FutureTask<Reply> hang(String thread, Callable<Reply> request) {
    parts.hanging = Optional.of(thread);
    return request(request);
  }

  private static FutureTask<Reply> request(Callable<Reply> request) {
    FutureTask<Reply> reply = new FutureTask<>(request);
    Thread thread = Thread.ofPlatform().name("request").daemon().start(reply);
    await().atMost(PATIENCE).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    return reply;
  }

  private static <T> T soon(Callable<T> call) throws Exception {
    FutureTask<T> answer = new FutureTask<>(call);
    Thread.ofPlatform().daemon().start(answer);
    return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static Command resumeOn(String... nodes) {
    return new Command.Resume(Optional.of(List.of(nodes)), Optional.empty());
  }

  private static void refused(Reply reply, String why) {
    assertThat(reply)
        .isInstanceOfSatisfying(Reply.Refused.class, r -> assertThat(r.reason()).contains(why));
  }
}
