package io.nightsweep.files;

/**
 * Text of jobs, people and models made harmless to a reader that may take it for more than text.
 */
public final class Plain {
  private Plain() {}

  /** On one line, at most {@code most} characters. */
  public static String text(String text, int most) {
    String flat = Unseen.onOneLine(text.substring(0, Math.min(text.length(), 4 * most)));
    return flat.length() <= most ? flat : flat.substring(0, most) + "…";
  }
}
