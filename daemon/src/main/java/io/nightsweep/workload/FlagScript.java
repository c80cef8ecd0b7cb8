package io.nightsweep.workload;

import io.nightsweep.cluster.Shell;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Bash that appends XLA flags to {@code XLA_FLAGS}. XLA uses a flag's last value; if that is
 * already the wanted one, the flag is not added again, so a script can be sourced twice.
 */
public final class FlagScript {
  private static final String NAME = "_nightsweep_flag";

  /** The function that the other lines call; it must precede them. */
  public static final String DEFINITION =
      """
      # XLA takes the last value of a flag: nothing is added where that is this one already.
      _nightsweep_flag() {
        local word last=''
        for word in ${XLA_FLAGS:-}; do
          [[ $word != "${1%%=*}" && $word != "${1%%=*}="* ]] || last=$word
        done
        [[ $last == "$1" ]] || export XLA_FLAGS="${XLA_FLAGS:+$XLA_FLAGS }$1"
      }
      """;

  /** Removes the function. */
  public static final String END = "unset -f " + NAME + "\n";

  private FlagScript() {}

  /** One line for each flag. */
  public static List<String> lines(Map<String, String> flags) {
    return new TreeMap<>(flags)
        .entrySet().stream()
            .map(e -> NAME + " " + Shell.word(word(e.getKey(), e.getValue())))
            .toList();
  }

  /** The definition, the lines and the end; empty without flags. */
  public static String whole(Map<String, String> flags) {
    return flags.isEmpty() ? "" : DEFINITION + String.join("\n", lines(flags)) + "\n" + END;
  }

  /** A flag as one word of {@code XLA_FLAGS}; XLA itself removes the quotes. */
  public static String word(String flag, String value) {
    boolean spaced = value.chars().anyMatch(Character::isWhitespace);
    return value.isEmpty() ? flag : flag + "=" + (spaced ? "'" + value + "'" : value);
  }
}
