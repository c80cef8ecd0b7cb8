package io.nightsweep.chat;

import static io.nightsweep.chat.ChattyDaemon.CHAT;
import static io.nightsweep.chat.ChattyDaemon.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.NoticeState;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chat end to end: real sweeps on this machine, a strict Bot API over real HTTP. */
@Tag("telegram")
class TelegramIT {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final long ANNA = 7;
  private static final long STRANGER = 666;

  @TempDir Path dir;
  private BotApi api;

  @BeforeEach
  void server() throws Exception {
    api = new BotApi(TOKEN, CHAT, STRANGER);
  }

  @AfterEach
  void noRuleWasBroken() {
    api.close();
    assertThat(api.violations).isEmpty();
  }

  @Test
  void fromKickoffToStopToResumeByButtonToFinish() throws Exception {
    try (ChattyDaemon daemon = daemon()) {
      String sweep = daemon.startWithABrokenProfile();
      assertThat(message(m -> m.text().contains("sweep started")).text())
          .contains(
              "allreduce ranks=2",
              "2 candidates",
              "screen",
              "40 jobs",
              "Rehearsed: 8 jobs in about a minute");
      ReceivedMessage stop = message(m -> m.text().contains("[nightsweep STOP]"));
      assertThat(stop.text())
          .contains(
              "[nightsweep STOP] allreduce ranks=2 sweep halted",
              "Reason: ",
              "Failing node(s): ",
              "- Nodelist: n[1-2]",
              "- Profiles tested so far: ",
              "- Pending profiles, cancelled by the stop: ",
              "Artifacts: ",
              "Awaiting your decision before resuming.");
      assertThat(stop.buttons())
          .extracting(b -> b.path("text").asText())
          .containsExactly("Resume", "Resume without broken", "Stop for good");

      String without = stop.button("Resume without broken");
      api.presses(CHAT, ANNA, stop.id(), without);
      api.presses(CHAT, ANNA, stop.id(), without);
      api.presses(CHAT, ANNA, stop.id(), stop.button("Stop for good"));
      ReceivedMessage finish = message(m -> m.text().contains("sweep finished"));
      assertThat(finish.text()).contains("Outcome: ");
      await().atMost(PATIENCE).until(() -> sent("senddocument").size() == 1);
      assertThat(sent("sendphoto")).hasSizeGreaterThanOrEqualTo(2);
      assertThat(sent("senddocument").getFirst().file())
          .contains("# allreduce", "## Leaderboard", "broken");
      await().atMost(PATIENCE).until(() -> allSettled(daemon.folded(sweep)));

      List<Command> commands =
          daemon.folded(sweep).commands().stream().map(SweepState.CommandRecord::command).toList();
      assertThat(commands)
          .as("the button acted once")
          .containsExactly(new Command.Resume(Optional.empty(), Optional.of("broken")));
      assertThat(daemon.folded(sweep).commands().getFirst().origin().door())
          .isEqualTo(Command.Origin.Door.TELEGRAM);
      assertThat(api.answered).contains("That halt is over.");
      int understood = indexOf(m -> m.text().startsWith("Understood: resume without broken"));
      int done = indexOf(m -> m.text().equals("Done."));
      assertThat(understood).as("echoed first").isBetween(0, done - 1);
      assertThat(everySendingIsJournaledBeforeItsDelivery(daemon.events(sweep))).isTrue();
    }
  }

