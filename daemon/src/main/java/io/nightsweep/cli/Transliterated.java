package io.nightsweep.cli;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.util.function.IntSupplier;

/**
 * Replaces characters that a terminal's encoding lacks by ones that it has, as {@link Ink} chooses
 * them; the encoder alone would print question marks.
 */
final class Transliterated extends Writer {
  private static final Ink ASCII = new Ink(false, false);

  /** An encoding with this character is a Unicode encoding and has all others too. */
  private static final char BEYOND_ASCII = '█';

  private final Writer to;
  private final CharsetEncoder known;

  private Transliterated(Writer to, Charset encoding) {
    this.to = to;
    known = encoding.newEncoder();
  }

  /**
   * A writer for one of the process's own streams that flushes each line.
   *
   * @param columns width at which lines are wrapped between words
   */
  static PrintWriter of(PrintStream stream, Charset encoding, IntSupplier columns) {
    return new PrintWriter(
        new Folded(new Transliterated(new OutputStreamWriter(stream, encoding), encoding), columns),
        true);
  }

  @Override
  public void write(char[] text, int from, int length) throws IOException {
    StringBuilder shown = new StringBuilder(length);
    for (int i = from; i < from + length; i++) {
      char c = text[i];
      // An encoder cannot test half of a surrogate pair.
      boolean kept = c < 128 || known.canEncode(Character.isSurrogate(c) ? BEYOND_ASCII : c);
      shown.append(kept ? String.valueOf(c) : ASCII.text(String.valueOf(c)));
    }
    to.write(shown.toString());
  }

  @Override
  public void flush() throws IOException {
    to.flush();
  }

  @Override
  public void close() throws IOException {
    to.close();
  }
}
