package io.nightsweep.report;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * A page that several sweeps and people write. Each sweep owns the text between its two marks, and
 * every other byte is preserved. The begin mark has a hash of the section; if the text no longer
 * matches it, a person has edited the section and owns it from then on.
 */
final class MarkedSections {
  private MarkedSections() {}

  /** Like {@link #put(String, String, String)}, on a page in any encoding. */
  static byte[] put(byte[] page, String name, String section) {
    String bytes = new String(page, StandardCharsets.ISO_8859_1);
    String added =
        new String(section.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    return put(bytes, name, added).getBytes(StandardCharsets.ISO_8859_1);
  }

  /**
   * The page with the section in place of the older one with its name, or at the end. A section
   * that a person edited keeps its place and its words, and gets a mark that says so.
   *
   * @param name of the section, such as {@code PP=8}
   */
  static String put(String page, String name, String section) {
    String body = section.strip();
    String marked = begin(name, body) + "\n" + body + "\n" + end(name);
    Matcher begins = beginMark(name).matcher(page);
    Optional<Block> edited = Optional.empty();
    while (begins.find()) {
      Optional<Block> block = block(page, begins, name);
      if (block.isPresent() && block.get().untouched()) {
        return page.substring(0, block.get().from()) + marked + page.substring(block.get().to());
      }
      edited = edited.or(() -> block);
    }
    String kept =
        edited
            .map(
                b ->
                    page.substring(0, b.from())
                        + page.substring(b.from(), b.words())
                            .replaceFirst("nightsweep:begin", "nightsweep:edited")
                        + page.substring(b.words()))
            .orElse(page);
    String gap = kept.isEmpty() || kept.endsWith("\n\n") ? "" : kept.endsWith("\n") ? "\n" : "\n\n";
    return kept + gap + marked + "\n";
  }

  /** The page without the section and the gap before it, unless a person edited the section. */
  static byte[] without(byte[] page, String name) {
    String bytes = new String(page, StandardCharsets.ISO_8859_1);
    Matcher begins = beginMark(name).matcher(bytes);
    while (begins.find()) {
      Optional<Block> block = block(bytes, begins, name);
      if (block.isPresent() && block.get().untouched()) {
        String before = bytes.substring(0, block.get().from());
        String after = bytes.substring(block.get().to());
        return ((before.endsWith("\n\n") ? before.substring(0, before.length() - 1) : before)
                + (after.startsWith("\n") ? after.substring(1) : after))
            .getBytes(StandardCharsets.ISO_8859_1);
      }
    }
    return page;
  }

  /**
   * @param from position of the begin mark
   * @param words start of the text between the marks
   * @param to position after the end mark
   */
  private record Block(int from, int words, int to, boolean untouched) {}

  private static Optional<Block> block(String page, Matcher begin, String name) {
    Matcher end = endMark(name).matcher(page);
    if (!end.find(begin.end())) {
      return Optional.empty();
    }
    String between = page.substring(begin.end(), end.start());
    boolean untouched =
        between.length() >= 2
            && between.startsWith("\n")
            && between.endsWith("\n")
            && begin.group(1).equals(hash(between.substring(1, between.length() - 1)));
    return Optional.of(new Block(begin.start(), begin.end(), end.end(), untouched));
  }

  static String begin(String name, String body) {
    return "<!-- nightsweep:begin " + plain(name) + " " + hash(body) + " -->";
  }

  static String end(String name) {
    return "<!-- nightsweep:end " + plain(name) + " -->";
  }

  /** A mark is alone on its line. */
  private static Pattern beginMark(String name) {
    return Pattern.compile(
        "(?<![^\n])<!-- nightsweep:begin "
            + Pattern.quote(plain(name))
            + " ([0-9a-f]{16}) -->(?![^\r\n])");
  }

  private static Pattern endMark(String name) {
    return Pattern.compile("(?<![^\n])" + Pattern.quote(end(name)) + "(?![^\r\n])");
  }

  private static String hash(String text) {
    return DigestUtils.sha256Hex(text).substring(0, 16);
  }

  private static String plain(String name) {
    return name.replaceAll("[^A-Za-z0-9=,._-]", "_");
  }
}
