package io.nightsweep.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job's replacement of one of Nightsweep's files neither blocks the writer nor is written to. */
@Tag("guard")
@Timeout(60)
class OwnFileTest {
  @TempDir private Path folder;
  private Path pipe;
  private Path link;
  private Path victim;

  @BeforeEach
  void whatAJobMayPutThere() throws Exception {
    pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    victim = Files.writeString(folder.resolve("victim"), "a person's");
    link = Files.createSymbolicLink(folder.resolve("link"), victim);
  }

  @Test
  void aFileTakesThePlaceOfAPipeAndOfALink() throws Exception {
    for (Path place : List.of(pipe, link, folder.resolve("new/file"))) {
      OwnFile.write(place, "ours");
      assertThat(place).isRegularFile().hasContent("ours");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place)))
          .isEqualTo("rw-------");
    }
    assertThat(victim).hasContent("a person's");
    OwnFile.writeShared(pipe, "all may read it".getBytes(UTF_8));
    assertThat(pipe).hasContent("all may read it");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(f -> f.getFileName().toString())).noneMatch(f -> f.endsWith(".tmp"));
    }
  }

  @Test
  void nothingIsAppendedToAPipeNorThroughALink() throws Exception {
    for (Path place : List.of(pipe, link, folder)) {
      assertThatThrownBy(() -> OwnFile.append(place, "ours"))
          .as("%s", place)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not a regular file");
    }
    assertThat(victim).hasContent("a person's");
    Path log = folder.resolve("log");
    OwnFile.append(log, "one\n");
    OwnFile.append(log, "two\n");
    assertThat(log).hasContent("one\ntwo\n");
  }
}
