package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The bytes that a terminal receives. */
@Tag("people")
class LiveScreenTest {
  /** Lines that move up by one are scrolled by the terminal and not redrawn. */
  @Test
  void aScreenThatScrollsIsDrawn() throws Exception {
    ByteArrayOutputStream drawn = new ByteArrayOutputStream();
    try (Terminal terminal =
        TerminalBuilder.builder()
            .system(false)
            .type("xterm-256color")
            .streams(InputStream.nullInputStream(), drawn)
            .size(new Size(60, 20))
            .build()) {
      Display display = new Display(terminal, true);
      display.resize(20, 60);
      List<AttributedString> lines =
          IntStream.range(0, 21).mapToObj(i -> new AttributedString("event " + i)).toList();
      LiveScreen.show(display, lines.subList(0, 20));
      LiveScreen.show(display, lines.subList(1, 21));
      terminal.flush();
      // One of the terminal's threads copies the output.
      await().until(() -> drawn.toString(StandardCharsets.UTF_8).contains("20"));
    }
    assertThat(drawn.toString(StandardCharsets.UTF_8)).containsOnlyOnce("event 7");
  }
}
