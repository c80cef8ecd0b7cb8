package io.nightsweep.agent;

import com.fasterxml.jackson.core.type.TypeReference;
import io.nightsweep.files.OwnFile;
import io.nightsweep.journal.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The grants of a state directory: one file that only its owner reads and writes. */
public final class Grants {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,39}");

  private final Path file;

  /**
   * @param root the state directory
   */
  public Grants(Path root) {
    this.file = root.resolve("grants.json");
  }

  /** Whether an assistant may be called so: letters, digits, dots, dashes; at most 40. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** All that were given and not taken back, expired ones too, by name. */
  public Map<String, Grant> all() throws IOException {
    try {
      return Json.mapper()
          .readValue(Files.readString(file), new TypeReference<TreeMap<String, Grant>>() {});
    } catch (NoSuchFileException e) {
      return new TreeMap<>();
    }
  }

  public Optional<Grant> of(String name) throws IOException {
    return Optional.ofNullable(all().get(name));
  }

  /** Replaces what the assistant had. */
  public void give(Grant grant) throws IOException {
    Map<String, Grant> all = all();
    all.put(grant.name(), grant);
    write(all);
  }

  /**
   * @return whether there was one
   */
  public boolean revoke(String name) throws IOException {
    Map<String, Grant> all = all();
    boolean was = all.remove(name) != null;
    write(all);
    return was;
  }

  private void write(Map<String, Grant> all) throws IOException {
    OwnFile.write(file, Json.mapper().writeValueAsString(all));
  }
}
