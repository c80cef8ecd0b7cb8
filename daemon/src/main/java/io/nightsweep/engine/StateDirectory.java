package io.nightsweep.engine;

import io.nightsweep.files.Ours;
import io.nightsweep.files.OwnFile;
import io.nightsweep.sweep.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The directory of a daemon and its sweeps. Jobs write below it: if the cluster has several
 * machines, it must be on a filesystem that they share.
 */
public record StateDirectory(Path root) {
  public static final String VARIABLE = "NIGHTSWEEP_STATE";

  private static final int LONGEST_NAME = 100;

  /**
   * Levels below the root: {@code sweeps}, a sweep, its journal; jobs write one level further down.
   */
  private static final int DEPTH_OF_JOURNALS = 3;

  public StateDirectory {
    root = root.toAbsolutePath().normalize();
  }

  /** The argument, else {@value #VARIABLE}, else the XDG state directory. */
  public static StateDirectory resolve(Optional<Path> argument, Map<String, String> env) {
    return new StateDirectory(
        argument
            .or(() -> variable(env, VARIABLE))
            .or(() -> variable(env, "XDG_STATE_HOME").map(p -> p.resolve("nightsweep")))
            .orElseGet(
                () -> Path.of(System.getProperty("user.home"), ".local", "state", "nightsweep")));
  }

  private static Optional<Path> variable(Map<String, String> env, String name) {
    return Optional.ofNullable(env.get(name)).filter(v -> !v.isEmpty()).map(Path::of);
  }

  /**
   * Creates the directory if it does not exist, and makes it inaccessible to others.
   *
   * @throws IOException if another user owns it, or may write it while it holds things other than
   *     sweeps
   */
  public void create() throws IOException {
    if (!Files.isDirectory(root)) {
      Files.createDirectories(Objects.requireNonNull(root.getParent()));
      OwnFile.folder(root);
    }
    if (isMeantForSweeps()) {
      Ours.close(root);
    } else {
      // Closing a folder with other contents of a person would surprise those who share them.
      Ours.check(root);
    }
    OwnFile.folder(sweeps());
    OwnFile.folder(modelReports());
    Ours.close(modelReports());
    OwnFile.create(log());
    Ours.close(log());
  }

  /**
   * Checks what a daemon reads at its start: settings, scheduled starts and journals.
   *
   * @throws IOException if another user owns one of them
   */
  public void checkOwners() throws IOException {
    Ours.checkOwners(root, DEPTH_OF_JOURNALS);
  }

  private boolean isMeantForSweeps() throws IOException {
    if (Files.isDirectory(sweeps())) {
      return true;
    }
    try (Stream<Path> children = Files.list(root)) {
      return children.findAny().isEmpty();
    }
  }

  public Path socket() {
    return root.resolve("daemon.sock");
  }

  public Path owner() {
    return root.resolve("daemon.owner");
  }

  public Path log() {
    return root.resolve("daemon.log");
  }

  /** Pages and figures that all sweeps of a model share. */
  public Path modelReports() {
    return root.resolve("reports");
  }

  /** The queue of jobs that run as processes on this machine. */
  public Path localQueue() {
    return root.resolve("local");
  }

  public static String nameOf(Cell cell) {
    return cell.model() + "-" + cell.parallelism();
  }

  /** The id of the first sweep with a name; later ones have a number appended. */
  public static String folder(String name) {
    String plain = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]+", "-");
    // A leading dash would make it an option on a command line.
    String whole = plain.replaceFirst("^[-.]+", "");
    return whole.substring(0, Math.min(whole.length(), LONGEST_NAME));
  }

  public SweepDirectory sweep(String id) {
    return new SweepDirectory(sweeps().resolve(id));
  }

  /** All sweeps that have begun a journal, by id; an empty journal does not count. */
  public List<SweepDirectory> all() throws IOException {
    if (!Files.isDirectory(sweeps())) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(sweeps())) {
      return children.sorted().map(SweepDirectory::new).filter(StateDirectory::hasBegun).toList();
    }
  }

  private static boolean hasBegun(SweepDirectory directory) {
    try {
      return Files.size(directory.journal()) > 0;
    } catch (IOException e) {
      return false;
    }
  }

  private Path sweeps() {
    return root.resolve("sweeps");
  }
}
