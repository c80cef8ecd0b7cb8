package io.nightsweep.joblog;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files into which a log was rotated: {@code log.1} and {@code log.2.gz}, or {@code
 * log-20260601} and {@code log.2026-06-01.xz}.
 */
final class RotatedParts {
  private static final int MOST = 100;

  /** A job may put millions of files beside its log. */
  private static final int MOST_LISTED = 10_000;

  private static final List<String> ENDINGS = List.of("", ".gz", ".xz", ".zst");

  private static final Pattern NAME =
      Pattern.compile(
          "(?:\\.(\\d{1,4})|[-.](\\d{4}-?\\d\\d-?\\d\\d[-\\dT_:]{0,20}))(?:\\.(?:gz|xz|zst))?");

  private RotatedParts() {}

  /**
   * @param number of a numbered part, 1 for the newest; 0 for other parts
   * @param date orders the other parts
   */
  private record RotatedPart(Path path, int number, String date) {
    static final Comparator<RotatedPart> OLDEST_FIRST =
        Comparator.comparing((RotatedPart p) -> p.number() > 0)
            .thenComparing(RotatedPart::number, Comparator.reverseOrder())
            .thenComparing(RotatedPart::date);
  }

  /**
   * {@code log.2}, {@code log.1.gz}: the oldest first. No folder is listed for this, since it may
   * contain millions of files.
   */
  static List<Path> numbered(Path log, Predicate<Path> isRegular) {
    List<Path> found = new ArrayList<>();
    for (int i = 1; i < MOST; i++) {
      String name = log.getFileName() + "." + i;
      Optional<Path> older =
          ENDINGS.stream()
              .map(ending -> log.resolveSibling(name + ending))
              .filter(isRegular)
              .findFirst();
      if (older.isEmpty()) {
        break;
      }
      found.add(older.get());
    }
    Collections.reverse(found);
    return found;
  }

  /** All files with names that begin with the log's name, except the log itself. */
  static List<Path> siblings(Path log, Predicate<Path> isRegular) throws IOException {
    Path folder = log.toAbsolutePath().getParent();
    // Listing a replacement of the job's folder, such as a pipe, would block.
    if (folder == null || !Files.isDirectory(folder)) {
      return List.of();
    }
    String name = String.valueOf(log.getFileName());
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            folder,
            f ->
                String.valueOf(f.getFileName()).startsWith(name)
                    && !String.valueOf(f.getFileName()).equals(name))) {
      for (Path file : files) {
        if (found.size() == MOST_LISTED) {
          break;
        }
        found.add(file);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found.stream().filter(isRegular).toList();
  }

  /**
   * The siblings that are parts of the log, the oldest first; only the newest if there are many.
   */
  static List<Path> among(List<Path> siblings, Path log) {
    List<Path> parts =
        siblings.stream()
            .flatMap(file -> part(file, log).stream())
            .sorted(RotatedPart.OLDEST_FIRST)
            .map(RotatedPart::path)
            .toList();
    return parts.subList(Math.max(0, parts.size() - MOST), parts.size());
  }

  /**
   * The parts after the given one. Parts of the other naming scheme are left out, since their names
   * do not show whether they are later.
   */
  static List<Path> after(Path one, List<Path> parts, Path log) {
    return parts.subList(parts.indexOf(one) + 1, parts.size()).stream()
        .filter(other -> isNumbered(other, log) == isNumbered(one, log))
        .toList();
  }

  private static boolean isNumbered(Path file, Path log) {
    return part(file, log).filter(p -> p.number() > 0).isPresent();
  }

  private static Optional<RotatedPart> part(Path file, Path log) {
    int length = String.valueOf(log.getFileName()).length();
    Matcher m = NAME.matcher(String.valueOf(file.getFileName()).substring(length));
    if (!m.matches()) {
      return Optional.empty();
    }
    String number = m.group(1);
    String date = m.group(2);
    return Optional.of(
        new RotatedPart(
            file, number == null ? 0 : Integer.parseInt(number), date == null ? "" : date));
  }
}
