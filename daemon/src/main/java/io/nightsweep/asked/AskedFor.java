package io.nightsweep.asked;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.files.ForeignFile;
import io.nightsweep.files.Ours;
import io.nightsweep.files.OwnFile;
import io.nightsweep.files.Plain;
import io.nightsweep.journal.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assistants' requests that a person must confirm, one file each in the state directory. */
public final class AskedFor {
  /** Long enough for a person to reach a keyboard, but shorter than a night. */
  public static final Duration PATIENCE = Duration.ofHours(1);

  /** The most open requests, since no person reads more. */
  private static final int MOST_OPEN = 5;

  private static final int KEPT = 100;
  private static final String KEPT_AS = ".json";

  /** The most that a person can read; a longer file cannot be confirmed. */
  private static final int MOST_BYTES = 64 << 10;

  private static final int MOST_BYTES_OF_A_REQUEST = 1 << 20;
  private static final Logger LOG = LoggerFactory.getLogger(AskedFor.class);

  /** The suffix of the file that the first answer creates, by which a second answer is detected. */
  private static final String TAKEN = ".taken";

  private static final String TOLD = ".told";

  private static final Pattern FILE = Pattern.compile("a[0-9]{1,9}\\.json");

  private final Path folder;

  /**
   * @param root the state directory
   */
  public AskedFor(Path root) {
    this.folder = root.resolve("asked");
  }

  /**
   * Stores a request until a person answers.
   *
   * @param reads the files that the command reads; all others are in the folder of the first or
   *     below
   * @param latest when the request expires, if earlier than {@link #PATIENCE} allows
   * @throws RefusedException where too many requests wait, the same request waits already, or a
   *     file cannot be read or shown completely
   */
  public AssistantRequest ask(
      String assistant,
      String tool,
      List<String> command,
      List<Path> reads,
      Instant now,
      Instant latest)
      throws IOException, RefusedException {
    List<AssistantRequest> all = all();
    List<AssistantRequest> open =
        all.stream().filter(a -> a.assistant().equals(assistant) && a.isWaiting(now)).toList();
    if (open.size() >= MOST_OPEN) {
      throw new RefusedException(
          open.size() + " calls wait for a person already; wait for an answer: asked");
    }
    Map<Path, byte[]> read = read(reads);
    Map<String, String> digests = new TreeMap<>();
    read.forEach((file, bytes) -> digests.put(file.toString(), DigestUtils.sha256Hex(bytes)));
    for (AssistantRequest same : open) {
      if (same.command().equals(command) && same.digests().equals(digests)) {
        throw new RefusedException(same.id() + " waits already and asks for the same");
      }
    }
    Instant until = now.plus(PATIENCE);
    AssistantRequest asked =
        new AssistantRequest(
            reserved(all),
            assistant,
            tool,
            command,
            digests,
            now,
            latest.isBefore(until) ? latest : until,
            Optional.empty());
    for (Map.Entry<Path, byte[]> file : read.entrySet()) {
      OwnFile.write(copy(asked, file.getKey().toString()), file.getValue());
    }
    write(asked);
    for (AssistantRequest old : all.subList(0, Math.max(0, all.size() - KEPT))) {
      if (!old.isWaiting(now)) {
        forget(old);
      }
    }
    return asked;
  }

