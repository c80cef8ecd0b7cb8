package io.nightsweep.workload.maxtext;

import io.nightsweep.files.OwnFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The launcher's repository as it was when a sweep submitted its first job. All jobs of the sweep
 * use this copy, so that an edit or a pull in the night does not affect them.
 *
 * @param ofReports files, relative to the repository, that sweeps of the model deliver into it
 */
record FrozenCheckout(Path original, Path outputs, Path attempts, Predicate<Path> ofReports) {
  private static final int MOST_FILES = 8;

  /** The commit is stored beside the history, where nothing else uses the name. */
  private static final String COMMIT = ".git/nightsweep-commit";

  /**
   * @param attempts the folder of the sweep's attempts and of the copy
   */
  static FrozenCheckout of(MaxTextSettings settings, String model, Path attempts) {
    return new FrozenCheckout(
        settings.checkout(), settings.outputs(), attempts, delivered(settings, model));
  }

  private static Predicate<Path> delivered(MaxTextSettings settings, String model) {
    String name = model.replaceAll("[^A-Za-z0-9._=-]+", "-");
    return file -> {
      String top = String.valueOf(file.getName(0));
      return settings.delivers()
          && (top.startsWith(name + "-tuning.")
              || top.equals(name + "-charts")
              // Temporary files of a delivery in progress.
              || top.matches("\\.new\\d+\\.tmp"));
    };
  }

  Path copy() {
    return attempts.resolve("launcher");
  }

  /** The folder to read from: the copy if it exists, else the original. */
  Path files() {
    return Files.isDirectory(copy()) ? copy() : original;
  }

  void make() throws IOException {
    if (!Files.isDirectory(copy())) {
      Path part = Files.createTempDirectory(attempts, "launcher-");
      PrivateCheckout.copy(original, outputs, part);
      OwnFile.write(part.resolve(COMMIT), new LauncherGit(original).commit().orElse(""));
      Files.move(part, copy(), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /**
   * The copy's commit. Not read by git in the copy: if the copy has no history, git would find
   * another repository that encloses the sweep's folder.
   */
  Optional<String> commit() throws IOException {
    Path file = copy().resolve(COMMIT);
    return Files.isRegularFile(file)
        ? Optional.of(Files.readString(file).strip()).filter(id -> !id.isEmpty())
        // A copy made by an earlier build has no such file, but may have the checkout's own
        // history.
        : new LauncherGit(copy()).commit();
  }

  /** What has changed in the repository since the copy; empty also where it cannot be read. */
  Optional<String> changes() {
    if (!Files.isDirectory(copy())) {
      return Optional.empty();
    }
    try {
      SortedSet<Path> changed = new TreeSet<>(PrivateCheckout.files(original, outputs, copy()));
      changed.addAll(PrivateCheckout.files(copy(), outputs, copy()));
      changed.removeIf(ofReports.or(this::isSame));
      return changed.isEmpty()
          ? Optional.empty()
          : Optional.of(
              changed.stream()
                      .limit(MOST_FILES)
                      .map(Path::toString)
                      .collect(Collectors.joining(", "))
                  + (changed.size() > MOST_FILES
                      ? " and " + (changed.size() - MOST_FILES) + " more"
                      : ""));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private boolean isSame(Path file) {
    Path now = original.resolve(file);
    Path then = copy().resolve(file);
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
