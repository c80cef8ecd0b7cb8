package io.nightsweep.cluster;

/** Writes data into bash so that it stays data. */
public final class Shell {
  private Shell() {}

  /** The text as one word, whatever is in it. */
  public static String quote(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a shell word cannot hold a NUL character");
    }
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
