package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * One night behind a running page server, new for each test: a stranger, and a guest who has its
 * cookie.
 */
abstract class AtTheDoor {
  static final String PAUSE = "{\"type\":\"pause\"}";
  static final String COMMANDS = "/api/sweeps/s/commands";

  @TempDir Path dir;
  Nights nights;
  int port;
  Http anyone;
  Http guest;

  @BeforeEach
  void open() throws IOException {
    nights = new Nights(dir.resolve("state"));
    nights.add("s", Nights.night(1));
    port = nights.open().port();
    anyone = new Http(port);
    guest = FramesTest.guest(nights);
  }

  @AfterEach
  void close() {
    nights.close();
  }

  /** All refusals look the same, and disclose nothing. */
  static void assertRefused(Http.Answer answer) {
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.body()).isEmpty();
    assertThat(answer.head().lines().filter(line -> !line.startsWith("Date:")))
        .containsExactly("HTTP/1.1 403 Forbidden", "Content-Length: 0", "Connection: close");
  }
}
