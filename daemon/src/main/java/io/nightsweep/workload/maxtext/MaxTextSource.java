package io.nightsweep.workload.maxtext;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A checkout of MaxText that this machine can read, such as that of {@code workload.maxtext}.
 * {@link InstalledMaxText} reads the same from the MaxText in a job's image.
 *
 * @param folder of the package with {@code configs/base.yml}
 */
record MaxTextSource(Path folder) {
  /** A key in {@code base.yml}, which is flat YAML. */
  private static final Pattern KEY = Pattern.compile("(?m)^([A-Za-z_]\\w*):");

  /** A field of the classes in {@code types.py}; it has fields that {@code base.yml} lacks. */
  private static final Pattern FIELD = Pattern.compile("(?m)^  ([A-Za-z_]\\w*): ");

  private static final Pattern MAIN = Pattern.compile("(?m)^def main\\(");

  /** Empty where there is no MaxText in the checkout. */
  static Optional<MaxTextSource> of(Path checkout) {
    return Stream.of("src/maxtext", "src/MaxText", "MaxText", "")
        .map(checkout::resolve)
        .filter(folder -> Files.isReadable(folder.resolve("configs/base.yml")))
        .map(MaxTextSource::new)
        .findFirst();
  }

  /**
   * The settings that it has; empty where neither of the two files used up to release 0.2.4 has
   * them.
   */
  SortedSet<String> settings() {
    String types = text("configs/types.py");
    TreeSet<String> names = new TreeSet<>();
    if (!types.isEmpty()
        || !(text("pyconfig.py") + text("configs/pyconfig.py")).contains("pydantic")) {
      add(names, KEY.matcher(text("configs/base.yml")));
      add(names, FIELD.matcher(types));
    }
    return names;
  }

  /**
   * Whether {@code MaxText.train} has the main function that maxtext-slurm calls. The function was
   * moved on 20 February 2026 (0.2.0), and the module removed on 8 April 2026.
   */
  boolean hasMain() {
    return Stream.of("train.py", "../MaxText/train.py")
        .anyMatch(file -> MAIN.matcher(text(file)).find());
  }

  private String text(String file) {
    return LauncherHosts.text(folder.resolve(file));
  }

  private static void add(TreeSet<String> names, Matcher matcher) {
    matcher.results().map(found -> found.group(1)).forEach(names::add);
  }

  /**
   * Names that every MaxText accepts: the one by which configurations inherit, and the model's
   * keys.
   */
  static List<String> always(ModelConfig config) {
    return Stream.concat(Stream.of(ModelFiles.BASE), config.values().keySet().stream())
        .distinct()
        .sorted()
        .toList();
  }
}
