package io.nightsweep.joblog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** One pass over everything that a job writes to. */
@Tag("joblog")
class JobLogTest {
  @TempDir private Path folder;

  private static final class Heard implements LogListener {
    private final PatternSet patterns = PatternSets.ofWords(List.of("broken"));
    private final List<String> lines = new ArrayList<>();
    private final List<Long> places = new ArrayList<>();

    @Override
    public PatternSet patterns() {
      return patterns;
    }

    @Override
    public void line(Line line, int[] candidates) {
      places.add(line.place());
      lines.add(line.number() + " " + line.rank() + " " + line.body());
    }
  }

  private static final class Other implements LogListener {
    private long lines;

    @Override
    public PatternSet patterns() {
      return new LinePatternSet();
    }

    @Override
    public void line(Line line, int[] candidates) {
      lines++;
    }
  }

  private static List<String> heard(Path file) throws IOException {
    JobLog log = new JobLog(file);
    Heard heard = log.listener(Heard.class, Heard::new);
    log.finish();
    return heard.lines;
  }

  @Test
  void eachByteIsReadOnceWhoeverListens() throws IOException {
    Path file = folder.resolve("log");
    JobLog log = new JobLog(file);
    Heard heard = log.listener(Heard.class, Heard::new);
    Other other = log.listener(Other.class, Other::new);
    long written = 0;
    for (int i = 0; i < 200; i++) {
      String text = "3: it is broken " + i + "\n" + "x".repeat(i * 17) + "\n";
      Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      written += text.length();
      log.look();
      // Others look at the same log, and it has not grown.
      log.look();
    }
    assertThat(log.bytesRead()).isEqualTo(written).isEqualTo(log.bytes());
    assertThat(heard.lines).hasSize(200).contains("399 rank 3 it is broken 199");
    assertThat(other.lines).isEqualTo(400);
  }

  /** A progress bar overwrites itself; a growing one is reported while it grows. */
  @Test
  @Tag("people")
  void aCarriageReturnEndsALineAndIsNotCountedForPeople() throws IOException {
    Path file = Files.writeString(folder.resolve("log"), "begins\r\n");
    JobLog log = new JobLog(file);
    Heard heard = log.listener(Heard.class, Heard::new);
    for (String part : List.of("\r1 broken", "\r\u001b[K2 broken\r", "\n\r3 broken", "\r4")) {
      Files.writeString(file, part, StandardOpenOption.APPEND);
      log.look();
    }
    assertThat(heard.lines)
        .containsExactly(
            "2 " + Rank.NONE + " 1 broken",
            "2 " + Rank.NONE + " 2 broken",
            "3 " + Rank.NONE + " 3 broken");
    log.finish();
    assertThat(log.tail())
        .extracting(quote -> quote.line() + " " + quote.text())
        .containsExactly("2 2 broken", "3 3 broken", "3 4");
    Path packed = folder.resolve("log.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      Files.copy(file, out);
    }
    assertThat(heard(packed)).isEqualTo(heard.lines);
  }

  /** At this moment a reader cannot know yet whether it ends a line. */
  @Test
  void aCarriageReturnAtABlocksEndCountsTheSameWheneverItIsLookedAt() throws IOException {
    for (String rest : List.of("broken\n", "\nbroken\n")) {
      Path file =
          Files.writeString(folder.resolve("log"), "x".repeat(LogFollower.BLOCK - 1) + "\r");
      JobLog log = new JobLog(file);
      Heard early = log.listener(Heard.class, Heard::new);
      log.look();
      Files.writeString(file, rest, StandardOpenOption.APPEND);
      log.finish();
      JobLog whole = new JobLog(file);
      Heard late = whole.listener(Heard.class, Heard::new);
      whole.finish();
      assertThat(early.lines).hasSize(1).isEqualTo(late.lines);
      assertThat(early.places).containsExactly(2L).isEqualTo(late.places);
    }
  }

  /** Reads steps like a workload. */
  private static final class Steps implements LogListener {
    private final StepTeller teller;

    Steps(StepTeller teller) {
      this.teller = teller;
    }

    @Override
    public PatternSet patterns() {
      return PatternSets.ofWords(List.of("step "));
    }

    @Override
    public void line(Line line, int[] candidates) {
      teller.step(line, new Step(Integer.parseInt(line.body().substring(5)), Double.NaN));
    }
  }

