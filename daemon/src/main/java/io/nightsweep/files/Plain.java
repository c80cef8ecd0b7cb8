package io.nightsweep.files;

/**
 * Text of jobs, people and models made harmless to a reader that may take it for more than text.
 */
public final class Plain {
  /** Of a longer text the rest is not looked at. */
  private static final int MOST_READ = 65_536;

  private Plain() {}

  /**
   * On one line, at most {@code most} characters, without secrets: no pattern knows the part of one
   * that a cut leaves.
   */
  public static String text(String text, int most) {
    String masked = Masking.of(text.substring(0, Math.min(text.length(), MOST_READ)));
    String flat = Unseen.onOneLine(masked.substring(0, Math.min(masked.length(), 4 * most)));
    return flat.length() <= most ? flat : flat.substring(0, most) + "…";
  }
}
