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
 * One attempt's own copy of the launcher's repository: the profile's changes in it affect no other
 * job, and a person may edit the original meanwhile.
 */
final class PrivateCheckout {
  private static final String GIT = ".git";

  /** Folders that a submission does not need, or that would be copied without end. */
  private static final Set<String> LEFT_OUT = Set.of("outputs", GIT, "__pycache__", ".venv");

  /** The folder of the models' files, in which a job's own files are written. */
  private static final String CONFIGS = "configs";

  private static final long MOST_BYTES = 512L << 20;

  private PrivateCheckout() {}

  /**
   * Copies the repository.
   *
   * @throws IOException where it cannot be read or is larger than a repository of scripts can be
   */
  static void copy(Path from, Path outputs, Path to) throws IOException {
    long bytes = 0;
    for (CheckoutEntry entry : entries(from, outputs, to)) {
      Path target = to.resolve(entry.name());
      bytes += entry.bytes();
      if (bytes > MOST_BYTES) {
        throw new IOException(
            from + " holds more than 512 MiB besides outputs; remove what is not part of it");
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

  /** The path with all links resolved, as far as it exists. */
  static Path real(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    try {
      return absolute.toRealPath();
    } catch (IOException e) {
      return parent == null ? absolute : real(parent).resolve(parent.relativize(absolute));
    }
  }

  /**
   * The files to copy, relative to the repository. They stay paths, since a name outside the
   * locale's encoding does not survive conversion to a string.
   */
  static List<Path> files(Path repository, Path outputs, Path copy) throws IOException {
    return entries(repository, outputs, copy).stream()
        .filter(entry -> !entry.isFolder())
        .map(CheckoutEntry::name)
        .toList();
  }

  private record CheckoutEntry(Path name, boolean isFolder, long bytes) {}

  /** The entries to copy; a folder precedes its content. */
  private static List<CheckoutEntry> entries(Path from, Path outputs, Path to) throws IOException {
    List<CheckoutEntry> entries = new ArrayList<>();
    walk(real(from), Path.of(""), real(outputs), real(to), entries);
    return entries;
  }

  /**
   * @param root with links resolved: otherwise the walk would visit only the link, and its copy
   *     would lead to the original
   * @param name of the root in the repository
   */
  private static void walk(Path root, Path name, Path outputs, Path to, List<CheckoutEntry> entries)
      throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean leftOut =
                !folder.equals(root)
                    && (LEFT_OUT.contains(String.valueOf(folder.getFileName()))
                        || folder.equals(outputs)
                        || to.startsWith(folder));
            if (leftOut) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            entries.add(new CheckoutEntry(name.resolve(root.relativize(folder)), true, 0));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path relative = name.resolve(root.relativize(file));
            if (relative.equals(Path.of(CONFIGS)) && Files.isDirectory(file)) {
              // If this link were copied, a job's files would be written into the original.
              walk(real(file), relative, outputs, to, entries);
            } else if (!relative.endsWith(GIT)
                && (attributes.isRegularFile() || attributes.isSymbolicLink())) {
              // A .git that is a file or a link, as in a worktree, would lead to the original's
              // history.
              entries.add(new CheckoutEntry(relative, false, attributes.size()));
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** The {@code #SBATCH} lines of a batch script. */
  static List<String> directives(String script) {
    return script.lines().filter(line -> line.startsWith("#SBATCH")).toList();
  }
}