  private static final class Both implements LogListener {
    private final List<String> heard = new ArrayList<>();

    @Override
    public PatternSet patterns() {
      return PatternSets.ofWords(List.of("broken", "st"));
    }

    @Override
    public void line(Line line, int[] candidates) {
      heard.add(line.body());
    }

    @Override
    public void step(Line line, Step step) {
      heard.add(line.rank() + " did " + step.index());
    }
  }

  @Test
  void aStepIsToldAtItsPlaceAmongTheLines() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("log"), "broken\n3: step 1\nbroken too\nbroken and\n4: step 2\n");
    JobLog log = new JobLog(file);
    Steps unused = log.listener(Steps.class, () -> new Steps(log.steps()));
    Both both = log.listener(Both.class, Both::new);
    log.finish();
    assertThat(both.heard)
        .containsExactly(
            "broken",
            "rank 3 did 1",
            "step 1",
            "broken too",
            "broken and",
            "rank 4 did 2",
            "step 2");
  }

  @Test
  void whoComesLateWouldMissTheBeginning() throws IOException {
    Path file = Files.writeString(folder.resolve("log"), "one\n");
    JobLog log = new JobLog(file);
    log.look();
    assertThatThrownBy(() -> log.listener(Heard.class, Heard::new))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("before it is read");
  }

  @Test
  void compressedLogsAreReadWhateverTheyAreCalled() throws IOException {
    String text = "fine\n2: it is broken\n";
    Path gzip = folder.resolve("a.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gzip))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    Path xz = folder.resolve("b.log");
    try (OutputStream out = new XZOutputStream(Files.newOutputStream(xz), new LZMA2Options(1))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    Path zstd = folder.resolve("c");
    try (OutputStream out = new ZstdOutputStream(Files.newOutputStream(zstd))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    for (Path file : List.of(gzip, xz, zstd)) {
      assertThat(heard(file)).as(file.toString()).containsExactly("2 rank 2 it is broken");
    }
  }

  @Test
  void aRenamedFileIsFollowedOnAndNotReadAnew() throws IOException {
    Path before = Files.writeString(folder.resolve("7-job.log"), "it is broken\n");
    Path after = folder.resolve("7-job-TGS_1135.700.log");
    JobLog log = new JobLog(() -> List.of(LogFile.shared(Files.exists(after) ? after : before)));
    Heard heard = log.listener(Heard.class, Heard::new);
    log.look();
    Files.move(before, after);
    Files.writeString(after, "it is broken too\n", StandardOpenOption.APPEND);
    log.finish();
    assertThat(heard.lines).containsExactly("1  it is broken", "2  it is broken too");
    assertThat(log.bytesRead()).isEqualTo(Files.size(after));
  }

  /** What happened to the log between two looks; each time it had one line more than was read. */
  private interface Rotation {
    void of(Path log) throws IOException;
  }

  private static void add(Path log, String line) throws IOException {
    Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static void pack(Path from, Path to) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(to))) {
      Files.copy(from, out);
    }
    Files.delete(from);
  }

  static Map<String, Rotation> rotations() {
    Map<String, Rotation> all = new LinkedHashMap<>();
    all.put(
        "numbered",
        log -> {
          Files.move(log, log.resolveSibling("log.2"));
          add(log, "broken 3");
          Files.move(log, log.resolveSibling("log.1"));
        });
    all.put(
        "dated",
        log -> {
          Files.move(log, log.resolveSibling("log-20260601"));
          add(log, "broken 3");
          Files.move(log, log.resolveSibling("log-20260602"));
        });
    all.put(
        "by the hour",
        log -> {
          Files.move(log, log.resolveSibling("log.2026-06-01_11"));
          add(log, "broken 3");
          Files.move(log, log.resolveSibling("log.2026-06-01_12"));
        });
    all.put(
        "packed at once",
        log -> {
          pack(log, log.resolveSibling("log.2.gz"));
          add(log, "broken 3");
          pack(log, log.resolveSibling("log.1.gz"));
        });
    all.put(
        "copied and emptied",
        log -> {
          Files.copy(log, log.resolveSibling("log.2"));
          Files.writeString(log, "");
          add(log, "broken 3");
          Files.copy(log, log.resolveSibling("log.1"));
          Files.writeString(log, "");
        });
    all.put(
        "copied, emptied and grown beyond",
        log -> {
          Files.copy(log, log.resolveSibling("log.1"));
          Files.writeString(log, "broken 3\n" + "fine\n".repeat(100));
        });
    return all;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "numbered",
        "dated",
        "by the hour",
        "packed at once",
        "copied and emptied",
        "copied, emptied and grown beyond",
      })
  void aLogThatIsRotatedTwiceBetweenTwoLooksLosesNothing(String how) throws IOException {
    Path file = folder.resolve("log");
    // From before the job: the job's own parts are numbered from 1.
    add(folder.resolve("log.3"), "broken 0");
    add(file, "broken 1");
    JobLog log = new JobLog(file);
    Heard heard = log.listener(Heard.class, Heard::new);
    log.look();
    add(file, "broken 2");
    Objects.requireNonNull(rotations().get(how)).of(file);
    add(file, "broken 4");
    log.finish();
    assertThat(heard.lines)
        .extracting(line -> line.replaceFirst(".* (?=broken)", ""))
        .containsExactly("broken 1", "broken 2", "broken 3", "broken 4");
    assertThat(log.bytes()).isGreaterThanOrEqualTo(4L * "broken 1\n".length());
  }

  /** The file that is gone cannot be read, and older files are not read again. */
  @Test
  void aFileThatIsRotatedAwayTakesNoOtherWithIt() throws IOException {
    Path file = folder.resolve("log");
    add(folder.resolve("log.1"), "broken 0");
    Files.setLastModifiedTime(folder.resolve("log.1"), FileTime.from(Instant.EPOCH));
    add(file, "broken 1");
    JobLog log = new JobLog(file);
    Heard heard = log.listener(Heard.class, Heard::new);
    log.look();
    Files.move(folder.resolve("log.1"), folder.resolve("log.3"));
    Files.delete(file);
    Path between = folder.resolve("log.1");
    add(between, "broken 3");
    Files.setLastModifiedTime(between, FileTime.from(Instant.now().plusSeconds(1)));
    add(file, "broken 4");
    log.finish();
    assertThat(heard.lines)
        .extracting(line -> line.replaceFirst(".* (?=broken)", ""))
        .containsExactly("broken 0", "broken 1", "broken 3", "broken 4");
  }

  /** A writer that does not append continues at its old offset in the emptied file. */
  @Test
  void zerosWhereALogWasEmptiedUnderItsWriterAreNoOtherLog() throws IOException {
    Path file = folder.resolve("log");
    add(file, "broken 1");
    JobLog log = new JobLog(file);
    Heard heard = log.listener(Heard.class, Heard::new);
    log.look();
    try (RandomAccessFile writer = new RandomAccessFile(file.toFile(), "rw")) {
      writer.setLength(0);
      writer.seek(9);
      writer.write("broken 2\n".getBytes(StandardCharsets.UTF_8));
    }
    log.finish();
    assertThat(heard.lines).containsExactly("1  broken 1", "2  broken 2");
  }

  @Test
  void aPipeIsReadToItsEnd() throws Exception {
    Path pipe = pipe();
    Thread writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    Files.writeString(pipe, "1\n".repeat(100_000) + "it is broken");
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    assertThat(heard(pipe)).containsExactly("100001  it is broken");
    writer.join();
  }

  @Test
  void aPipeThatNobodyWritesToIsSaidToBeOne() throws Exception {
    Path pipe = pipe();
    assertThatThrownBy(() -> Pipe.open(pipe, Duration.ofMillis(300)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is a pipe that no program writes to")
        .hasMessageContaining("start its writer first");
  }

  @Test
  @Tag("guard")
  void aPipeInTheNameOfAJobsLogIsNotOpened() throws Exception {
    Path pipe = pipe();
    JobLog log = new JobLog(() -> List.of(LogFile.shared(pipe)));
    Heard heard = log.listener(Heard.class, Heard::new);
    // A writer that never writes: a reader would wait for it forever.
    try (var writer = new RandomAccessFile(pipe.toFile(), "rw")) {
      assertThat(log.look()).isTrue();
      log.finish();
      assertThat(writer.getFD().valid()).isTrue();
    }
    assertThat(heard.lines).isEmpty();
  }

  private Path pipe() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }
}
