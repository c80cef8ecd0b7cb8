package io.nightsweep.evidence;

import io.nightsweep.evidence.Outcome.Unreadable;
import io.nightsweep.evidence.Outcome.Whole;
import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * The identity of a compiled module: a hash of its text without parts that vary between runs and
 * compute nothing. Omitted are the module's name, metadata, tables of source locations and the
 * fingerprint that XLA takes before scheduling. Names of instructions and computations are replaced
 * by numbers. Everything else counts, including the backend's configuration with its autotuned
 * choices.
 *
 * @param hash in hexadecimal digits
 * @param instructions in all computations
 */
record HloProgram(String hash, int instructions) {
  /** A limit; a combined collective of a thousand tensors has about 200 kB. */
  private static final int LONGEST_LINE = 4 << 20;

  /** Limit on distinct names; a large model's module has a tenth of it. */
  private static final int MOST_NAMES = 1 << 19;

  /** A longer name is used as it is. */
  private static final int LONGEST_NAME = 256;

  private static final long MOST_BYTES = 2L << 30;
  private static final int HASH_BYTES = 16;
  private static final String METADATA = ", metadata={";

  /**
   * @param file a name that ends with {@code .gz} means compressed text
   */
  static Outcome<HloProgram> of(Path file) {
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
      return of(file, in);
    } catch (IOException e) {
      return unreadable(file, Statement.phrase("cannot-be-read", e));
    }
  }

  static Outcome<HloProgram> of(Path file, InputStream in) throws IOException {
    LineSource lines = new LineSource(in, LONGEST_LINE);
    if (!lines.next() || !lines.text().startsWith("HloModule ")) {
      return unreadable(file, Statement.phrase(lines.length() == 0 ? "file-empty" : "file-no-hlo"));
    }
    CanonicalText text = new CanonicalText();
    text.module(lines.text());
    boolean inside = false;
    boolean entry = false;
    int instructions = 0;
    do {
      if (lines.length() >= LONGEST_LINE) {
        return unreadable(file, Statement.phrase("file-long-line", lines.position()));
      }
      if (text.names.size() > MOST_NAMES || lines.position() > MOST_BYTES) {
        return unreadable(file, Statement.phrase("file-long"));
      }
      if (!lines.next()) {
        break;
      }
      if (inside) {
        inside = lines.at(0) != '}';
        instructions += inside ? 1 : 0;
        text.line(lines.text().strip());
      } else if (HloReader.isHeader(lines)) {
        inside = true;
        entry |= lines.text().startsWith("ENTRY ");
        text.computation(lines.text());
      }
    } while (true);
    if (inside || !entry) {
      return unreadable(file, Statement.phrase("file-cut-at", lines.position()));
    }
    return new Whole<>(new HloProgram(text.hash(), instructions));
  }

  private static Unreadable<HloProgram> unreadable(Path file, Statement found) {
    return new Unreadable<>(file, found, HloReader.EXPECTED);
  }

  /** Computes the digest of the text's canonical form while it is read. */
  private static final class CanonicalText {
    private final Map<String, Integer> names = new HashMap<>();
    private final StringBuilder line = new StringBuilder();
    private final MessageDigest digest = DigestUtils.getSha256Digest();

    /** Adds the header without its name and without the fingerprint of its sources. */
    void module(String header) {
      int settings = header.indexOf(',');
      line(
          settings < 0
              ? ""
              : header
                  .substring(settings)
                  .replaceAll("fingerprint_before_lhs=\"[^\"]*\"", "fingerprint_before_lhs=\"\""));
    }

    /** Adds only the computation's name; the instructions include its parameters and result. */
    void computation(String header) {
      boolean entry = header.startsWith("ENTRY ");
      String named = entry ? header.substring("ENTRY ".length()) : header;
      int end = 0;
      while (end < named.length() && " ({".indexOf(named.charAt(end)) < 0) {
        end++;
      }
      line((entry ? "ENTRY " : "") + named.substring(0, end) + " {");
    }

    /** An instruction, or the end of a computation. */
    void line(String text) {
      line.setLength(0);
      int depth = 0;
      int at = 0;
      while (at < text.length()) {
        char c = text.charAt(at);
        if (c == '"') {
          int end = quoted(text, at);
          line.append(text, at, end);
          at = end;
        } else if (c == '%') {
          at = name(text, at);
        } else if (c == ',' && depth == 0 && text.startsWith(METADATA, at)) {
          at = braced(text, at + METADATA.length() - 1);
        } else {
          depth += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
          line.append(c);
          at++;
        }
      }
      digest.update(line.append('\n').toString().getBytes(StandardCharsets.ISO_8859_1));
    }

    String hash() {
      return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
    }

    /** Numbers names in the order of their first occurrence. */
    private int name(String text, int from) {
      int end = from + 1;
      while (end < text.length() && isOfName(text.charAt(end))) {
        end++;
      }
      if (end - from > LONGEST_NAME) {
        line.append(text, from, end);
      } else {
        int next = names.size();
        line.append('%')
            .append(names.computeIfAbsent(text.substring(from, end), name -> next).intValue());
      }
      return end;
    }

    private static boolean isOfName(char c) {
      return (c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || (c >= '0' && c <= '9')
          || c == '_'
          || c == '-'
          || c == '.';
    }

    /** The position after the brace that closes the one at {@code from}, or the end of the text. */
    private static int braced(String text, int from) {
      int depth = 0;
      int at = from;
      while (at < text.length()) {
        char c = text.charAt(at);
        if (c == '"') {
          at = quoted(text, at);
          continue;
        }
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        at++;
        if (depth == 0) {
          return at;
        }
      }
      return at;
    }

    /** The position after the quote that closes the one at {@code from}, or the end of the text. */
    private static int quoted(String text, int from) {
      int at = from + 1;
      while (at < text.length() && text.charAt(at) != '"') {
        at += text.charAt(at) == '\\' ? 2 : 1;
      }
      return Math.min(at + 1, text.length());
    }
  }
}
