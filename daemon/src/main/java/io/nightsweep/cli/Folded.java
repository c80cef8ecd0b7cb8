package io.nightsweep.cli;

import java.io.IOException;
import java.io.Writer;
import java.util.function.IntSupplier;

/**
 * Wraps lines for a narrow terminal between words, since a terminal alone breaks words. Table rows
 * and JSON stay whole, since people copy them.
 */
final class Folded extends Writer {
  private final Writer to;
  private final IntSupplier columns;
  private final StringBuilder line = new StringBuilder();

  /**
   * Whether the beginning of the line is already on the screen, such as a question that awaits its
   * answer.
   */
  private boolean isBegun;

  /**
   * @param columns the width limit; read again for each line that might be wrapped
   */
  Folded(Writer to, IntSupplier columns) {
    this.to = to;
    this.columns = columns;
  }

  @Override
  public void write(char[] text, int from, int length) throws IOException {
    for (int i = from; i < from + length; i++) {
      if (text[i] == '\n') {
        end();
      } else {
        line.append(text[i]);
      }
    }
  }

  private void end() throws IOException {
    String whole = line.toString();
    line.setLength(0);
    boolean isKept = isBegun || whole.startsWith("|") || whole.startsWith("{");
    isBegun = false;
    to.write(isKept ? whole : String.join("\n", Wrapped.line(whole, columns.getAsInt())));
    to.write('\n');
  }

  @Override
  public void flush() throws IOException {
    if (!line.isEmpty()) {
      to.write(line.toString());
      line.setLength(0);
      isBegun = true;
    }
    to.flush();
  }

  @Override
  public void close() throws IOException {
    flush();
    to.close();
  }
}
