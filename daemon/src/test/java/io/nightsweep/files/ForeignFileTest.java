package io.nightsweep.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("guard")
class ForeignFileTest {
  @TempDir Path folder;

  @Test
  void aSmallFileIsReadWhole() throws IOException {
    Path file = Files.writeString(folder.resolve("f"), "content");
    assertThat(ForeignFile.read(file, 7)).asString().isEqualTo("content");
    assertThatThrownBy(() -> ForeignFile.read(file, 6)).hasMessageContaining("at most 6");
  }

  @Test
  void aFileOfMoreBytesThanAskedForIsRefusedUnread() throws IOException {
    Path file = folder.resolve("sparse");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 40);
    }
    assertThatThrownBy(() -> ForeignFile.read(file, 4096))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("at most 4096");
  }

  /** A job may create a link there after the check. */
  @Test
  @Timeout(120)
  void aLinkThatComesBetweenTheLookAndTheOpenIsNotFollowed() throws Exception {
    Path secret = Files.writeString(folder.resolve("private"), "secret");
    Path place = Files.writeString(folder.resolve("place"), "public");
    AtomicBoolean ends = new AtomicBoolean();
    Thread swapper = Thread.ofPlatform().unstarted(() -> swap(place, secret, ends));
    swapper.start();
    try {
      int read = 0;
      for (int i = 0; i < 20_000; i++) {
        try {
          assertThat(ForeignFile.read(place, 100)).asString().isEqualTo("public");
          read++;
        } catch (IOException e) {
          // There was a link.
        }
      }
      assertThat(read).isPositive();
    } finally {
      ends.set(true);
      swapper.join();
    }
  }

  /** The same without a race: the file is opened after the check. */
  @ParameterizedTest
  @EnumSource(names = {"READ", "APPEND"})
  void whatIsOpenedAfterTheLookIsNoLink(StandardOpenOption how) throws Exception {
    Path victim = Files.writeString(folder.resolve("victim"), "secret");
    Path link = Files.createSymbolicLink(folder.resolve("late"), victim);
    assertThatThrownBy(() -> ForeignFile.unfollowed(link, how).close())
        .isInstanceOf(IOException.class);
    ForeignFile.unfollowed(victim, how).close();
  }

  /** Each replacement is one rename: there is always a file or a link. */
  private void swap(Path place, Path secret, AtomicBoolean ends) {
    Path link = folder.resolve("to-be-the-link");
    Path file = folder.resolve("to-be-the-file");
    try {
      while (!ends.get()) {
        Files.createSymbolicLink(link, secret);
        Files.move(link, place, StandardCopyOption.ATOMIC_MOVE);
        Files.writeString(file, "public");
        Files.move(file, place, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void whatIsNoRegularFileIsNotOpened() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path secret = Files.writeString(folder.resolve("private"), "secret");
    Path link = Files.createSymbolicLink(folder.resolve("link"), secret);
    for (Path foreign : new Path[] {pipe, link, folder, Path.of("/dev/zero")}) {
      assertThatThrownBy(() -> ForeignFile.open(foreign))
          .as("%s", foreign)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not a regular file");
    }
    assertThatThrownBy(() -> ForeignFile.open(folder.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
