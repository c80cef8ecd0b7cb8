package io.nightsweep.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class FileJournalTest {
  private static final Instant AT = Instant.parse("2026-11-20T22:30:00Z");

  @TempDir Path dir;
  private Path file;

  @BeforeEach
  void name() {
    file = dir.resolve("journal.jsonl");
  }

  @Test
  void aJournalGivesBackItsEventsAndGoesOnCounting() throws IOException {
    List<Event> first = List.of(waveClosed("ä"), waveClosed("b"));
    try (FileJournal journal = FileJournal.open(file, e -> {})) {
      assertThat(journal.append(AT, first)).extracting(Entry::seq).containsExactly(1L, 2L);
      assertThat(journal.append(AT, List.of())).isEmpty();
    }
    List<Entry> replayed = new ArrayList<>();
    try (FileJournal journal = FileJournal.open(file, replayed::add)) {
      assertThat(journal.cut()).isEmpty();
      assertThat(journal.append(AT, List.of(waveClosed("c"))).getFirst().seq()).isEqualTo(3);
    }
    assertThat(replayed).extracting(Entry::event).containsExactlyElementsOf(first);
    assertThat(read()).hasSize(3);
  }

  /** The next start could read none of the other events. */
  @Test
  @Tag("guard")
  void anEventThatIsTooLongToBeReadIsNotWritten() throws IOException {
    String text = "x".repeat(ByteLines.LONGEST_LINE_BYTES);
    try (FileJournal journal = FileJournal.open(file, e -> {})) {
      journal.append(AT, List.of(waveClosed("a")));
      assertThatThrownBy(() -> journal.append(AT, List.of(waveClosed(text))))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("too long for the journal");
      journal.append(AT, List.of(waveClosed(text.substring(1_000))));
    }
    assertThat(read()).extracting(Entry::seq).containsExactly(1L, 2L);
  }

  @Test
  void truncationAtEveryByteKeepsTheLongestWholePrefixAndLosesNoByte() throws IOException {
    byte[] whole = sample(5);
    for (int length = 0; length <= whole.length; length++) {
      byte[] torn = Arrays.copyOf(whole, length);
      Files.write(file, torn);
      int expected = wholeLines(whole, length);

      List<Entry> replayed = new ArrayList<>();
      try (FileJournal journal = FileJournal.open(file, replayed::add)) {
        assertThat(replayed).as("cut at byte %d", length).hasSize(expected);
        if (journal.cut().isPresent()) {
          FileJournal.Cut cut = journal.cut().get();
          byte[] kept = Files.readAllBytes(cut.keptIn());
          assertThat(concat(Files.readAllBytes(file), kept)).isEqualTo(torn);
          assertThat(cut.message()).contains("event " + expected);
          Files.delete(cut.keptIn());
        } else {
          assertThat(Files.readAllBytes(file)).isEqualTo(torn);
        }
        journal.append(AT, List.of(waveClosed("next")));
      }
      assertThat(read()).hasSize(expected + 1);
    }
  }

  @Test
  void aFlippedBitAnywhereIsNoticedAndOnlyATailIsCut() throws IOException {
    byte[] whole = sample(4);
    for (int bit = 0; bit < whole.length * 8; bit += 3) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, damaged);
      int intactBefore = wholeLines(whole, bit / 8 - 1);
      try (FileJournal journal = FileJournal.open(file, e -> {})) {
        assertThat(journal.cut()).as("bit %d", bit).isPresent();
        assertThat(read()).hasSize(intactBefore);
        assertThat(intactBefore).as("bit %d", bit).isGreaterThanOrEqualTo(2);
      } catch (JournalCorruptException e) {
        assertThat(e).hasMessageContaining(file + ":" + (intactBefore + 1) + " ");
        assertThat(intactBefore).as("bit %d", bit).isLessThan(3);
        assertThat(Files.readAllBytes(file)).as("left as it was").isEqualTo(damaged);
      }
      try (var kept = Files.newDirectoryStream(dir, "*.cut-*")) {
        for (Path path : kept) {
          Files.delete(path);
        }
      }
    }
  }

  @Test
  void aMissingOrRepeatedEventInTheMiddleIsAnError() throws IOException {
    List<String> lines = new String(sample(4), UTF_8).lines().toList();
    Files.writeString(file, lines.get(0) + "\n" + lines.get(2) + "\n");
    assertThatThrownBy(() -> FileJournal.open(file, e -> {}))
        .isInstanceOf(JournalCorruptException.class)
        .hasMessageContaining("event 3 where event 2 is due");
    Files.writeString(file, lines.get(0) + "\n" + lines.get(0) + "\n");
    assertThatThrownBy(() -> read()).isInstanceOf(JournalCorruptException.class);
  }

  @Test
  void cutsAreNumberedAndNeverOverwritten() throws IOException {
    for (int n = 1; n <= 3; n++) {
      Files.writeString(file, "torn " + n);
      FileJournal.open(file, e -> {}).close();
      assertThat(dir.resolve("journal.jsonl.cut-" + n)).hasContent("torn " + n);
    }
  }

  /** Fails every write at each possible length, and each sync. */
  @Test
  void aFailedAppendLeavesTheFileAsItWas() throws IOException {
    FailingDisk disk = new FailingDisk();
    try (FileJournal journal = FileJournal.open(file, e -> {}, disk::over)) {
      journal.append(AT, List.of(waveClosed("first")));
      byte[] before = Files.readAllBytes(file);
      List<Event> batch = List.of(waveClosed("x"), waveClosed("y"));
      for (int room = 0; room < 2 * before.length; room++) {
        disk.failWriteAfter(room);
        assertThatThrownBy(() -> journal.append(AT, batch)).hasMessageContaining("No space left");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
      }
      disk.failSyncs(1);
      assertThatThrownBy(() -> journal.append(AT, batch)).hasMessageContaining("Input/output");
      assertThat(Files.readAllBytes(file)).isEqualTo(before);

      disk.failWriteAfter(10);
      disk.failTruncates(1);
      assertThatThrownBy(() -> journal.append(AT, batch)).isInstanceOf(IOException.class);
      assertThat(journal.append(AT, batch)).extracting(Entry::seq).containsExactly(2L, 3L);
    }
    assertThat(read()).hasSize(3);
  }

  /** The same on a disk that is really full. */
  @Test
  void aFullDiskRefusesTheEventAndHoldsWhatItHeld() throws Exception {
    Path mount = Files.createDirectory(dir.resolve("mount"));
    run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", mount.toString());
    try {
      Path full = mount.resolve("journal.jsonl");
      long written = 0;
      try (FileJournal journal = FileJournal.open(full, e -> {})) {
        IOException noSpace = null;
        while (noSpace == null) {
          try {
            journal.append(AT, List.of(waveClosed("w".repeat(999))));
            written++;
          } catch (IOException e) {
            noSpace = e;
          }
          assertThat(written).isLessThan(1000);
        }
        assertThat(noSpace).hasMessageContaining("No space left");
        List<Entry> held = new ArrayList<>();
        assertThat(JournalReader.read(full, held::add).strayBytes()).isZero();
        assertThat(held).hasSize((int) written);

        run("mount", "-o", "remount,size=256k", mount.toString());
        assertThat(journal.append(AT, List.of(waveClosed("after"))).getFirst().seq())
            .isEqualTo(written + 1);
      }
    } finally {
      run("umount", mount.toString());
    }
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue())
        .as(
            String.join(" ", command)
                + ": "
                + new String(process.getInputStream().readAllBytes(), UTF_8))
        .isZero();
  }

  private byte[] sample(int events) throws IOException {
    try (FileJournal journal = FileJournal.open(file, e -> {})) {
      for (int i = 0; i < events; i++) {
        journal.append(AT, List.of(waveClosed("w" + i)));
      }
    }
    return Files.readAllBytes(file);
  }

  /** ByteLines that are whole in the first {@code length} bytes; the newline does not count. */
  private static int wholeLines(byte[] bytes, int length) {
    int lines = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n' && i <= length) {
        lines++;
      }
    }
    return lines;
  }

  private List<Entry> read() throws IOException {
    List<Entry> entries = new ArrayList<>();
    JournalReader.read(file, entries::add);
    return entries;
  }

  private static Event waveClosed(String wave) {
    return new Event.WaveClosed(wave);
  }

  private static byte[] concat(byte[] a, byte[] b) {
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }
}
