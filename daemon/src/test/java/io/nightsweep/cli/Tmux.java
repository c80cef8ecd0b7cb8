package io.nightsweep.cli;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/** A real terminal of a given size in its own tmux server. */
final class Tmux implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final String socket = "nightsweep-" + UUID.randomUUID();
  private boolean open;

  void open(int columns, int rows, String command) throws IOException {
    open = true;
    tmux(
        "-f",
        "/dev/null",
        "new-session",
        "-d",
        "-x",
        String.valueOf(columns),
        "-y",
        String.valueOf(rows),
        command);
  }

  void resize(int columns, int rows) throws IOException {
    tmux("resize-window", "-x", String.valueOf(columns), "-y", String.valueOf(rows));
  }

  /**
   * @param keys texts, or key names as in tmux
   */
  void keys(String... keys) throws IOException {
    List<String> command = new ArrayList<>(List.of("send-keys"));
    command.addAll(List.of(keys));
    tmux(command.toArray(String[]::new));
  }

  /** The terminal's text once it matches. */
  String screen(Predicate<String> expected) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(300))
        .until(() -> tmux("capture-pane", "-p"), expected);
  }

  /** The screen and the lines that have scrolled off it, with wrapped lines joined. */
  String history() throws IOException {
    return tmux("capture-pane", "-p", "-J", "-S", "-");
  }

  /**
   * Lines too long for the terminal, which breaks them anywhere. Excludes lines that are copied,
   * rows of tables and words that are themselves longer.
   */
  List<String> brokenByTheTerminal(int columns) throws IOException {
    return history()
        .lines()
        .map(String::stripTrailing)
        .filter(line -> line.length() > columns && !line.startsWith("|"))
        .filter(line -> Arrays.stream(line.split(" ")).noneMatch(w -> w.length() > columns - 10))
        .toList();
  }

  String coloured() throws IOException {
    return tmux("capture-pane", "-p", "-e");
  }

  static int widest(String screen) {
    return screen.lines().mapToInt(String::length).max().orElse(0);
  }

  @Override
  public void close() throws IOException {
    if (open) {
      tmux("kill-server");
    }
  }

  private String tmux(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("tmux", "-u", "-L", socket));
    command.addAll(Arrays.asList(arguments));
    Process tmux = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(tmux.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    tmux.onExit().join();
    return said;
  }
}
