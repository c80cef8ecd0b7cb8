package io.nightsweep.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Plan templates, flag catalogs and playbooks by name. A file at the same relative path beside
 * {@code sweep.yaml} ({@code templates/plans/x.yaml}, {@code flags/x.yaml}, {@code
 * playbooks/x.yaml}) takes precedence over the packed one; a name that ends in {@code .yaml} is a
 * path relative to the sweep file.
 */
public final class Resources {
  /** The kinds of resources that a sweep file can name. */
  public enum Kind {
    PLAN("templates/plans"),
    CATALOG("flags"),
    PLAYBOOK("playbooks"),
    SAMPLES("playbooks/samples"),
    THREADS("playbooks/threads"),
    STUDY("templates/studies"),
    REFERENCE("templates/studies/reference");

    private final String folder;

    Kind(String folder) {
      this.folder = folder;
    }
  }

  /**
   * @param file as shown in messages
   * @param isPacked whether it is Nightsweep's own and not in a person's folder
   */
  public record ResourceText(String file, String text, boolean isPacked) {}

  private final Path folder;
  private final Set<Path> own = new LinkedHashSet<>();

  private Resources(Path folder) {
    this.folder = folder;
  }

  /** The packed resources, and those below the folder. */
  public static Resources below(Path folder) {
    return new Resources(folder.toAbsolutePath());
  }

  /** The packed resources, and those in the sweep file's own folder. */
  public static Resources beside(Path sweepFile) {
    Path parent = sweepFile.toAbsolutePath().getParent();
    return new Resources(parent == null ? sweepFile.toAbsolutePath() : parent);
  }

  /** The named file, or empty where neither the user nor the package has it. */
  public Optional<ResourceText> find(Kind kind, String name) {
    boolean isPath = isPath(name);
    String relative = isPath ? path(kind, name) : kind.folder + "/" + name + ".yaml";
    try {
      Path file = folder.resolve(relative);
      if (Files.isRegularFile(file)) {
        own.add(file);
        return Optional.of(new ResourceText(relative, Files.readString(file), false));
      }
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
    return isPath || !name.matches("[A-Za-z0-9._-]+")
        ? Optional.empty()
        : packed(relative).map(text -> new ResourceText(relative, text, true));
  }

  /** The samples of a playbook at a path are in the folder beside it, as those of a name are. */
  private static String path(Kind kind, String name) {
    int file = name.lastIndexOf('/') + 1;
    return kind == Kind.SAMPLES
        ? name.substring(0, file) + "samples/" + name.substring(file)
        : name;
  }

  /** Whether the name is a path, in contrast to those in {@link #names}. */
  static boolean isPath(String name) {
    return name.endsWith(".yaml") || name.endsWith(".yml");
  }

  /** The user's files that were read so far, without the packed ones. */
  public List<Path> own() {
    return List.copyOf(own);
  }

  /** All names of the kind, both the user's and the packed ones. */
  public Collection<String> names(Kind kind) {
    TreeSet<String> names = new TreeSet<>();
    collect(folder.resolve(kind.folder), names);
    URL url = Resources.class.getClassLoader().getResource(kind.folder);
    if (url != null) {
      try {
        URI uri = url.toURI();
        if (uri.getScheme().equals("jar")) {
          try (FileSystem jar = FileSystems.newFileSystem(uri, Map.of())) {
            collect(jar.getPath(kind.folder), names);
          }
        } else {
          collect(Path.of(uri), names);
        }
      } catch (IOException | URISyntaxException | FileSystemAlreadyExistsException e) {
        return names; // incomplete, but the names only help a message
      }
    }
    return names;
  }

  private static void collect(Path directory, Collection<String> names) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      files
          .map(f -> String.valueOf(f.getFileName()))
          .filter(f -> f.endsWith(".yaml"))
          .map(f -> f.substring(0, f.length() - ".yaml".length()))
          .forEach(names::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A packed file's text. */
  public static Optional<String> packed(String path) {
    try (InputStream in = Resources.class.getClassLoader().getResourceAsStream(path)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
