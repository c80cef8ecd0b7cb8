package io.nightsweep.cli;

import io.nightsweep.files.Unseen;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jline.terminal.TerminalBuilder;

/** Whether the output goes to a terminal. Since JDK 22 {@code System.console()} does not tell. */
final class Terminal {
  private static final int USUAL_COLUMNS = 80;
  private static final BufferedReader IN =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  private Terminal() {}

  /** Whether a full screen can be drawn and keys be read. */
  static boolean canDraw() {
    return canAnswer() && !"dumb".equals(System.getenv().getOrDefault("TERM", "dumb"));
  }

  /**
   * What the locale says that the terminal understands; ASCII under LANG=C, and on a dumb terminal,
   * of which nobody knows.
   */
  static Charset encoding() {
    if (shows() && "dumb".equals(System.getenv("TERM"))) {
      return StandardCharsets.US_ASCII;
    }
    String name = System.getProperty("stdout.encoding", System.getProperty("native.encoding", ""));
    return name.isEmpty() || !Charset.isSupported(name)
        ? StandardCharsets.US_ASCII
        : Charset.forName(name);
  }

  /**
   * How many columns a line of standard output may have; no limit where it goes to a file or a
   * pipe.
   */
  static int columns() {
    return shows() ? Width.COLUMNS : Integer.MAX_VALUE;
  }

  /** The same of standard error. */
  static int errorColumns() {
    return isTerminal(2) ? Width.COLUMNS : Integer.MAX_VALUE;
  }

  /** What {@code COLUMNS} says, else what the terminal does. */
  private static int width() {
    String told = System.getenv().getOrDefault("COLUMNS", "");
    if (told.matches("[1-9]\\d{1,4}")) {
      return Integer.parseInt(told);
    }
    try (var terminal = TerminalBuilder.builder().system(true).dumb(true).build()) {
      return terminal.getWidth() > 0 ? terminal.getWidth() : USUAL_COLUMNS;
    } catch (IOException e) {
      return USUAL_COLUMNS;
    }
  }

  /** Found out at the first line that is printed, once. */
  private static final class Width {
    static final int COLUMNS = width();
  }

  static boolean shows() {
    return isTerminal(1);
  }

  static boolean canAnswer() {
    return isTerminal(0) && isTerminal(1);
  }

  /**
   * A text of others as it may go to a terminal. Journals of earlier builds, and files of people,
   * can hold sequences that a terminal obeys.
   */
  static String plain(String text) {
    return Unseen.marked(text);
  }

  static Optional<String> ask(String question) {
    System.out.print(String.join("\n", Wrapped.line(question, columns() - 1)) + " ");
    System.out.flush();
    try {
      return Optional.ofNullable(IN.readLine());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }
}