  @Test
  void anUnlistedChatTriesEveryCommandAndNothingHappens() throws Exception {
    try (ChattyDaemon daemon = daemon()) {
      String sweep = daemon.startAQuietOne(1);
      message(m -> m.text().contains("sweep finished"));
      await().atMost(PATIENCE).until(() -> allSettled(daemon.folded(sweep)));
      String other = daemon.startAQuietOne(1);
      message(m -> m.text().contains("sweep started") && m.text().contains(other));
      daemon.handle(
          new Request.Tell(
              other, new Command.Pause(), new Command.Origin(Command.Origin.Door.CLI, "me")));
      await()
          .atMost(PATIENCE)
          .until(
              () -> daemon.folded(other).inFlight().isEmpty() && allSettled(daemon.folded(other)));
      // Events after the last job's end may take another look or two.
      AtomicLong last = new AtomicLong();
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofSeconds(2))
          .until(
              () -> {
                long now = daemon.folded(other).seq();
                return now == last.getAndSet(now);
              });
      int messages = api.received.size();
      long before = daemon.folded(other).seq();

      for (String text :
          List.of(
              "/status",
              "/leaderboard",
              "/log",
              "/explain",
              "/pause",
              "/resume",
              "/stop",
              "/stop cancel",
              "/skip linear",
              "/budget 99 jobs",
              "/approve x",
              "/deny x",
              "/help",
              "stop",
              "abort",
              "skip that config",
              "hello")) {
        api.says(STRANGER, STRANGER, text);
      }
      for (String action : List.of("re", "st", "lb", "pa", "sp", "sk", "ap", "bj")) {
        api.presses(STRANGER, STRANGER, 1001, new Press(action, Press.key(other), "DRAIN").data());
      }
      await().atMost(PATIENCE).until(() -> api.backlog() == 0);
      Thread.sleep(1500);
      assertThat(daemon.folded(other).seq()).as("the journal").isEqualTo(before);
      assertThat(api.received).hasSize(messages);
      assertThat(api.received).noneMatch(m -> m.chat() == STRANGER);
      assertThat(api.answered).isEmpty();
    }
  }

  @Test
  void whatHappenedWhileTheNetworkWasCutArrivesInOrderAndTogether() throws Exception {
    try (ChattyDaemon daemon = daemon()) {
      api.cut();
      String sweep = daemon.startAQuietOne(1);
      await().atMost(PATIENCE).until(() -> daemon.folded(sweep).isFinished());
      await().atMost(PATIENCE).until(() -> daemon.chat().contains("no connection"));
      assertThat(daemon.chat()).contains("messages wait");
      assertThat(api.received).isEmpty();
      long events = daemon.folded(sweep).seq();
      Thread.sleep(2500);
      assertThat(daemon.folded(sweep).seq() - events)
          .as("an outage costs no journal lines")
          .isLessThanOrEqualTo(2);
      // The queue is on disk.
      daemon.restart();
      api.restore();
      await().atMost(PATIENCE).until(() -> allSettled(daemon.folded(sweep)));
      List<String> texts =
          api.received.stream()
              .filter(m -> m.method().equals("sendmessage"))
              .map(ReceivedMessage::text)
              .toList();
      assertThat(texts.getFirst()).contains("what happened meanwhile", "sweep started");
      assertThat(texts.getFirst().indexOf("sweep started"))
          .isLessThan(texts.getFirst().indexOf("wave reviewed: baseline"));
      assertThat(texts.getLast()).contains("sweep finished");
      assertThat(texts).as("once each").hasSizeLessThanOrEqualTo(4);
      assertThat(daemon.chat()).doesNotContain("no connection");
    }
  }

  @Test
  void theNetworkIsCutAndRestoredInTheMiddleOfASweep() throws Exception {
    try (ChattyDaemon daemon = daemon()) {
      String sweep = daemon.startAQuietOne(3);
      message(m -> m.text().contains("sweep started"));
      api.cut();
      long attempts = daemon.folded(sweep).attempts().count();
      await().atMost(PATIENCE).until(() -> daemon.folded(sweep).attempts().count() > attempts + 2);
      api.restore();
      message(m -> m.text().contains("sweep finished"));
      await().atMost(PATIENCE).until(() -> allSettled(daemon.folded(sweep)));
      api.says(CHAT, ANNA, "/help");
      message(m -> m.text().startsWith("Commands"));
    }
  }

  @Test
  void commandsDoWhatTheySayAndPlainWordsAreAskedBack() throws Exception {
    try (ChattyDaemon daemon = daemon()) {
      String sweep = daemon.startAQuietOne(8);
      message(m -> m.text().contains("sweep started"));
      api.says(CHAT, ANNA, "/pause");
      message(m -> m.text().startsWith("Understood: pause"));
      await().atMost(PATIENCE).until(() -> daemon.folded(sweep).phase() instanceof Phase.Paused);
      api.says(CHAT, ANNA, "/status");
      ReceivedMessage status = message(m -> m.text().contains("is paused"));
      api.says(CHAT, ANNA, "/budget 30 jobs");
      await()
          .atMost(PATIENCE)
          .until(() -> daemon.folded(sweep).spec().budget().jobs().equals(Optional.of(30)));
      api.says(CHAT, ANNA, "skip that config");
      ReceivedMessage which = message(m -> m.text().contains("which profile is to be left out?"));
      api.presses(CHAT, ANNA, which.id(), which.button("ring"));
      await().atMost(PATIENCE).until(() -> daemon.folded(sweep).isDropped("ring"));
      api.presses(CHAT, ANNA, status.id(), status.button("Resume"));
      await().atMost(PATIENCE).until(() -> daemon.folded(sweep).phase() instanceof Phase.Running);

      api.says(CHAT, ANNA, "/pause");
      await().atMost(PATIENCE).until(() -> daemon.folded(sweep).phase() instanceof Phase.Paused);
      // The button of the same message after a restart of the daemon: it acts only once.
      daemon.restart();
      api.presses(CHAT, ANNA, status.id(), status.button("Resume"));
      message(m -> m.text().startsWith("That was done already"));
      assertThat(daemon.folded(sweep).phase()).isEqualTo(new Phase.Paused());

      api.says(CHAT, ANNA, "/log");
      api.says(CHAT, ANNA, "/explain");
      api.says(CHAT, ANNA, "/leaderboard");
      message(m -> m.text().contains("leaderboard"));
      message(m -> m.text().contains("last decisions"));
      message(m -> m.text().contains("log of t0"));
      api.says(CHAT, ANNA, "make it so");
      message(m -> m.text().contains("I did not understand that. What do you mean?"));
      api.says(CHAT, ANNA, "/pause", Instant.now().minus(Duration.ofHours(3)));
      message(m -> m.text().startsWith("Not carried out, since it is 180 minutes old: /pause"));
      api.says(CHAT, ANNA, "/add eager OMPI_MCA_btl_tcp_eager_limit=65536");
      await().atMost(PATIENCE).until(() -> daemon.folded(sweep).profiles().containsKey("eager"));
      api.says(CHAT, ANNA, "/add other OMPI_MCA_btl_tcp_eager_limit=65536");
      message(m -> m.text().contains("the profile 'other' sets what 'eager' sets already"));
      api.says(CHAT, ANNA, "/add other OMPI_MCA_btl_tcp_eager_limit");
      message(m -> m.text().contains("profile:1:7: found 'OMPI_MCA_btl_tcp_eager_limit'"));
      api.says(CHAT, ANNA, "/skip nosuch");
      message(m -> m.text().startsWith("Refused: no profile 'nosuch'"));

      api.says(CHAT, ANNA, "Stop!");
      ReceivedMessage how = message(m -> m.text().contains("end it for good?"));
      api.presses(CHAT, ANNA, how.id(), how.button("Stop, cancel jobs"));
      message(m -> m.text().contains("sweep finished"));
      assertThat(daemon.folded(sweep).commands())
          .filteredOn(c -> c.command() instanceof Command.Stop)
          .hasSize(1);
    }
  }

  @Test
  void routineMessagesAreFewAndTheRestOfThemComesWithTheEnd() throws Exception {
    try (ChattyDaemon daemon = new ChattyDaemon(dir.resolve("state"), api.settings(1))) {
      String sweep = daemon.startAQuietOne(1);
      ReceivedMessage finish = message(m -> m.text().contains("sweep finished"));
      assertThat(finish.text()).contains("wave reviewed: baseline", "wave reviewed: screen");
      await().atMost(PATIENCE).until(() -> allSettled(daemon.folded(sweep)));
      assertThat(api.received)
          .filteredOn(
              m ->
                  m.text().contains("sweep started")
                      || m.text().startsWith("[nightsweep] allreduce ranks=2 wave"))
          .hasSize(1);
    }
  }

  @Test
  void floodsAreWaitedOutRefusedMarkupIsSentPlainAndLostAnswersAreNotDoubled() throws Exception {
    try (ChattyDaemon daemon = daemon()) {
      api.flood(2);
      String sweep = daemon.startWithABrokenProfile();
      assertThat(message(m -> m.text().contains("sweep started")).mode()).isEqualTo("HTML");
      assertThat(daemon.events(sweep)).anyMatch(Event.NoticeUnsent.class::isInstance);
      ReceivedMessage stop = message(m -> m.text().contains("[nightsweep STOP]"));
      await().atMost(PATIENCE).until(() -> allSettled(daemon.folded(sweep)));
      api.refuseMarkup(1);
      api.says(CHAT, ANNA, "/status");
      assertThat(message(m -> m.text().contains("is HALTED")).mode()).isEmpty();
      api.loseAnswer("[nightsweep STOP]");
      api.presses(CHAT, ANNA, stop.id(), stop.button("Resume"));
      // The profile still fails: another halt, and its STOP message arrives although an answer was
      // lost.
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  api.received.stream()
                          .filter(m -> m.text().contains("[nightsweep STOP]"))
                          .map(ReceivedMessage::id)
                          .distinct()
                          .count()
                      >= 2);
    }
  }

  @Test
  void aStopWhoseOutcomeIsUnknownIsSentAgainAndARoutineMessageIsNot() throws Exception {
    try (ChattyDaemon daemon = daemon()) {
      api.loseAnswer("sweep started");
      String sweep = daemon.startWithABrokenProfile();
      message(m -> m.text().contains("sweep started"));
      await().atMost(PATIENCE).until(() -> settled(daemon.folded(sweep), "kickoff").isPresent());
      api.loseAnswer("[nightsweep STOP]");
      ReceivedMessage repeat =
          message(m -> m.text().startsWith("[repeat: ") && m.text().contains("[nightsweep STOP]"));
      assertThat(repeat.buttons()).hasSize(3);
      assertThat(api.received).filteredOn(m -> m.text().contains("sweep started")).hasSize(1);
      assertThat(settled(daemon.folded(sweep), "kickoff"))
          .contains(Event.NoticeSettled.Settlement.DROPPED);
    }
  }

  @Test
  void killedBetweenSendingAndDelivered() throws Exception {
    try (ChattyDaemon daemon = daemon()) {
      String sweep = daemon.startWithABrokenProfile();
      message(m -> m.text().contains("[nightsweep STOP]"));
      await().atMost(PATIENCE).until(() -> allSettled(daemon.folded(sweep)));
      daemon.end();
      String stop =
          daemon.folded(sweep).notices().entrySet().stream()
              .filter(n -> n.getValue().notice() instanceof Notice.Stop)
              .map(Map.Entry::getKey)
              .findFirst()
              .orElseThrow();
      daemon.forgetAllAfter(sweep, e -> e instanceof Event.NoticeSending n && n.key().equals(stop));
      daemon.startAgain();
      message(m -> m.text().startsWith("[repeat: ") && m.text().contains("[nightsweep STOP]"));
      await().atMost(PATIENCE).until(() -> allSettled(daemon.folded(sweep)));

      daemon.end();
      daemon.forgetAllAfter(
          sweep, e -> e instanceof Event.NoticeSending n && n.key().equals("kickoff"));
      daemon.startAgain();
      await().atMost(PATIENCE).until(() -> settled(daemon.folded(sweep), "kickoff").isPresent());
      assertThat(settled(daemon.folded(sweep), "kickoff"))
          .contains(Event.NoticeSettled.Settlement.DROPPED);
      assertThat(api.received).filteredOn(m -> m.text().contains("sweep started")).hasSize(1);
    }
  }

  @Test
  void aSecondConsumerOfTheBotIsSaid() throws Exception {
    try (ChattyDaemon daemon = daemon()) {
      api.conflict = true;
      await().atMost(PATIENCE).until(() -> daemon.chat().contains("another program takes"));
      api.conflict = false;
      await().atMost(PATIENCE).until(() -> !daemon.chat().contains("another program takes"));
      assertThat(daemon.handle(new Request.Ping())).isInstanceOf(Reply.Pong.class);
    }
  }

  private ChattyDaemon daemon() throws Exception {
    return new ChattyDaemon(dir.resolve("state"), api.settings());
  }

  private ReceivedMessage message(Predicate<ReceivedMessage> which) {
    return api.awaited(PATIENCE, which);
  }

  private int indexOf(Predicate<ReceivedMessage> which) {
    return api.received.indexOf(api.awaited(PATIENCE, which));
  }

  private List<ReceivedMessage> sent(String method) {
    return api.received.stream().filter(m -> m.method().equals(method)).toList();
  }

  private static Optional<Event.NoticeSettled.Settlement> settled(SweepState s, String notice) {
    return Optional.ofNullable(s.notices().get(notice)).flatMap(NoticeState::settled);
  }

  private static boolean allSettled(SweepState s) {
    return !s.notices().isEmpty()
        && s.notices().values().stream().noneMatch(NoticeState::isPending);
  }

  private static boolean everySendingIsJournaledBeforeItsDelivery(List<Event> events) {
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i) instanceof Event.NoticeDelivered d
          && !events.subList(0, i).contains(new Event.NoticeSending(d.key(), d.to(), d.part()))) {
        return false;
      }
    }
    return true;
  }
}
