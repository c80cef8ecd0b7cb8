package io.nightsweep.chat;

import static io.nightsweep.chat.ChattyDaemon.CHAT;
import static io.nightsweep.chat.ChattyDaemon.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.asked.Commands;
import io.nightsweep.asked.Confirming;
import io.nightsweep.journal.Redaction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Assistants' requests, shown and answered in a chat: a strict Bot API over real HTTP. */
@Tag("agent")
class AskedInChatIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long ANNA = 7;
  private static final long STRANGER = 666;

  @TempDir private Path dir;
  private final List<List<String>> ran = new CopyOnWriteArrayList<>();
  private AskedFor asked;
  private BotApi api;
  private Messenger messenger;

  @BeforeEach
  void open() throws Exception {
    asked = new AskedFor(dir);
    api = new BotApi(TOKEN, CHAT, STRANGER);
    messenger = messenger();
  }

  @AfterEach
  void noRuleWasBroken() {
    messenger.close();
    api.close();
    assertThat(api.violations).isEmpty();
  }

  private Messenger messenger() throws Exception {
    Messenger open =
        Messenger.open(
            new Messenger.Addresses(
                Optional.of(new Credentials(new Secret(TOKEN), Set.of(CHAT), "a test")), List.of()),
            api.settings(),
            new NoSweeps(
                new Confirming(
                    asked,
                    arguments -> {
                      ran.add(arguments);
                      return new Commands.CommandResult(
                          arguments.contains("resume") ? 4 : 0, "said by the command\n", "");
                    },
                    InstantSource.system())),
            dir,
            Redaction.byForm(),
            InstantSource.system());
    open.listen();
    return open;
  }

  private AssistantRequest asks(String command, List<Path> reads) throws Exception {
    return asked.ask(
        "bob",
        command,
        List.of(command, "--state=/x", "--on-behalf-of=bob"),
        reads,
        Instant.now(),
        Instant.MAX);
  }

  private ReceivedMessage message(String with) {
    return api.awaited(PATIENCE, m -> m.text().contains(with));
  }

  @Test
  void aPersonConfirmsByAButtonAndDeniesByAWord() throws Exception {
    Path file = Files.writeString(dir.resolve("sweep.yaml"), "model: <b>m</b>\n");
    AssistantRequest start = asks("start", List.of(file));
    ReceivedMessage told = message("the assistant bob asks for a1");
    assertThat(told.text()).contains("nightsweep start", "| model: <b>m</b>", "/deny a1");
    assertThat(told.buttons())
        .extracting(b -> b.path("text").asText())
        .containsExactly("Confirm a1", "Deny a1");

    // A person who is not listed gets no answer, and nothing is done.
    String yes = told.button("Confirm");
    api.presses(STRANGER, STRANGER, told.id(), yes);
    api.says(STRANGER, STRANGER, "/confirm a1");
    await().atMost(PATIENCE).until(() -> api.backlog() == 0);
    assertThat(ran).isEmpty();

    api.presses(CHAT, ANNA, told.id(), yes);
    assertThat(message("a1 is done.").text()).contains("said by the command");
    assertThat(ran)
        .singleElement()
        .satisfies(
            words ->
                assertThat(words)
                    .startsWith("start", "--state=/x", "--on-behalf-of=bob")
                    .last()
                    .asString()
                    .startsWith("--confirmed-by=anna 7 by button"));
    assertThat(asked.of(start.id()).orElseThrow().answered().orElseThrow().says())
        .isEqualTo("said by the command");
    api.presses(CHAT, ANNA, told.id(), told.button("Deny"));
    message("Refused: a1 is done");

    asks("stop", List.of());
    message("asks for a2");
    api.says(CHAT, ANNA, "/deny a2");
    message("a2 is denied.");
    asks("resume", List.of());
    message("asks for a3");
    api.says(CHAT, ANNA, "confirm a3");
    message("a3 was not done (exit 4).");
    assertThat(ran).hasSize(2);
    api.says(CHAT, ANNA, "/asked");
    message("No assistant waits for an answer.");
  }

  /** A daemon that restarts does not ask again, and the button still acts. */
  @Test
  void whatWasToldIsNotToldAgainByTheNextDaemon() throws Exception {
    asks("stop", List.of());
    ReceivedMessage told = message("asks for a1");
    await().atMost(PATIENCE).until(() -> Files.exists(dir.resolve("asked/a1.told")));
    messenger.close();
    messenger = messenger();
    asks("pause", List.of());
    message("asks for a2");
    assertThat(api.received.stream().filter(m -> m.text().contains("asks for a1"))).hasSize(1);
    api.presses(CHAT, ANNA, told.id(), told.button("Confirm"));
    message("a1 is done.");
  }
}
