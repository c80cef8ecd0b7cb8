package io.nightsweep.files;

import java.util.regex.Pattern;

/**
 * Text of jobs, people and models made harmless to a reader that may take it for more than text.
 */
public final class Plain {
  /** Line ends, control characters, and the invisible ones that reorder or hide text. */
  private static final Pattern UNSEEN = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]+");

  private Plain() {}

  /** On one line, at most {@code most} characters. */
  public static String text(String text, int most) {
    String flat =
        UNSEEN.matcher(text.substring(0, Math.min(text.length(), 4 * most))).replaceAll(" ");
    return flat.length() <= most ? flat : flat.substring(0, most) + "…";
  }
}
