package io.nightsweep.joblog;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Diagnosis.Quote;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Logs that could occupy their reader for hours, lead it elsewhere or disclose secrets. */
@Tag("guard")
@Timeout(120)
@Tag("slow")
class HostileLogTest {
  private static final String TOKEN = "hf_canaryInTheLog0123456789";

  @TempDir private Path folder;

  private static final class Heard implements LogListener {
    private final PatternSet patterns = PatternSets.ofWords(List.of("broken"));
    private final List<Line> lines = new ArrayList<>();

    @Override
    public PatternSet patterns() {
      return patterns;
    }

    @Override
    public void line(Line line, int[] candidates) {
      lines.add(line);
    }
  }

  /** Reads a job's file as the daemon does. */
  private static List<Line> heard(Path file) throws IOException {
    JobLog log = new JobLog(() -> List.of(LogFile.shared(file)));
    Heard heard = log.listener(Heard.class, Heard::new);
    log.finish();
    assertThat(log.bytesRead()).isLessThan(2 * LogFollower.MOST_AT_ONCE);
    return heard.lines;
  }

  @Test
  void ofALogOfTerabytesTheBeginningAndTheEndAreRead() throws IOException {
    Path file = folder.resolve("job.log");
    Files.writeString(file, "it is broken at first\n");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.seek(4L << 40);
      sparse.write("\nand it is broken at last\n".getBytes(StandardCharsets.UTF_8));
    }
    List<Line> lines = heard(file);
    assertThat(lines).extracting(Line::text).first().isEqualTo("it is broken at first");
    assertThat(lines.getLast().text()).isEqualTo("and it is broken at last");
    assertThat(lines.getLast().file().toString()).endsWith("job.log (its end)");
  }

  @Test
  void rotatedPartsOfTerabytesDoNotHoldTheReader() throws IOException {
    for (int i = 1; i <= 3; i++) {
      try (RandomAccessFile part =
          new RandomAccessFile(folder.resolve("job.log." + i).toFile(), "rw")) {
        part.setLength(1L << 40);
      }
    }
    Path file = Files.writeString(folder.resolve("job.log"), "it is broken\n");
    assertThat(heard(file)).extracting(Line::text).containsExactly("it is broken");
  }

  @Test
  void aLogThatUnpacksAThousandfoldIsReadToALimit() throws IOException {
    Path bomb = folder.resolve("job.log");
    int part = 1 << 24;
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(new byte[part]);
    }
    // A file of several members unpacks to all of them, one after the other (RFC 1952).
    try (OutputStream out = Files.newOutputStream(bomb)) {
      for (long i = 0; i < 3 * LogFollower.MOST_AT_ONCE; i += part) {
        packed.writeTo(out);
      }
    }
    assertThat(heard(bomb)).isEmpty();
  }

  @Test
  void aLinkIsNotFollowed() throws IOException {
    Path secret = Files.writeString(folder.resolve("private"), "it is broken\n");
    Path link = Files.createSymbolicLink(folder.resolve("job.log"), secret);
    assertThat(heard(link)).isEmpty();
    Path rotated = Files.createDirectories(folder.resolve("rotated"));
    Files.createSymbolicLink(rotated.resolve("job.log.1"), secret);
    assertThat(heard(Files.writeString(rotated.resolve("job.log"), "broken again\n"))).hasSize(1);
  }

  @Test
  void noPartOfASecretIsLeftWhereAQuoteIsCut() {
    for (int before = 0; before < 400; before += 3) {
      String line =
          "x ".repeat(before) + "HF_TOKEN=" + TOKEN + " it is broken " + "y ".repeat(400 - before);
      assertHasNoPart(quote(line), TOKEN);
      String named = "z ".repeat(before) + "password: hunter2isMine and broken" + " w".repeat(300);
      assertHasNoPart(quote(named), "hunter2isMine");
    }
  }

  /**
   * Secrets without a form are masked later, by code that knows their values: these must still be
   * whole then.
   */
  @Test
  void aQuoteIsCutBetweenWords() {
    for (String value : List.of("Nf83kdLs92mZ", "N#f8$3k!d@L^s%9&2*m(Z")) {
      for (int before = 0; before < 400; before += 3) {
        String quoted = quote("a ".repeat(before) + value + " broken " + "b ".repeat(400));
        assertThat(quoted.contains(value) || !quoted.matches("(?s).*[NfkdLsmZ].*"))
            .as(quoted)
            .isTrue();
        String behind = quote("broken " + "a ".repeat(before) + value + " " + "c ".repeat(200));
        assertThat(behind.contains(value) || !behind.matches("(?s).*[NfdLsmZ].*"))
            .as(behind)
            .isTrue();
      }
    }
  }

  /** A launcher first quotes the command, and then says how it ended. */
  @Test
  void theEndOfALongLineIsQuotedToo() {
    String command = "broken: ['python', " + "'--option', 'value', ".repeat(100) + "'-v']";
    assertThat(quote(command + " exits with return code = 1"))
        .startsWith("broken: ['python', ")
        .endsWith("exits with return code = 1");
    assertThat(quote("broken " + "x".repeat(2000))).endsWith("...");
    assertHasNoPart(quote("broken " + "c ".repeat(400) + "d HF_TOKEN=" + TOKEN), TOKEN);
  }

  private static String quote(String line) {
    Quote quote = Line.of(Path.of("log"), Rank.NONE, 1, 1, 1, line).quote(line.indexOf("broken"));
    assertThat(quote.text()).contains("broken").hasSizeLessThan(500);
    return quote.text();
  }

  private static void assertHasNoPart(String shown, String secret) {
    for (int i = 0; i + 6 <= secret.length(); i++) {
      assertThat(shown).doesNotContain(secret.substring(i, i + 6));
    }
  }

  @Test
  void patternDatabasesThatNobodyUsesAreFreed() {
    Assumptions.assumeTrue(PatternSets.ofWords(List.of("x")) instanceof NativePatternSet);
    int before = NativePatternSet.LIVE.get();
    for (int i = 0; i < 120; i++) {
      TreeMap<Integer, String> patterns = new TreeMap<>();
      patterns.put(i, "pattern number " + i);
      assertThat(PatternSets.of(patterns)).isNotNull();
    }
    assertThat(NativePatternSet.LIVE.get()).isGreaterThan(before);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              System.gc();
              return NativePatternSet.LIVE.get() <= before + 40;
            });
  }
}
