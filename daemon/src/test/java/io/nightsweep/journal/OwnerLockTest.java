package io.nightsweep.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.files.ChildJvm;
import io.nightsweep.journal.OwnerLock.Owner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class OwnerLockTest {
  @TempDir Path dir;
  private Path file;

  @BeforeEach
  void name() {
    file = dir.resolve("journal.jsonl.owner");
  }

  @Test
  void aSecondProcessIsRefusedUntilTheFirstIsKilled() throws Exception {
    Process holder = holder();
    try {
      assertThat(line(holder)).isEqualTo("HELD");
      assertThatThrownBy(() -> OwnerLock.acquire(file))
          .isInstanceOf(OwnedElsewhereException.class)
          .hasMessageContaining("process " + holder.pid());
      assertThat(OwnerLock.owner(file).orElseThrow().life()).isEqualTo(Owner.OwnerLife.ALIVE);
    } finally {
      holder.destroyForcibly();
    }
    assertThat(holder.waitFor(60, TimeUnit.SECONDS)).isTrue();
    OwnerLock.acquire(file).close();
    assertThat(OwnerLock.owner(file)).isEmpty();
  }

  @Test
  void ofManyProcessesThatFindADeadOwnerOneTakesOver() throws Exception {
    Files.write(file, Json.mapper().writeValueAsBytes(dead()));
    List<Process> racers = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        racers.add(holder());
      }
      int held = 0;
      for (Process racer : racers) {
        if (line(racer).equals("HELD")) {
          held++;
        }
      }
      assertThat(held).isEqualTo(1);
    } finally {
      racers.forEach(Process::destroyForcibly);
    }
  }

  @Test
  void thisProcessIsRefusedToo() throws IOException {
    try (OwnerLock lock = OwnerLock.acquire(file)) {
      assertThat(lock).isNotNull();
      assertThatThrownBy(() -> OwnerLock.acquire(file)).isInstanceOf(OwnedElsewhereException.class);
    }
    OwnerLock.acquire(file).close();
  }

  @Test
  void anotherHostsRecordIsLeftAndTheMessageSaysWhatToDo() throws IOException {
    Files.write(
        file, Json.mapper().writeValueAsBytes(new Owner("elsewhere", 7, "x", Instant.EPOCH)));
    assertThatThrownBy(() -> OwnerLock.acquire(file))
        .isInstanceOf(OwnedElsewhereException.class)
        .hasMessageContaining("host elsewhere")
        .hasMessageContaining("remove " + file);
    assertThat(OwnerLock.owner(file)).isPresent();
  }

  @Test
  void anUnreadableRecordIsNotTakenForAFreeLock() throws IOException {
    Files.writeString(file, "{");
    assertThatThrownBy(() -> OwnerLock.acquire(file))
        .isInstanceOf(OwnedElsewhereException.class)
        .hasMessageContaining("remove the file");
  }

  @Test
  void aPidThatWasGivenToAnotherProcessIsADeadOwner() throws IOException {
    Owner recycled =
        new Owner(ThisHost.name(), ProcessHandle.current().pid(), "earlier", Instant.EPOCH);
    Files.write(file, Json.mapper().writeValueAsBytes(recycled));
    OwnerLock.acquire(file).close();
  }

  private static Owner dead() {
    return new Owner(ThisHost.name(), Integer.MAX_VALUE, "gone", Instant.EPOCH);
  }

  private Process holder() throws IOException {
    return new ProcessBuilder(ChildJvm.command(Holder.class, file.toString()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static String line(Process process) throws IOException {
    return String.valueOf(
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)).readLine());
  }

  /** Holds the lock until it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws Exception {
      try {
        OwnerLock lock = OwnerLock.acquire(Path.of(args[0]));
        System.out.println("HELD");
        Thread.sleep(60_000);
        lock.close();
      } catch (OwnedElsewhereException e) {
        System.out.println("REFUSED");
      }
    }
  }
}
