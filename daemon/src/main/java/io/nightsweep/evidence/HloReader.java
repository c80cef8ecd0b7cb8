package io.nightsweep.evidence;

import io.nightsweep.evidence.Outcome.Unreadable;
import io.nightsweep.evidence.Outcome.Whole;
import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * Reads the text of a compiled module ({@code module_*.after_optimizations.txt}) line by line.
 * Memory grows with the number of collectives' forms and not with the file.
 */
public final class HloReader {
  static final Statement EXPECTED = Statement.phrase("expected-hlo");

  /**
   * A limit; a combined collective of a thousand tensors has about 200 kB, constants may have more.
   */
  private static final int LONGEST_LINE = 4 << 20;

  private HloReader() {}

  /**
   * @param file a name that ends with {@code .gz} means compressed text
   * @param nodes of the module's devices
   */
  public static Outcome<HloReading> read(Path file, int nodes) {
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
      return read(file, in, nodes);
    } catch (IOException e) {
      return new Unreadable<>(file, Statement.phrase("cannot-be-read", e), EXPECTED);
    }
  }

  static Outcome<HloReading> read(Path file, InputStream in, int nodes) throws IOException {
    LineSource lines = new LineSource(in, LONGEST_LINE);
    if (!lines.next() || !lines.text().startsWith("HloModule ")) {
      return new Unreadable<>(
          file, Statement.phrase(lines.length() == 0 ? "file-empty" : "file-no-hlo"), EXPECTED);
    }
    HloModuleBuilder module = new HloModuleBuilder(lines.text(), nodes);
    boolean inside = false;
    while (lines.next()) {
      byte first = lines.at(0);
      if (inside && first == '}') {
        module.closeComputation();
        inside = false;
      } else if (inside) {
        instruction(lines, module);
      } else if (isHeader(lines)) {
        module.openComputation(lines.text());
        inside = true;
      }
    }
    if (inside) {
      return new Unreadable<>(
          file, Statement.phrase("file-cut-within", lines.position(), module.openName()), EXPECTED);
    }
    if (!module.hasEntry()) {
      return new Unreadable<>(file, Statement.phrase("file-cut-early", lines.position()), EXPECTED);
    }
    return new Whole<>(module.build(file));
  }

  /**
   * Whether the line begins a computation: it ends with a brace, and it is not a numbered line of a
   * table of source locations.
   */
  static boolean isHeader(LineSource lines) {
    int last = lines.length() - 1;
    while (last > 0 && lines.at(last) <= ' ') {
      last--;
    }
    byte first = lines.at(0);
    return last > 0 && lines.at(last) == '{' && first > ' ' && !(first >= '0' && first <= '9');
  }

  /** Converts only lines with a relevant opcode into text. */
  private static void instruction(LineSource lines, HloModuleBuilder module) {
    int from = opcodeFrom(lines);
    if (from < 0) {
      return;
    }
    int to = from;
    while (lines.at(to) != '(' && lines.at(to) != 0) {
      to++;
    }
    if (lines.at(to) != '(') {
      return;
    }
    String opcode = lines.text(from, to);
    if (HloModuleBuilder.isCompute(opcode)) {
      module.compute();
    }
    if (HloModuleBuilder.matters(opcode)) {
      HloInstruction.parse(lines.text()).ifPresent(module::add);
    }
  }

  /** The position after the name and the type, or -1. */
  private static int opcodeFrom(LineSource lines) {
    int at = 0;
    int length = lines.length();
    while (at < length - 2 && !(lines.at(at) == ' ' && lines.at(at + 1) == '=')) {
      at++;
    }
    at += 3;
    if (at >= length) {
      return -1;
    }
    int depth = 0;
    for (; at < length; at++) {
      switch (lines.at(at)) {
        case '(', '[', '{' -> depth++;
        case ')', ']', '}' -> depth--;
        case ' ' -> {
          if (depth == 0) {
            return at + 1;
          }
        }
        default -> {}
      }
    }
    return -1;
  }
}
