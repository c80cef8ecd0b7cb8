package io.nightsweep.triage;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Optional;

/** The rules for a playbook's patterns. */
public final class PatternSyntax {
  private static final Pattern ANCHOR =
      Pattern.compile("(?:^|[^\\\\\\[])(?:\\\\\\\\)*(?:\\^|\\$|\\\\[AzCG])");

  /** Constructs with another meaning in the engine, which reads bytes. */
  private static final Pattern NOT_OF_BYTES =
      Pattern.compile(
          "\\\\[QpPX]|\\\\x\\{|[^\\x00-\\x7f][*+?{]|(?:^|[^\\\\])\\[[^\\]]*[^\\x00-\\x7f]");

  private PatternSyntax() {}

  /** What is wrong with the pattern; empty if it is valid. */
  public static Optional<String> fault(String pattern) {
    try {
      if (Pattern.compile(pattern).matcher("").find()) {
        return Optional.of("it matches every line");
      }
    } catch (PatternSyntaxException e) {
      return Optional.of(e.getDescription() + " at '" + e.getPattern() + "'");
    }
    Matcher notOfBytes = NOT_OF_BYTES.matcher(pattern);
    if (notOfBytes.find()) {
      return Optional.of(
          "'"
              + notOfBytes.group()
              + "' cannot be used here: logs are searched byte by byte; write letters outside"
              + " ASCII alone or in (?:a|b)");
    }
    return ANCHOR.matcher(pattern).find()
        ? Optional.of("lines are searched unanchored, since a rank's prefix may stand before")
        : Optional.empty();
  }
}
