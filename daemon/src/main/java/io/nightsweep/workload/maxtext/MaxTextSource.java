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
 * A checkout of MaxText that this machine can read, as the one of {@code workload.maxtext}. {@link
 * InstalledMaxText} reads the same of the MaxText in a job's image.
 *
 * @param folder of the package, which holds {@code configs/base.yml}
 */
record MaxTextSource(Path folder) {
  /** Of {@code base.yml}: flat YAML. */
  private static final Pattern KEY = Pattern.compile("(?m)^([A-Za-z_]\\w*):");

  /** Of the classes in {@code types.py}, which has fields that {@code base.yml} leaves out. */
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
   * The settings that it has; empty where they stand in neither of the two files that releases up
   * to 0.2.4 keep them in.
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
   * Whether {@code MaxText.train} has the main function that maxtext-slurm calls. Since 20 February
   * 2026 (0.2.0) the module has none, since 8 April 2026 it is gone.
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

  /** Names that no MaxText refuses: the one that its configurations inherit by, and the model's. */
  static List<String> always(ModelConfig config) {
    return Stream.concat(Stream.of(ModelFiles.BASE), config.values().keySet().stream())
        .distinct()
        .sorted()
        .toList();
  }
}
