package io.nightsweep.cluster;

/** Writes data into bash so that bash cannot interpret it. */
public final class Shell {
  private Shell() {}

  /** The text as one word for people to read, with quotes only if needed. */
  public static String word(String text) {
    return text.matches("[A-Za-z0-9_./:=@%+,-]+") ? text : quote(text);
  }

  /** The text as one word, whatever it contains. */
  public static String quote(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a shell word cannot hold a NUL character");
    }
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
