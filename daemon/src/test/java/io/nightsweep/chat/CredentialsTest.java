package io.nightsweep.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialsTest {
  private static final String TOKEN = "123456:AAHcanary_canary_canary_canary_canary";

  @TempDir Path home;

  @Test
  void theEnvironmentComesFirstAndSeveralChatsAreAllowed() throws Exception {
    config("BotToken 9:file\nChatID 9\n");
    Credentials found =
        Credentials.find(Map.of("TG_BOT_TOKEN", TOKEN, "TG_CHAT_ID", "42, -1001"), home)
            .orElseThrow();
    assertThat(found.token().reveal()).isEqualTo(TOKEN);
    assertThat(found.chats()).containsExactlyInAnyOrder(42L, -1001L);
    assertThat(found.toString()).doesNotContain("canary").contains("***");
  }

  @Test
  void theFileHasNamedProfilesOverWhatHoldsForEverybody() throws Exception {
    config(
        """
        # mine
        BotToken %s
        ChatID 42

        [night]
        ChatID = -1001,7
        """
            .formatted(TOKEN));
    assertThat(Credentials.find(Map.of(), home).orElseThrow().chats()).containsExactly(42L);
    Credentials night = Credentials.find(Map.of("TG_PROFILE", "night"), home).orElseThrow();
    assertThat(night.chats()).containsExactlyInAnyOrder(-1001L, 7L);
    assertThat(night.token().reveal()).isEqualTo(TOKEN);
    assertThat(night.source()).endsWith(".tg_config [night]");
    assertThatThrownBy(() -> Credentials.find(Map.of("TG_PROFILE", "nigth"), home))
        .hasMessageContaining("no profile [nigth]; it has [night]");
    assertThat(Credentials.find(Map.of("TG_CHAT_ID", "5"), home).orElseThrow().chats())
        .containsExactly(5L);
  }

  @Test
  void nobodyGaveAny() throws Exception {
    assertThat(Credentials.find(Map.of(), home)).isEmpty();
    assertThatThrownBy(() -> Credentials.find(Map.of("TG_BOT_TOKEN", TOKEN), home))
        .hasMessage("TG_BOT_TOKEN is set and TG_CHAT_ID is not");
    assertThatThrownBy(() -> Credentials.find(Map.of("TG_CONFIG", "/no/such"), home))
        .hasMessageContaining("does not exist");
  }

  @Test
  void aFileThatOthersCanReadIsRefused() throws Exception {
    for (String mode : new String[] {"rw-r-----", "rw----r--", "rw--w----"}) {
      config("BotToken " + TOKEN + "\nChatID 42\n");
      Files.setPosixFilePermissions(
          home.resolve(".tg_config"), PosixFilePermissions.fromString(mode));
      assertThatThrownBy(() -> Credentials.find(Map.of(), home))
          .isInstanceOf(Credentials.UnusableException.class)
          .hasMessageContaining("chmod 600");
    }
  }

  @Test
  void aMalformedFileIsNamedByItsLineAndNotQuoted() throws Exception {
    config("ChatID 42\n" + TOKEN + "\n");
    assertThatThrownBy(() -> Credentials.find(Map.of(), home))
        .hasMessageContaining(".tg_config:2:1: expected 'BotToken ...'")
        .hasMessageNotContaining("canary");
    config("BotToken canary token\nChatID 42\n");
    assertThatThrownBy(() -> Credentials.find(Map.of(), home))
        .hasMessageContaining("@BotFather")
        .hasMessageNotContaining("canary");
    config("BotToken " + TOKEN + "\n");
    assertThatThrownBy(() -> Credentials.find(Map.of(), home)).hasMessageContaining("'ChatID ...'");
    config("BotToken " + TOKEN + "\nChatID me\n");
    assertThatThrownBy(() -> Credentials.find(Map.of(), home)).hasMessageContaining("numbers");
  }

  @Test
  void settingsComeFromTheEnvironment() throws Exception {
    ChatSettings settings =
        ChatSettings.of(
            Map.of(
                "NIGHTSWEEP_TELEGRAM_URL", "http://127.0.0.1:8081",
                "NIGHTSWEEP_TELEGRAM_QUIET", "23:00-06:30",
                "NIGHTSWEEP_TELEGRAM_ROUTINE", "5"));
    assertThat(settings.server().getPort()).isEqualTo(8081);
    assertThat(settings.routineAnHour()).isEqualTo(5);
    assertThatThrownBy(() -> ChatSettings.of(Map.of("NIGHTSWEEP_TELEGRAM_QUIET", "at night")))
        .isInstanceOf(Credentials.UnusableException.class);
    assertThatThrownBy(() -> ChatSettings.of(Map.of("NIGHTSWEEP_TELEGRAM_URL", "nowhere")))
        .isInstanceOf(Credentials.UnusableException.class);
  }

  @Test
  void quietHoursMaySpanMidnight() {
    QuietHours night = QuietHours.parse("22:00-07:00", ZoneOffset.UTC);
    assertThat(night.contains(Instant.parse("2026-11-20T22:00:00Z"))).isTrue();
    assertThat(night.contains(Instant.parse("2026-11-20T03:00:00Z"))).isTrue();
    assertThat(night.contains(Instant.parse("2026-11-20T07:00:00Z"))).isFalse();
    QuietHours noon = QuietHours.parse("12:00 - 13:00", ZoneOffset.UTC);
    assertThat(noon.contains(Instant.parse("2026-11-20T12:30:00Z"))).isTrue();
    assertThat(noon.contains(Instant.parse("2026-11-20T13:00:00Z"))).isFalse();
    assertThat(QuietHours.none().contains(Instant.parse("2026-11-20T00:00:00Z"))).isFalse();
  }

  private void config(String text) throws IOException {
    Path file = home.resolve(".tg_config");
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text);
  }
}
