package io.nightsweep.triage;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Optional;

/** What a playbook's patterns may be. */
public final class PatternSyntax {
  private static final java.util.regex.Pattern ANCHOR =
      java.util.regex.Pattern.compile("(?:^|[^\\\\\\[])(?:\\\\\\\\)*(?:\\^|\\$|\\\\[AzCG])");

  private PatternSyntax() {}

  /** What is wrong with the pattern; empty where nothing is. */
  public static Optional<String> fault(String pattern) {
    try {
      if (Pattern.compile(pattern).matcher("").find()) {
        return Optional.of("it matches every line");
      }
    } catch (PatternSyntaxException e) {
      return Optional.of(e.getDescription() + " at '" + e.getPattern() + "'");
    }
    return ANCHOR.matcher(pattern).find()
        ? Optional.of("lines are searched unanchored, since a rank's prefix may stand before")
        : Optional.empty();
  }
}
