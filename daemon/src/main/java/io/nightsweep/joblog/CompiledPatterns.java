package io.nightsweep.joblog;

import static com.gliwka.hyperscan.jni.hyperscan.HS_SUCCESS;
import static com.gliwka.hyperscan.jni.hyperscan.hs_deserialize_database;
import static com.gliwka.hyperscan.jni.hyperscan.hs_serialize_database;

import com.gliwka.hyperscan.jni.hs_database_t;
import io.nightsweep.files.ForeignFile;
import io.nightsweep.files.OwnFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.SizeTPointer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches compiled patterns of the native engine in a folder of its user, since the packaged
 * playbook takes half a second to compile and every command that reads a log needs it.
 *
 * <p>A file is named after its patterns and begins with the SHA-256 of the rest, since the engine's
 * own checksum does not cover all bytes. The engine refuses files that were compiled by another
 * version or for another processor. Broken or refused files are compiled again and replaced. If the
 * folder cannot be used, the patterns are compiled each time.
 */
final class CompiledPatterns {
  private static final Logger LOG = LoggerFactory.getLogger(CompiledPatterns.class);

  /**
   * Smaller sets are not kept: they compile in milliseconds, and people's own sets are many and
   * change.
   */
  static final int FEWEST = 16;

  /** Each build and each playbook has some files; the oldest are deleted first. */
  static final int MOST_FILES = 24;

  /** Changes when {@link Bytewise} or the engine's flags translate patterns differently. */
  private static final String TRANSLATION = "1";

  private static final String ENDING = ".hs";
  private static final int DIGEST_BYTES = 32;
  private static final int MOST_BYTES = 64 << 20;

  private final Path folder;

  /**
   * @param folder created on first use, for its owner alone
   */
  CompiledPatterns(Path folder) {
    this.folder = folder;
  }

  /** The compiled patterns, from the cache or from {@code compile}. */
  hs_database_t of(SortedMap<Integer, String> expressions, Supplier<hs_database_t> compile) {
    if (expressions.size() < FEWEST) {
      return compile.get();
    }
    Path file = folder.resolve(name(expressions));
    return read(file)
        .orElseGet(
            () -> {
              hs_database_t compiled = compile.get();
              write(compiled, file);
              return compiled;
            });
  }

  private static Optional<hs_database_t> read(Path file) {
    byte[] kept;
    try {
      kept = ForeignFile.read(file, MOST_BYTES);
    } catch (IOException e) {
      return Optional.empty();
    }
    if (kept.length <= DIGEST_BYTES) {
      return Optional.empty();
    }
    byte[] content = Arrays.copyOfRange(kept, DIGEST_BYTES, kept.length);
    if (!Arrays.equals(Arrays.copyOf(kept, DIGEST_BYTES), sha256().digest(content))) {
      LOG.debug("{} is broken and is compiled again", file);
      return Optional.empty();
    }
    try (BytePointer bytes = new BytePointer(content);
        PointerPointer<hs_database_t> database = new PointerPointer<>(1)) {
      int status = hs_deserialize_database(bytes, content.length, database);
      if (status != HS_SUCCESS) {
        LOG.debug("{} is compiled again: the engine's status is {}", file, status);
        return Optional.empty();
      }
      return Optional.of(new hs_database_t(database.get(0)));
    }
  }

  private void write(hs_database_t compiled, Path file) {
    try (PointerPointer<BytePointer> made = new PointerPointer<>(1);
        SizeTPointer length = new SizeTPointer(1)) {
      if (hs_serialize_database(compiled, made, length) != HS_SUCCESS) {
        return;
      }
      byte[] bytes = new byte[Math.toIntExact(length.get())];
      Pointer text = made.get(0);
      try (BytePointer reader = new BytePointer(text)) {
        reader.get(bytes);
      }
      Pointer.free(text);
      OwnFile.folder(folder);
      byte[] digest = sha256().digest(bytes);
      OwnFile.write(
          file, ByteBuffer.allocate(digest.length + bytes.length).put(digest).put(bytes).array());
      removeOldest();
    } catch (IOException e) {
      LOG.debug("compiled patterns could not be saved in {}: {}", folder, e.toString());
    }
  }

  private void removeOldest() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files =
          all.filter(f -> f.toString().endsWith(ENDING))
              .sorted(Comparator.comparing(CompiledPatterns::age).reversed())
              .toList();
    }
    for (Path old : files.subList(Math.min(MOST_FILES, files.size()), files.size())) {
      Files.deleteIfExists(old);
    }
  }

  private static long age(Path file) {
    return file.toFile().lastModified();
  }

  private static String name(SortedMap<Integer, String> expressions) {
    MessageDigest digest = sha256();
    digest.update(TRANSLATION.getBytes(StandardCharsets.UTF_8));
    expressions.forEach(
        (id, expression) ->
            digest.update((id + " " + expression + "\n").getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest()) + ENDING;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
