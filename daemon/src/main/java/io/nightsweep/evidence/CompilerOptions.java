package io.nightsweep.evidence;

import io.nightsweep.evidence.Outcome.Unreadable;
import io.nightsweep.evidence.Outcome.Whole;
import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The options of a module's compilation, from the {@code .debug_options} file that XLA writes
 * beside a dump: one {@code flag: value} per line, only where it differs from the build's default.
 */
final class CompilerOptions {
  private static final Statement EXPECTED = Statement.phrase("expected-options");
  private static final int LONGEST_LINE = 1 << 16;
  private static final int MOST = 4096;

  private CompilerOptions() {}

  static Outcome<SortedMap<String, String>> read(Path file) {
    TreeMap<String, String> options = new TreeMap<>();
    try (InputStream in = Files.newInputStream(file)) {
      LineSource lines = new LineSource(in, LONGEST_LINE);
      while (lines.next() && options.size() < MOST) {
        String line = lines.text();
        int colon = line.indexOf(": ");
        if (colon > 0 && line.startsWith("xla_")) {
          String value = line.substring(colon + 2).strip();
          options.put(
              line.substring(0, colon),
              value.length() > 1 && value.startsWith("\"")
                  ? value.substring(1, value.length() - 1)
                  : value);
        }
      }
    } catch (IOException e) {
      return new Unreadable<>(file, Statement.phrase("cannot-be-read", e), EXPECTED);
    }
    return options.isEmpty()
        ? new Unreadable<>(file, Statement.phrase("file-no-option"), EXPECTED)
        : new Whole<>(options);
  }
}
