package io.nightsweep.files;

import java.util.regex.Pattern;

/**
 * Invisible characters with an effect: controls, which move a terminal's cursor (ECMA-48);
 * zero-width and directional marks, which hide and reorder text (Unicode categories Cc and Cf);
 * line separators; and halves of surrogate pairs, which no encoding can write.
 */
public final class Unseen {
  private static final char ESCAPE = '\u001b';

  /** Replaces a removed character. */
  private static final String MARK = "\uFFFD";

  private static final String CLASS = "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}";

  /** Invisible too, but part of normal text: emoji, Mongolian, Korean. */
  private static final String BLANK =
      "\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u3164\\uFE00-\\uFE0F\\uFFA0\\x{E0100}-\\x{E01EF}";

  private static final Pattern ANY = Pattern.compile("[" + CLASS + "]");
  private static final Pattern BUT_LAYOUT = Pattern.compile("[" + CLASS + "&&[^\\t\\n]]");
  private static final Pattern BUT_LAYOUT_OR_BLANK =
      Pattern.compile("[" + CLASS + BLANK + "&&[^\\t\\n]]");

  /**
   * Terminal sequences for colours, cursor movements, titles and character sets (ECMA-48, ECMA-35).
   */
  private static final Pattern SEQUENCES =
      Pattern.compile(
          "\u001b(?:\\[[0-?]*[ -/]*[@-~]|[]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\\\)"
              + "|[ -/]{1,2}[0-~]|[=>])");

  private Unseen() {}

  /** Whether the text contains one; tabs and line ends count. */
  public static boolean isIn(String text) {
    return !isPlain(text, false) && ANY.matcher(text).find();
  }

  /** Replaces invisible characters, except tabs and line ends, by a visible mark. */
  public static String marked(String text) {
    return isPlain(text, true) ? text : BUT_LAYOUT.matcher(text).replaceAll(MARK);
  }

  /** Removes invisible characters and blank ones, except tabs and line ends. */
  public static String removed(String text) {
    return isPlain(text, true)
        ? text
        : BUT_LAYOUT_OR_BLANK.matcher(withoutSequences(text)).replaceAll("");
  }

  /** Replaces each of them, including tabs and line ends, by a space. */
  public static String onOneLine(String text) {
    return isPlain(text, false) ? text : ANY.matcher(text).replaceAll(" ");
  }

  /** Removes terminal sequences such as colours. */
  public static String withoutSequences(String text) {
    return text.indexOf(ESCAPE) < 0 ? text : SEQUENCES.matcher(text).replaceAll("");
  }

  /**
   * Whether the text consists of ASCII's visible characters and spaces. Most texts do, and to see
   * it takes much less time than a regular expression.
   *
   * @param withLayout whether tabs and line ends may occur too
   */
  private static boolean isPlain(String text, boolean withLayout) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < ' ' && !(withLayout && (c == '\t' || c == '\n'))) || c > '~') {
        return false;
      }
    }
    return true;
  }
}
