package io.nightsweep.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a daemon and its sweeps live. Jobs write below it: for a cluster of several machines it has
 * to be on a filesystem that they share.
 */
public record StateDirectory(Path root) {
  public static final String VARIABLE = "NIGHTSWEEP_STATE";

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

  /** Creates the directory for this user alone where it does not exist. */
  public void create() throws IOException {
    var forThisUserAlone =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    if (!Files.isDirectory(root)) {
      Files.createDirectories(Objects.requireNonNull(root.getParent()));
      Files.createDirectory(root, forThisUserAlone);
    }
    // A folder that somebody made before may be open to all: what sweeps write is not.
    Files.createDirectories(sweeps(), forThisUserAlone);
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

  public SweepDirectory sweep(String id) {
    return new SweepDirectory(sweeps().resolve(id));
  }

  /** All sweeps that have begun a journal, by id; one that a full disk left empty is none. */
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
