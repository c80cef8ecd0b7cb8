package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.CommandRunner;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What git knows about the launcher's checkout, which is only read. */
final class LauncherGit {
  private static final String SUBMIT = "submit.sh";

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Path checkout;

  LauncherGit(Path checkout) {
    this.checkout = checkout;
  }

  /**
   * The checked-out commit. Empty without git, outside a repository, where the objects are missing,
   * and where the repository does not contain the launcher, such as that of a home folder in which
   * the launcher was unpacked.
   */
  Optional<String> commit() {
    return git("ls-files", "--", SUBMIT).filter(SUBMIT::equals).isEmpty()
        ? Optional.empty()
        : git("rev-parse", "--verify", "HEAD^{commit}").filter(id -> id.matches("[0-9a-f]{40,64}"));
  }

  /** Files of the checkout that differ from the commit or are not in it, except ignored ones. */
  List<String> changed() {
    return git("status", "--porcelain", "-z", "--no-renames", "--", ".").stream()
        .flatMap(files -> Stream.of(files.split("\0")))
        .filter(line -> line.length() > 3)
        .map(line -> line.substring(3))
        .toList();
  }

  /**
   * Gives a copy of the checkout's files the checkout's history: its own HEAD and index, and the
   * original's objects. With it the launcher writes the copy's commit and changes into each log.
   * The .git folder is created in any case, since the launcher uses it to find the repository's
   * root.
   */
  void giveHistory(Path copy) throws IOException {
    Path own = Files.createDirectories(copy.resolve(".git"));
    Optional<String> commit = commit();
    Optional<Path> folder = git("rev-parse", "--absolute-git-dir").map(Path::of);
    Optional<String> inside = git("rev-parse", "--show-prefix");
    if (commit.isEmpty() || folder.isEmpty() || !inside.equals(Optional.of(""))) {
      return;
    }
    Optional<Path> common =
        git("rev-parse", "--git-common-dir").map(path -> checkout.resolve(path).normalize());
    if (common.isPresent()) {
      Files.writeString(own.resolve("commondir"), common.get() + "\n");
      Files.writeString(own.resolve("HEAD"), commit.get() + "\n");
      Path index = folder.get().resolve("index");
      if (Files.isRegularFile(index)) {
        Files.copy(index, own.resolve("index"), StandardCopyOption.REPLACE_EXISTING);
      }
      // A split index refers to another file with most of its content.
      try (DirectoryStream<Path> shared = Files.newDirectoryStream(folder.get(), "sharedindex.*")) {
        for (Path part : shared) {
          Files.copy(part, own.resolve(folder.get().relativize(part)));
        }
      }
    }
  }

  /**
   * Makes git treat files of a copy as unchanged. The launcher prints differences into each log,
   * which then shows only the changes that a person made.
   *
   * @param files relative to the checkout; files unknown to git are skipped
   */
  void takeAsCommitted(List<String> files) {
    for (String file : files) {
      git("update-index", "--assume-unchanged", "--", file);
    }
  }

  private Optional<String> git(String... arguments) {
    List<String> command =
        new ArrayList<>(List.of("git", "-c", "core.fsmonitor=false", "-C", checkout.toString()));
    command.addAll(List.of(arguments));
    try {
      CommandRunner.Output output =
          CommandRunner.direct(Map.of("GIT_OPTIONAL_LOCKS", "0")).run(command, PATIENCE);
      return output.succeeded() ? Optional.of(output.stdout().stripTrailing()) : Optional.empty();
    } catch (ClusterUnreachableException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
