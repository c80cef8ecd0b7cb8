package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.SocketServer;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.QuestionAbout;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions are shown and answered without Telegram, over the real socket. */
@Tag("guard")
class AnswerCommandsTest {
  @TempDir Path dir;

  private StateDirectory state;
  private SocketServer server;
  private final List<Command> told = new ArrayList<>();

  @BeforeEach
  void sweep() throws Exception {
    state = new StateDirectory(dir.resolve("state"));
    state.create();
    Files.createDirectories(state.sweep("s").root());
    server = SocketServer.listen(state.socket(), this::answer, Duration.ofSeconds(30));
  }

  @AfterEach
  void close() throws Exception {
    server.close();
  }

  @Test
  @Tag("agent")
  void theOnlyOpenQuestionIsMeantWhereNoneIsNamed() throws Exception {
    journal(
        new Event.QuestionAsked(
            "t0001a1-0", new QuestionAbout.Told("May I?"), Duration.ofDays(9), false));
    assertThat(say("status"))
        .contains("ASKS t0001a1-0: May I?")
        .contains("nightsweep approve t0001a1-0, or deny; without an answer it is no at");
    assertThat(say("approve")).contains("s: the answer is yes");
    assertThat(say("deny", "t0001a1-0")).contains("s: the answer is no");
    assertThat(told)
        .containsExactly(new Command.Approve("t0001a1-0"), new Command.Deny("t0001a1-0"));
  }

  @Test
  void ofSeveralOneMustBeNamedAndWithoutAnyItSaysSo() throws Exception {
    journal(
        new Event.QuestionAsked("a", new QuestionAbout.Told("May I?"), Duration.ofDays(9), false),
        new Event.QuestionAsked("b", new QuestionAbout.Told("Shall I?"), Duration.ofDays(9), true));
    assertThat(say("approve")).contains("several questions are open; say which: a, b");
    Files.delete(state.sweep("s").journal());
    journal(
        new Event.QuestionAsked("a", new QuestionAbout.Told("May I?"), Duration.ofDays(9), false),
        new Event.QuestionLapsed("a"));
    assertThat(say("deny")).contains("s asks nothing");
    assertThat(told).isEmpty();
  }

  /**
   * Status does not claim that a job still runs: it says what its log showed last, and how long
   * ago.
   */
  @Test
  @Tag("agent")
  void ofAJobThatIsSaidWhichIsAttested() throws Exception {
    AttemptId attempt = new AttemptId(new TrialId(1), 1);
    Trial trial =
        new Trial(
            attempt.trial(), "baseline", 1, Trial.Purpose.CONTROL, "baseline-deployed", "1MiB", 1);
    List<Event> queued =
        List.of(
            new Event.WaveOpened("baseline", List.of(trial)),
            new Event.SubmissionIntended(attempt, "ns-s-t0001a1"),
            new Event.Submitted(attempt, new JobId("7")));
    Event started =
        new Event.AttemptStarted(attempt, Instant.now().minusSeconds(300), List.of("n1"));
    Instant seen = Instant.now().minusSeconds(40);
    Event step = new Event.AttemptProgressed(attempt, 10, 15);
    assertThat(told(queued, seen)).contains("baseline-deployed  waits in the queue");
    assertThat(told(joined(queued, started), seen)).contains("started 5 min ago, no step seen yet");
    assertThat(told(joined(queued, started, step), seen))
        .containsPattern("step 11 of 15, (39|4\\d|5\\d) s ago")
        .doesNotContain("running,", "job 7  t0001a1  baseline-deployed  running");
    String json = say("status", "--json");
    assertThat(json).contains("\"stepSeenAt\":", "\"step\":10", "\"stepsTotal\":15");
  }

  private static List<Event> joined(List<Event> first, Event... more) {
    List<Event> all = new ArrayList<>(first);
    all.addAll(List.of(more));
    return all;
  }

  private String told(List<Event> events, Instant at) throws Exception {
    Files.deleteIfExists(state.sweep("s").journal());
    try (FileJournal journal = FileJournal.open(state.sweep("s").journal(), e -> {})) {
      journal.append(at, List.of(new Event.SweepStarted("s", 1, Specs.kernels(3))));
      journal.append(at, events);
    }
    return say("status");
  }

  private void journal(Event... events) throws Exception {
    List<Event> all = new ArrayList<>();
    all.add(new Event.SweepStarted("s", 1, Specs.kernels(3)));
    all.addAll(List.of(events));
    try (FileJournal journal = FileJournal.open(state.sweep("s").journal(), e -> {})) {
      journal.append(Instant.now(), all);
    }
  }

  private String say(String... words) {
    return Typed.in(state.root(), words).said();
  }

  private Reply answer(Request request) {
    if (request instanceof Request.Tell tell) {
      told.add(tell.command());
    }
    return new Reply.Accepted();
  }
}
