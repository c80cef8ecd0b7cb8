package io.nightsweep.workload.maxtext;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The launcher's repository as it was when a sweep submitted its first job. All jobs of the sweep
 * are made of this copy: an edit or a pull in the night changes none of them.
 */
record FrozenCheckout(Path original, Path outputs, Path copy) {
  private static final int MOST_FILES = 8;

  /**
   * @param attempts the folder that holds those of the sweep's attempts, and the copy
   */
  static FrozenCheckout of(MaxTextSettings settings, Path attempts) {
    return new FrozenCheckout(
        settings.checkout(), settings.outputs(), attempts.resolve("launcher"));
  }

  /** The files as they are now, until there is a copy. */
  Path files() {
    return Files.isDirectory(copy) ? copy : original;
  }

  void make() throws IOException {
    if (!Files.isDirectory(copy)) {
      Path part = copy.resolveSibling("launcher-" + ProcessHandle.current().pid());
      PrivateCheckout.copy(original, outputs, part);
      Files.move(part, copy, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** What has changed in the repository since; empty too where it cannot be read. */
  Optional<String> changes() {
    if (!Files.isDirectory(copy)) {
      return Optional.empty();
    }
    try {
      SortedSet<String> changed = new TreeSet<>(PrivateCheckout.files(original, outputs, copy));
      changed.addAll(PrivateCheckout.files(copy, outputs, copy));
      changed.removeIf(this::isSame);
      return changed.isEmpty()
          ? Optional.empty()
          : Optional.of(
              String.join(", ", changed.stream().limit(MOST_FILES).toList())
                  + (changed.size() > MOST_FILES
                      ? " and " + (changed.size() - MOST_FILES) + " more"
                      : ""));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private boolean isSame(String file) {
    Path now = original.resolve(file);
    Path then = copy.resolve(file);
    try {
      if (Files.isSymbolicLink(now) || Files.isSymbolicLink(then)) {
        return Files.readSymbolicLink(now).equals(Files.readSymbolicLink(then));
      }
      return Files.isRegularFile(now, LinkOption.NOFOLLOW_LINKS)
          && Files.isRegularFile(then, LinkOption.NOFOLLOW_LINKS)
          && Files.mismatch(now, then) < 0;
    } catch (IOException e) {
      return false;
    }
  }
}
