package io.nightsweep.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("guard")
@Timeout(120)
class BoundedLockTest {
  @TempDir private Path folder;

  @Test
  void aLockOfAnotherProcessIsNotWaitedForWithoutEnd() throws Exception {
    Path file = folder.resolve("lock");
    try (LockHolder holder = LockHolder.of(file)) {
      assertThat(holder).isNotNull();
      assertThatThrownBy(() -> BoundedLock.acquire(file, Duration.ofMillis(200)))
          .isInstanceOf(BoundedLock.HeldException.class)
          .hasMessageContaining(file.toString());
    }
    BoundedLock.acquire(file, Duration.ofSeconds(60)).close();
    BoundedLock.acquire(file, Duration.ZERO).close();
  }

  @Test
  void neitherAPipeNorALinkInTheLocksPlaceBlocks() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    try {
      BoundedLock.acquire(pipe, Duration.ZERO).close();
    } catch (IOException e) {
      // On some systems a pipe cannot be locked.
    }
    Path victim = folder.resolve("victim");
    Path link = Files.createSymbolicLink(folder.resolve("link"), victim);
    assertThatThrownBy(() -> BoundedLock.acquire(link, Duration.ZERO))
        .isInstanceOf(IOException.class);
    assertThat(victim).doesNotExist();
  }
}
