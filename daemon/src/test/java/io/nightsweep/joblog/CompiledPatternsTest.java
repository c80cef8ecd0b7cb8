package io.nightsweep.joblog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("joblog")
class CompiledPatternsTest {
  private static final SortedMap<Integer, String> PATTERNS = patterns("error");

  @TempDir private Path folder;

  private Path kept() {
    return folder.resolve("patterns");
  }

  @Test
  void keptPatternsFindTheSame() throws IOException {
    Set<Integer> compiled = found(PATTERNS);
    Path file = files().getFirst();
    FileTime written = Files.getLastModifiedTime(file);

    assertThat(found(PATTERNS)).isEqualTo(compiled).containsExactly(7, 70);
    assertThat(files()).containsExactly(file);
    assertThat(Files.getLastModifiedTime(file)).as("it is not written again").isEqualTo(written);
    assertThat(Files.getPosixFilePermissions(kept())).hasSize(3);
  }

  /** The file's content is used: a file of other patterns would find other lines. */
  @Test
  void theFileIsUsed() throws IOException {
    found(PATTERNS);
    Path file = files().getFirst();
    SortedMap<Integer, String> others = patterns("other");
    found(others);
    Path other = files().stream().filter(f -> !f.equals(file)).findFirst().orElseThrow();
    Files.copy(file, other, StandardCopyOption.REPLACE_EXISTING);

    assertThat(found(others)).containsExactly(7, 70);
  }

  @Test
  @Tag("guard")
  void aBrokenFileIsCompiledAgain() throws IOException {
    found(PATTERNS);
    Path file = files().getFirst();
    byte[] whole = Files.readAllBytes(file);
    for (int place : new int[] {0, 5, 9, whole.length / 2, whole.length - 1}) {
      byte[] broken = whole.clone();
      broken[place] ^= 0x55;
      Files.write(file, broken);
      assertThat(found(PATTERNS)).as("byte " + place).containsExactly(7, 70);
      assertThat(Files.readAllBytes(file)).as("byte " + place).isEqualTo(whole);
    }
    for (int length : new int[] {0, 3, 40, whole.length / 2, whole.length - 1}) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThat(found(PATTERNS)).as("of " + length + " bytes").containsExactly(7, 70);
    }
  }

  @Test
  void aFolderThatCannotBeUsedCostsNothingButTime() throws IOException {
    Files.writeString(kept(), "a file in the folder's place");

    assertThat(found(PATTERNS)).containsExactly(7, 70);
  }

  @Test
  void theOldestGo() throws IOException {
    for (int i = 0; i < CompiledPatterns.MOST_FILES + 2; i++) {
      found(patterns("word" + i));
      for (Path file : files()) {
        FileTime age = Files.getLastModifiedTime(file);
        Files.setLastModifiedTime(file, FileTime.from(age.toInstant().minusSeconds(60)));
      }
    }
    assertThat(files())
        .hasSize(CompiledPatterns.MOST_FILES)
        .allSatisfy(
            file ->
                assertThat(Files.getLastModifiedTime(file).toInstant())
                    .isAfter(Instant.now().minusSeconds(60L * CompiledPatterns.MOST_FILES + 30)));
  }

  @Test
  void fewPatternsAreNotKept() {
    new NativePatternSet(new TreeMap<>(PATTERNS.headMap(5)), new CompiledPatterns(kept()));

    assertThat(kept()).doesNotExist();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(kept())) {
      return files.toList();
    }
  }

  private Set<Integer> found(SortedMap<Integer, String> patterns) {
    byte[] bytes = "an error 7 of\nor error 70 x\n".getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).put(bytes);
    Set<Integer> found = new TreeSet<>();
    new NativePatternSet(patterns, new CompiledPatterns(kept()))
        .scan(buffer, 0, bytes.length, (id, end) -> found.add(id));
    return found;
  }

  private static SortedMap<Integer, String> patterns(String word) {
    TreeMap<Integer, String> numbered = new TreeMap<>();
    for (int i = 0; i < 5 * CompiledPatterns.FEWEST; i++) {
      numbered.put(i, word + " " + i + "\\b");
    }
    return numbered;
  }
}
