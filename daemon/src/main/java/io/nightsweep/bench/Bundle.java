package io.nightsweep.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;

/** A published folder: manifest, rows, summary, figures, and a checksum of each file. */
public record Bundle(Path folder) {
  static final String MANIFEST = "manifest.json";
  static final String CASES = "cases.ndjson";
  static final String ATTEMPTS = "attempts.ndjson";
  static final String PROJECTION = "projection.csv";
  static final String CONTROLS = "control";
  static final String CHECKSUMS = "SHA256SUMS";
  static final String LATEST = "latest";

  /** The summary, which people read first. */
  public Path page() {
    return folder.resolve("summary.md");
  }

  /** The latest bundle of a study. */
  static Bundle latest(Path studyFolder) throws IOException {
    Path link = studyFolder.resolve(LATEST);
    if (!Files.exists(link)) {
      throw new IOException("there is no bundle to reuse in " + studyFolder);
    }
    return new Bundle(link.toRealPath());
  }

  /**
   * Writes a bundle under a temporary name, then renames it; it never replaces a bundle.
   *
   * @param content bytes by relative path
   */
  static Bundle publish(Path studyFolder, String name, SequencedMap<String, byte[]> content)
      throws IOException {
    Files.createDirectories(studyFolder);
    Path place = studyFolder.resolve(name);
    Path temporary = Files.createTempDirectory(studyFolder, "." + name + ".");
    Map<String, byte[]> all = new TreeMap<>(content);
    all.put(CHECKSUMS, checksums(content).getBytes(StandardCharsets.UTF_8));
    for (Map.Entry<String, byte[]> file : all.entrySet()) {
      Path path = temporary.resolve(file.getKey());
      Path parent = path.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Durable.write(path, file.getValue());
    }
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
    Durable.syncDirectory(temporary);
    if (Files.exists(place)) {
      throw new IOException("there is a bundle " + place + " already");
    }
    Files.move(temporary, place, StandardCopyOption.ATOMIC_MOVE);
    Durable.syncDirectory(studyFolder);
    return new Bundle(place);
  }

  /** Makes {@code latest} point to this bundle. */
  void makeLatest() throws IOException {
    Durable.swap(folder.resolveSibling(LATEST), Objects.requireNonNull(folder.getFileName()));
  }

  /**
   * @throws IOException where a file is missing or has changed since it was published
   */
  void verify() throws IOException {
    for (String line : Files.readAllLines(folder.resolve(CHECKSUMS))) {
      List<String> parts = Arrays.asList(line.split(" {2}", 2));
      Path file = folder.resolve(parts.getLast());
      if (!Files.exists(file)
          || !DigestUtils.sha256Hex(Files.readAllBytes(file)).equals(parts.getFirst())) {
        throw new IOException(parts.getLast() + " is not what was published in " + folder);
      }
    }
  }

  /** The files behind the rows: control documents, and the projected and actual times of jobs. */
  SequencedMap<String, byte[]> origins() throws IOException {
    SequencedMap<String, byte[]> origins = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String path = folder.relativize(file).toString();
        if (path.startsWith(CONTROLS + "/") || path.equals(PROJECTION)) {
          origins.put(path, Files.readAllBytes(file));
        }
      }
    }
    return origins;
  }

  Manifest manifest() throws IOException {
    return BenchJson.MAPPER.readValue(folder.resolve(MANIFEST).toFile(), Manifest.class);
  }

  private static String checksums(Map<String, byte[]> content) {
    return new TreeMap<>(content)
        .entrySet().stream()
            .map(e -> DigestUtils.sha256Hex(e.getValue()) + "  " + e.getKey() + "\n")
            .collect(Collectors.joining());
  }
}
