package io.nightsweep.plan;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the valid name that a mistyped one was probably meant to be. */
public final class Nearest {
  private Nearest() {}

  /** Shorter names are part of too many valid ones to suggest one. */
  private static final int FEWEST_OF_PART = 3;

  /**
   * The closest name by edits and swaps of neighbours, if at most a third of the name differs;
   * otherwise the only name that contains it.
   */
  public static Optional<String> to(String name, Collection<String> valid) {
    String wanted = name.toLowerCase(Locale.ROOT);
    int limit = Math.max(1, (name.length() + 1) / 3);
    return valid.stream()
        .map(v -> new Spelling(v, distance(wanted, v.toLowerCase(Locale.ROOT))))
        .filter(c -> c.distance <= limit)
        .min(Comparator.comparingInt(Spelling::distance).thenComparing(Spelling::name))
        .map(Spelling::name)
        .or(() -> onlyOneWith(wanted, valid));
  }

  /** The question that ends a message about the name: "; did you mean 'x'?". */
  public static Optional<String> question(String name, Collection<String> valid) {
    return to(name, valid).map(Nearest::question);
  }

  /** The question whether the user meant the name. */
  public static String question(String meant) {
    return "; did you mean '" + meant + "'?";
  }

  private static Optional<String> onlyOneWith(String part, Collection<String> valid) {
    List<String> found =
        valid.stream()
            .filter(v -> part.length() >= FEWEST_OF_PART)
            .filter(v -> v.toLowerCase(Locale.ROOT).contains(part))
            .toList();
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }

  /** Optimal string alignment distance. */
  static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + change);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }

  private record Spelling(String name, int distance) {}
}