  /** A new id. Only one process can make its folder, so no two processes take the same id. */
  private String reserved(List<AssistantRequest> all) throws IOException {
    OwnFile.folder(folder);
    long number = all.stream().mapToLong(a -> number(a.id())).max().orElse(0);
    while (true) {
      String id = "a" + ++number;
      if (!Files.exists(file(id))) {
        try {
          Files.createDirectory(
              folder.resolve(id),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
          return id;
        } catch (FileAlreadyExistsException e) {
          // Another request has this id.
        }
      }
    }
  }

  private void forget(AssistantRequest old) throws IOException {
    for (String suffix : List.of(KEPT_AS, TAKEN, TOLD)) {
      Files.deleteIfExists(folder.resolve(old.id() + suffix));
    }
    try (Stream<Path> copies = Files.walk(folder.resolve(old.id()))) {
      for (Path copy : copies.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(copy);
      }
    } catch (NoSuchFileException e) {
      // Requests of earlier versions have no copies.
    }
  }

  /** The request's copy of a file; copies keep the files' relative places. */
  Path copy(AssistantRequest asked, String file) {
    Path base =
        Path.of(
            asked.command().stream().filter(asked.digests()::containsKey).findFirst().orElse(file));
    Path beside = Optional.ofNullable(base.getParent()).orElse(base);
    return folder.resolve(asked.id()).resolve(beside.relativize(Path.of(file)).toString());
  }

  /** All stored requests, the oldest first; damaged files are skipped. */
  public List<AssistantRequest> all() throws IOException {
    List<AssistantRequest> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file :
          files.filter(f -> FILE.matcher(f.getFileName().toString()).matches()).toList()) {
        try {
          Ours.check(file);
          JsonNode written =
              Json.mapper().readTree(ForeignFile.read(file, MOST_BYTES_OF_A_REQUEST));
          // The JSON document may be null.
          Optional.ofNullable(asked(written))
              .filter(asked -> file.equals(file(asked.id())))
              .ifPresent(all::add);
        } catch (IOException e) {
          LOG.warn("{} cannot be read: {}", file, e.getMessage());
        }
      }
    } catch (NoSuchFileException e) {
      return List.of();
    }
    all.sort(Comparator.comparingLong(a -> number(a.id())));
    return all;
  }

  private static long number(String id) {
    return Long.parseLong(id.substring(1));
  }

  /** Requests of earlier versions do not say how their command ended. */
  private static AssistantRequest asked(JsonNode written) throws JsonProcessingException {
    if (written.get("answered") instanceof ObjectNode answered && !answered.has("exit")) {
      answered.putNull("exit");
    }
    return Json.mapper().treeToValue(written, AssistantRequest.class);
  }

  public Optional<AssistantRequest> of(String id) throws IOException {
    return all().stream().filter(a -> a.id().equals(id)).findFirst();
  }

  /**
   * A request without an answer.
   *
   * @throws RefusedException where it no longer waits, with what to do
   */
  AssistantRequest waiting(String id, Instant now) throws IOException, RefusedException {
    AssistantRequest asked =
        of(id)
            .orElseThrow(
                () -> new RefusedException("nothing '" + Plain.text(id, 20) + "' was asked for"));
    if (!asked.isWaiting(now)) {
      throw new RefusedException(
          id + " is " + asked.stands(now) + "; the assistant has to ask again");
    }
    return asked;
  }

  /**
   * Checks that the request can still be confirmed and the copies of its files are unchanged. The
   * files themselves may have changed, since the command reads the copies.
   *
   * @throws RefusedException where not, with what to do
   */
  public AssistantRequest confirmable(String id, Instant now) throws IOException, RefusedException {
    AssistantRequest asked = waiting(id, now);
    for (String file : asked.digests().keySet()) {
      text(asked, file);
    }
    return asked;
  }

  /**
   * A file's text at the time of the request.
   *
   * @throws RefusedException where the copy has changed or is gone
   */
  String text(AssistantRequest asked, String file) throws RefusedException {
    byte[] bytes = bytes(copy(asked, file), MOST_BYTES);
    if (!DigestUtils.sha256Hex(bytes).equals(asked.digests().get(file))) {
      throw new RefusedException(
          "the copy of " + file + " was changed since; it has to be asked again");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * Stores a person's answer.
   *
   * @throws RefusedException where another answer came first, from anywhere
   */
  void take(AssistantRequest asked, AssistantRequest.Answered answer)
      throws IOException, RefusedException {
    try {
      Files.createFile(folder.resolve(asked.id() + TAKEN));
    } catch (FileAlreadyExistsException e) {
      throw new RefusedException("another answer to " + asked.id() + " came first");
    }
    tell(asked, answer);
  }

  /** Stores the result of an accepted answer. */
  void tell(AssistantRequest asked, AssistantRequest.Answered answer) throws IOException {
    write(asked.with(answer));
  }

  /** Whether the chat has announced the request. */
  boolean isTold(AssistantRequest asked) {
    return Files.exists(folder.resolve(asked.id() + TOLD));
  }

  void told(AssistantRequest asked) throws IOException {
    OwnFile.create(folder.resolve(asked.id() + TOLD));
  }

  private void write(AssistantRequest asked) throws IOException {
    OwnFile.write(file(asked.id()), Json.mapper().writeValueAsString(asked));
  }

  private Path file(String id) {
    return folder.resolve(id + KEPT_AS);
  }

  /** The files' contents, if they are regular files and short enough for a person to read. */
  private static Map<Path, byte[]> read(List<Path> reads) throws RefusedException {
    Map<Path, byte[]> all = new LinkedHashMap<>();
    int left = MOST_BYTES;
    for (Path file : reads) {
      Path beside = Optional.ofNullable(reads.getFirst().getParent()).orElse(file);
      if (!file.normalize().startsWith(beside)) {
        throw new RefusedException(
            Plain.text(file.toString(), 200) + ": it lies outside of the folder of the first file");
      }
      byte[] bytes = bytes(file, left);
      left -= bytes.length;
      all.put(file.normalize(), bytes);
    }
    return all;
  }

  private static byte[] bytes(Path file, int most) throws RefusedException {
    String name = Plain.text(file.toString(), 200);
    if (!Files.isRegularFile(file)) {
      throw new RefusedException(name + ": there is no such file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new RefusedException(
            name + ": a person cannot be shown more than " + MOST_BYTES + " bytes to confirm");
      }
      return bytes;
    } catch (IOException e) {
      throw new RefusedException(name + ": it cannot be read");
    }
  }
}
