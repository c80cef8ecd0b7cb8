package io.nightsweep.report;

import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** The memory use of profiles, as reported in their runs' logs. */
public final class MemorySizes {
  private static final String SIZE = "(?i).*(mem|temp|argument|output).*bytes";

  private static final double GIB = 1L << 30;

  private MemorySizes() {}

  /** Whether the run reported any memory size. */
  public static boolean isTold(Measurement m) {
    return m.extras().keySet().stream().anyMatch(name -> name.matches(SIZE));
  }

  /** GiB by profile and kind, from the last run of each profile that reported any. */
  public static SortedMap<String, SortedMap<String, Double>> gibibytes(SweepState s) {
    SortedMap<String, SortedMap<String, Double>> byProfile = new TreeMap<>();
    s.attempts()
        .forEach(
            a ->
                a.measurement()
                    .filter(MemorySizes::isTold)
                    .ifPresent(m -> byProfile.put(s.trialOf(a.id()).profile(), gibibytes(m))));
    return byProfile;
  }

  private static SortedMap<String, Double> gibibytes(Measurement m) {
    TreeMap<String, Double> sizes = new TreeMap<>();
    m.extras()
        .forEach(
            (name, bytes) -> {
              if (name.matches(SIZE)) {
                sizes.put(words(name), bytes / GIB);
              }
            });
    return sizes;
  }

  /** A kind in words: {@code totalMemoryBytes} is "total memory". */
  private static String words(String name) {
    return name.replaceFirst("Bytes$", "")
        .replaceAll("(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT)
        .strip();
  }
}
