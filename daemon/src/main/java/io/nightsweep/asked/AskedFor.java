package io.nightsweep.asked;

import io.nightsweep.files.OwnFile;
import io.nightsweep.files.Plain;
import io.nightsweep.journal.Json;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What assistants asked for and a person has to confirm: a file each, in the state directory. */
public final class AskedFor {
  /** Longer than a person takes to come to a keyboard, shorter than a night. */
  public static final Duration PATIENCE = Duration.ofHours(1);

  /** No person reads more open requests than these. */
  private static final int MOST_OPEN = 5;

  private static final int KEPT = 100;
  private static final String KEPT_AS = ".json";

  /** The first answer makes this file; a second one finds it. */
  private static final String TAKEN = ".taken";

  private static final String TOLD = ".told";

  private static final Pattern ID = Pattern.compile("a[0-9]{1,9}");

  private final Path folder;

  /**
   * @param root the state directory
   */
  public AskedFor(Path root) {
    this.folder = root.resolve("asked");
  }

  /**
   * Keeps a call until a person answers.
   *
   * @param reads the files that the command reads
   * @throws RefusedException where too many wait already, or a file cannot be read
   */
  public synchronized Asked ask(
      String assistant, String tool, List<String> command, List<Path> reads, Instant now)
      throws IOException, RefusedException {
    List<Asked> all = all();
    long open =
        all.stream()
            .filter(a -> a.assistant().equals(assistant) && a.stands(now).equals("waits"))
            .count();
    if (open >= MOST_OPEN) {
      throw new RefusedException(
          open + " calls wait for a person already; wait for an answer: asked");
    }
    long number = all.stream().mapToLong(a -> Long.parseLong(a.id().substring(1))).max().orElse(0);
    Asked asked =
        new Asked(
            "a" + (number + 1),
            assistant,
            tool,
            command,
            digests(reads),
            now,
            now.plus(PATIENCE),
            Optional.empty());
    write(asked);
    for (Asked old : all.subList(0, Math.max(0, all.size() - KEPT))) {
      if (!old.stands(now).equals("waits")) {
        for (String suffix : List.of(KEPT_AS, TAKEN, TOLD)) {
          Files.deleteIfExists(folder.resolve(old.id() + suffix));
        }
      }
    }
    return asked;
  }

  /** All that are kept, the oldest first. */
  public List<Asked> all() throws IOException {
    List<Asked> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> ID.matcher(stem(f)).matches()).toList()) {
        all.add(Json.mapper().readValue(Files.readString(file), Asked.class));
      }
    } catch (NoSuchFileException e) {
      return List.of();
    }
    all.sort(Comparator.comparingLong(a -> Long.parseLong(a.id().substring(1))));
    return all;
  }

  public Optional<Asked> of(String id) throws IOException {
    return all().stream().filter(a -> a.id().equals(id)).findFirst();
  }

  /**
   * Checks that the call may still be confirmed, and that the files it names are as they were.
   *
   * @throws RefusedException where not, with what to do
   */
  public Asked confirmable(String id, Instant now) throws IOException, RefusedException {
    Asked asked =
        of(id)
            .orElseThrow(
                () -> new RefusedException("nothing '" + Plain.text(id, 20) + "' was asked for"));
    String stands = asked.stands(now);
    if (!stands.equals("waits")) {
      throw new RefusedException(id + " is " + stands + "; the assistant has to ask again");
    }
    for (Map.Entry<String, String> file : asked.digests().entrySet()) {
      if (!sha256(bytes(Path.of(file.getKey()))).equals(file.getValue())) {
        throw new RefusedException(
            file.getKey()
                + " is not what it was when "
                + id
                + " was asked; it has to be asked again");
      }
    }
    return asked;
  }

  /**
   * Keeps a person's answer.
   *
   * @throws RefusedException where another answer came first, by whatever door
   */
  void take(Asked asked, Asked.Answered answer) throws IOException, RefusedException {
    try {
      Files.createFile(folder.resolve(asked.id() + TAKEN));
    } catch (FileAlreadyExistsException e) {
      throw new RefusedException("another answer to " + asked.id() + " came first");
    }
    tell(asked, answer);
  }

  /** Keeps what came of an answer that was taken. */
  void tell(Asked asked, Asked.Answered answer) throws IOException {
    write(asked.with(answer));
  }

  /** Whether people were told of the call in the chat. */
  boolean isTold(Asked asked) {
    return Files.exists(folder.resolve(asked.id() + TOLD));
  }

  void told(Asked asked) throws IOException {
    Files.writeString(folder.resolve(asked.id() + TOLD), "");
  }

  private void write(Asked asked) throws IOException {
    OwnFile.write(file(asked.id()), Json.mapper().writeValueAsString(asked));
  }

  private Path file(String id) {
    return folder.resolve(id + KEPT_AS);
  }

  private static String stem(Path file) {
    return file.getFileName().toString().replaceFirst("\\.json$", "");
  }

  private static Map<String, String> digests(List<Path> reads) throws RefusedException {
    Map<String, String> digests = new TreeMap<>();
    for (Path file : reads) {
      digests.put(file.toString(), sha256(bytes(file)));
    }
    return digests;
  }

  static byte[] bytes(Path file) throws RefusedException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new RefusedException(Plain.text(file.toString(), 200) + ": it cannot be read");
    }
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
