package io.nightsweep.files;

/** Makes text of jobs, people and models harmless for readers that might interpret it. */
public final class Plain {
  /** Limit on the input; the rest of a longer text is ignored. */
  private static final int MOST_READ = 65_536;

  private Plain() {}

  /**
   * The text on one line, with at most {@code most} characters and secrets masked. It is masked
   * before it is cut, since a cut secret would not be recognised.
   */
  public static String text(String text, int most) {
    String masked = Masking.of(text.substring(0, Math.min(text.length(), MOST_READ)));
    String flat = Unseen.onOneLine(masked.substring(0, Math.min(masked.length(), 4 * most)));
    return flat.length() <= most ? flat : flat.substring(0, most) + "…";
  }
}
