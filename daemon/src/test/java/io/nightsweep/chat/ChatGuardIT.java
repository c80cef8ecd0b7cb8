package io.nightsweep.chat;

import static io.nightsweep.chat.ChattyDaemon.CHAT;
import static io.nightsweep.chat.ChattyDaemon.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.engine.Request;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Phase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Input that could make the chat deaf, make it obey strangers, or make it disclose secrets. */
@Tag("guard")
@Tag("telegram")
class ChatGuardIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long ANNA = 7;
  private static final long STRANGER = 666;

  @TempDir Path dir;

  @Test
  void theChatHearsWhatItMustAndObeysNothingElse() throws Exception {
    try (BotApi api = new BotApi(TOKEN, CHAT, STRANGER);
        ChattyDaemon daemon = new ChattyDaemon(dir.resolve("state"), api.settings())) {
      String sweep = daemon.startAQuietOne(50);
      daemon.handle(
          new Request.Tell(
              sweep, new Command.Pause(), new Command.Origin(Command.Origin.Door.CLI, "me")));
      await().atMost(PATIENCE).until(() -> daemon.folded(sweep).inFlight().isEmpty());

      api.sends("chat_background_set", "{\"type\": {\"type\": \"of the year 2031\"}}");
      api.sends("message", "{\"message_id\": \"no number\", \"chat\": []}");
      api.says(CHAT, ANNA, "/status");
      message(api, m -> m.text().contains("is paused"));

      api.says(CHAT, ANNA, "/resume@OtherBot");
      api.says(CHAT, ANNA, "/budget@SweepBot 77 jobs");
      await()
          .atMost(PATIENCE)
          .until(() -> daemon.folded(sweep).spec().budget().jobs().orElse(0) == 77);
      assertThat(daemon.folded(sweep).phase()).isEqualTo(new Phase.Paused());

      for (String amount : List.of("2147483647", "-5", "", "1e3")) {
        api.presses(CHAT, ANNA, 1001, "bj|" + Press.key(sweep) + "|" + amount);
        api.presses(CHAT, ANNA, 1001, "bh|" + Press.key(sweep) + "|" + amount);
      }
      await().atMost(PATIENCE).until(() -> api.backlog() == 0);
      assertThat(daemon.folded(sweep).spec().budget().jobs()).contains(77);

      daemon.end();
      api.presses(CHAT, ANNA, 1001, Press.of(Action.STOP, sweep, "CANCEL").data());
      api.forgetQueries();
      daemon.startAgain();
      message(api, m -> m.text().startsWith("Not carried out, since the button was pressed"));
      assertThat(daemon.folded(sweep).phase()).isEqualTo(new Phase.Paused());

      api.beginNewSequence(3);
      api.says(CHAT, ANNA, "/resume");
      await().atMost(PATIENCE).until(() -> daemon.folded(sweep).phase() instanceof Phase.Running);
      assertThat(api.violations).isEmpty();
    }
  }

  @Test
  void anotherBotsOffsetIsNotThisOnes() throws Exception {
    Path file = dir.resolve("offset");
    new Offset(file, new Secret("1:first")).dealtWith(900_000_000);
    assertThat(new Offset(file, new Secret("1:renewed")).last()).isEqualTo(900_000_000);
    assertThat(new Offset(file, new Secret("2:other")).last()).isZero();
    Files.writeString(file, "1 not-a-number");
    assertThat(new Offset(file, new Secret("1:first")).last()).isZero();
  }

  @Test
  void aSecretAcrossAPageCutIsMaskedWhole() {
    String token = "987654321:AAHabcdefghijklmnopqrstuvwxyz0123456";
    for (int before = Pages.MESSAGE - 60; before < Pages.MESSAGE; before++) {
      String sent = sent(Message.of("x".repeat(before) + " " + token + " end"));
      assertThat(sent).contains(Redaction.MASK).doesNotContain("AAHabc").doesNotContain("z0123456");
    }
  }

  @Test
  void aTextOfMegabytesIsAFewMessages() {
    List<MessageLine> lines = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      lines.add(MessageLine.of("line " + i + " of a program that does not stop talking"));
    }
    List<Message.Part> parts = Message.of(lines).parts(Redaction.byForm());
    assertThat(parts).hasSize(10);
    assertThat(sent(Message.of(lines)))
        .contains("line 0 of", "pages are left out", "line 19999 of");
  }

  private static String sent(Message message) {
    StringBuilder text = new StringBuilder();
    for (Message.Part part : message.parts(Redaction.byForm())) {
      text.append(Pages.text(((Message.Part.Text) part).lines()));
    }
    return text.toString();
  }

  private static ReceivedMessage message(BotApi api, Predicate<ReceivedMessage> which) {
    return api.awaited(PATIENCE, which);
  }
}
