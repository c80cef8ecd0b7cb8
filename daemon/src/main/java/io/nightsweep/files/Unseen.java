package io.nightsweep.files;

import java.util.regex.Pattern;

/**
 * Characters of a text that show nothing and are obeyed all the same: controls, which move a
 * terminal's cursor (ECMA-48), zero-width and directional marks, which hide and reorder what people
 * read (Unicode categories Cc and Cf), separators of lines, and halves of surrogate pairs, which no
 * encoding can write.
 */
public final class Unseen {
  /** Stands where a character was taken out. */
  private static final String MARK = "\uFFFD";

  private static final String CLASS = "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}";

  /** Shown as nothing too, but parts of what people write: emoji, Mongolian, Korean. */
  private static final String BLANK =
      "\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u3164\\uFE00-\\uFE0F\\uFFA0\\x{E0100}-\\x{E01EF}";

  private static final Pattern ANY = Pattern.compile("[" + CLASS + "]");
  private static final Pattern BUT_LAYOUT = Pattern.compile("[" + CLASS + "&&[^\\t\\n]]");
  private static final Pattern BUT_LAYOUT_OR_BLANK =
      Pattern.compile("[" + CLASS + BLANK + "&&[^\\t\\n]]");

  /** Colours, cursor movements, titles, alphabets as terminals are told them (ECMA-48, ECMA-35). */
  private static final Pattern SEQUENCES =
      Pattern.compile(
          "\u001b(?:\\[[0-?]*[ -/]*[@-~]|[]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\\\)"
              + "|[ -/]{1,2}[0-~]|[=>])");

  private Unseen() {}

  /** Whether one is in the text; tabs and line ends count. */
  public static boolean isIn(String text) {
    return ANY.matcher(text).find();
  }

  /** Tabs and line ends stay; of all others it shows that they were there. */
  public static String marked(String text) {
    return BUT_LAYOUT.matcher(text).replaceAll(MARK);
  }

  /** As if they had never been there, nor what is shown as nothing; tabs and line ends stay. */
  public static String removed(String text) {
    return BUT_LAYOUT_OR_BLANK.matcher(withoutSequences(text)).replaceAll("");
  }

  /** A space for each, tabs and line ends among them. */
  public static String onOneLine(String text) {
    return ANY.matcher(text).replaceAll(" ");
  }

  /** Without the colours of a terminal. */
  public static String withoutSequences(String text) {
    return SEQUENCES.matcher(text).replaceAll("");
  }
}
