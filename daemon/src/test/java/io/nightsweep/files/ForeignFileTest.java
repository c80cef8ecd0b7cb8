package io.nightsweep.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
          .hasMessageContaining("no regular file");
    }
    assertThatThrownBy(() -> ForeignFile.open(folder.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
  }
}
