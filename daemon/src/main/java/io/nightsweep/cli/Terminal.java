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

/**
 * What the process's terminal can do. Since JDK 22 {@code System.console()} no longer shows whether
 * there is one.
 */
final class Terminal {
  private static final int USUAL_COLUMNS = 80;
  private static final BufferedReader IN =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  private Terminal() {}

  /** Whether the terminal supports a full screen and single keys. */
  static boolean canDraw() {
    return canAnswer() && !"dumb".equals(System.getenv().getOrDefault("TERM", "dumb"));
  }

  /**
   * The encoding of the locale; ASCII under LANG=C, and on a dumb terminal, about which nothing is
   * known.
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

  /** Width limit for standard output; none where it goes to a file or a pipe. */
  static int columns() {
    return shows() ? Width.COLUMNS : Integer.MAX_VALUE;
  }

  /** Width limit for standard error. */
  static int errorColumns() {
    return isTerminal(2) ? Width.COLUMNS : Integer.MAX_VALUE;
  }

  /** {@code COLUMNS}, else the terminal's own width. */
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

  /** Determined once, when the first line is printed. */
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
   * Makes foreign text safe for a terminal: journals of earlier builds and people's files may
   * contain control sequences.
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
