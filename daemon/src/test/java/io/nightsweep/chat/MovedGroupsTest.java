package io.nightsweep.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.Commands;
import io.nightsweep.asked.Confirming;
import io.nightsweep.journal.Redaction;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A listed group becomes a supergroup, and Telegram gives it another id. */
@Tag("guard")
@Tag("people")
@Tag("telegram")
class MovedGroupsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String TOKEN = "123456789:AAHmovedgroupsmovedgroupsmovedgroup01";
  private static final long GROUP = -4001;
  private static final long SUPERGROUP = -1_002_003_004_005L;
  private static final long OTHER = -1_009_009_009_009L;
  private static final long ANNA = 7;

  @TempDir private Path dir;
  private BotApi api;

  @BeforeEach
  void server() throws Exception {
    api = new BotApi(TOKEN, GROUP, OTHER);
  }

  @AfterEach
  void noRuleWasBroken() {
    api.close();
    assertThat(api.violations).isEmpty();
  }

  @Test
  void whatIsSentFollowsItAndWhatItsPeopleSayIsObeyedAlsoByTheNextDaemon() throws Exception {
    api.becomesSupergroup(GROUP, SUPERGROUP);
    try (Messenger messenger = messenger()) {
      messenger.announce("the first notice", () -> {});
      messenger.announce("the second notice", () -> {});
      arrives("the first notice");
      arrives("the second notice");
      messenger.listen();
      api.says(OTHER, ANNA, "/help");
      api.says(SUPERGROUP, ANNA, "/help");
      arrives("/leaderboard");
    }
    api.received.clear();
    try (Messenger next = messenger()) {
      next.listen();
      api.says(SUPERGROUP, ANNA, "/help");
      arrives("/leaderboard");
      await().atMost(PATIENCE).until(() -> api.backlog() == 0);
    }
    assertThat(api.received).noneMatch(m -> m.chat() == OTHER);
    assertThat(api.movedRefusals()).as("asked at the old id").isEqualTo(1);
  }

  @Test
  void whatTheGroupIsToldOfItIsEnough() throws Exception {
    api.becomesSupergroup(GROUP, SUPERGROUP);
    try (Messenger messenger = messenger()) {
      messenger.listen();
      api.tellsOfSupergroup(GROUP);
      api.says(SUPERGROUP, ANNA, "/help");
      arrives("/leaderboard");
    }
    assertThat(api.movedRefusals()).isZero();
  }

  /** A message from a chat that is not listed admits nobody. */
  @Test
  void aGroupThatIsNotListedIsNotFollowed() throws Exception {
    api.becomesSupergroup(OTHER, SUPERGROUP);
    try (Messenger messenger = messenger()) {
      messenger.listen();
      api.tellsOfSupergroup(OTHER);
      api.says(SUPERGROUP, ANNA, "/help");
      await().atMost(PATIENCE).until(() -> api.backlog() == 0);
    }
    assertThat(api.received).isEmpty();
  }

  private void arrives(String text) {
    ReceivedMessage message = api.awaited(PATIENCE, m -> m.text().contains(text));
    assertThat(message.chat()).isEqualTo(SUPERGROUP);
  }

  private Messenger messenger() throws Exception {
    return Messenger.open(
        new Messenger.Addresses(
            Optional.of(new Credentials(new Secret(TOKEN), Set.of(GROUP), "a test")), List.of()),
        api.settings(),
        new NoSweeps(
            new Confirming(
                new AskedFor(dir),
                words -> new Commands.CommandResult(0, "", ""),
                InstantSource.system())),
        dir,
        Redaction.byForm(),
        InstantSource.system());
  }
}
