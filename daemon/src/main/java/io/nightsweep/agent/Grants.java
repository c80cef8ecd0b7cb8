package io.nightsweep.agent;

import com.fasterxml.jackson.core.type.TypeReference;
import io.nightsweep.files.Ours;
import io.nightsweep.files.OwnFile;
import io.nightsweep.files.Plain;
import io.nightsweep.journal.Json;
import io.nightsweep.sweep.LowerCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The grants of a state directory, in one file that only its owner can read and write. */
public final class Grants {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,39}");

  private final Path file;
  private final Path record;

  /**
   * @param root the state directory
   */
  public Grants(Path root) {
    this.file = root.resolve("grants.json");
    this.record = root.resolve("grants.log");
  }

  /** Whether the name is allowed for an assistant: letters, digits, dots, dashes; at most 40. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /**
   * All grants that were not revoked, expired ones too, by name.
   *
   * @throws IOException where the file cannot be read, or another user may have written it
   */
  public Map<String, Grant> all() throws IOException {
    Ours.check(file);
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

  /** Records a grant or a revocation: when, by whom, and what. */
  private void remember(Instant at, String who, String what) throws IOException {
    OwnFile.append(record, at + "  " + who + "  " + what + "\n");
  }

  /** Gives a grant in place of the assistant's earlier one. */
  public void give(Grant grant, String who, Instant now) throws IOException {
    remember(
        now, who, grant.name() + " may " + LowerCase.of(grant.scope()) + " until " + grant.until());
    give(grant);
  }

  void give(Grant grant) throws IOException {
    Map<String, Grant> all = all();
    all.put(grant.name(), grant);
    write(all);
  }

  /**
   * @return whether there was a grant
   */
  public boolean revoke(String name, String who, Instant now) throws IOException {
    remember(now, who, Plain.text(name, 40) + " may only read");
    Map<String, Grant> all = all();
    boolean was = all.remove(name) != null;
    write(all);
    return was;
  }

  private void write(Map<String, Grant> all) throws IOException {
    OwnFile.write(file, Json.mapper().writeValueAsString(all));
  }
}
