package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.SocketServer;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Event;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  void theOnlyOpenQuestionIsMeantWhereNoneIsNamed() throws Exception {
    journal(new Event.QuestionAsked("t0001a1-0", "May I?", Duration.ofDays(9), false));
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
        new Event.QuestionAsked("a", "May I?", Duration.ofDays(9), false),
        new Event.QuestionAsked("b", "Shall I?", Duration.ofDays(9), true));
    assertThat(say("approve")).contains("several questions are open; say which: a, b");
    Files.delete(state.sweep("s").journal());
    journal(
        new Event.QuestionAsked("a", "May I?", Duration.ofDays(9), false),
        new Event.QuestionLapsed("a"));
    assertThat(say("deny")).contains("s asks nothing");
    assertThat(told).isEmpty();
  }

  private void journal(Event... events) throws Exception {
    List<Event> all = new ArrayList<>();
    all.add(new Event.SweepStarted("s", 1, Specs.kernels(3, Optional.empty())));
    all.addAll(List.of(events));
    try (FileJournal journal = FileJournal.open(state.sweep("s").journal(), e -> {})) {
      journal.append(Instant.now(), all);
    }
  }

  private String say(String... arguments) {
    StringWriter said = new StringWriter();
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--state", state.root().toString()));
    int unused =
        Main.commandLine()
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute(all.toArray(String[]::new));
    return said.toString();
  }

  private Reply answer(Request request) {
    if (request instanceof Request.Tell tell) {
      told.add(tell.command());
    }
    return new Reply.Accepted();
  }
}
