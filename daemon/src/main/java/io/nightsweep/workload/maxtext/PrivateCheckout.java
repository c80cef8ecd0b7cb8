package io.nightsweep.workload.maxtext;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * One attempt's own copy of the launcher's repository: what the profile changes in it touches no
 * other job, and a person may edit the original meanwhile.
 */
final class PrivateCheckout {
  /** What a submission does not need, or what would be endless. */
  private static final Set<String> LEFT_OUT = Set.of("outputs", ".git", "__pycache__", ".venv");

  private static final long MOST_BYTES = 512L << 20;

  private PrivateCheckout() {}

  /**
   * Copies the repository.
   *
   * @throws IOException where it cannot be read or is larger than a repository of scripts can be
   */
  static void copy(Path from, Path outputs, Path to) throws IOException {
    long bytes = 0;
    for (Entry entry : entries(from, outputs, to)) {
      Path target = to.resolve(entry.name());
      bytes += entry.bytes();
      if (bytes > MOST_BYTES) {
        throw new IOException(
            from + " holds more than 512 MiB beside outputs; what is not part of it?");
      }
      if (entry.isFolder()) {
        Files.createDirectories(target);
      } else {
        Files.copy(
            from.resolve(entry.name()),
            target,
            LinkOption.NOFOLLOW_LINKS,
            StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    new LauncherGit(from).giveHistory(to);
  }

  /** The files of which a copy is made, by name relative to the repository. */
  static List<String> files(Path repository, Path outputs, Path copy) throws IOException {
    return entries(repository, outputs, copy).stream()
        .filter(entry -> !entry.isFolder())
        .map(Entry::name)
        .toList();
  }

  private record Entry(String name, boolean isFolder, long bytes) {}

  /** A folder comes before what it holds. */
  private static List<Entry> entries(Path from, Path outputs, Path to) throws IOException {
    List<Entry> entries = new ArrayList<>();
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean leftOut =
                !folder.equals(from)
                    && (LEFT_OUT.contains(String.valueOf(folder.getFileName()))
                        || folder.equals(outputs)
                        || to.startsWith(folder));
            if (leftOut) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            entries.add(new Entry(from.relativize(folder).toString(), true, 0));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() || attributes.isSymbolicLink()) {
              entries.add(new Entry(from.relativize(file).toString(), false, attributes.size()));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return entries;
  }

  /** The {@code #SBATCH} lines of a batch script. */
  static List<String> directives(String script) {
    return script.lines().filter(line -> line.startsWith("#SBATCH")).toList();
  }
}
