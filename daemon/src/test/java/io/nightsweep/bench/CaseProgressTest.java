package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaseProgressTest {
  private static final String START = "kernel case start: a {}\n";
  private static final String DONE = "kernel case done: a disposition=measured\n";

  @TempDir Path folder;
  private Instant now = Instant.parse("2026-11-21T00:00:00Z");

  @Test
  void whatIsDoneIsToldNowAndThenAndOnce() throws Exception {
    List<String> told = new ArrayList<>();
    Path first = folder.resolve("first.log");
    Path second = folder.resolve("second.log");
    CaseProgress progress = new CaseProgress(List.of(first, second), 4, told::add);
    progress.look(now);
    assertThat(told).as("nothing done").isEmpty();
    Files.writeString(first, START + DONE);
    progress.look(now);
    assertThat(told).containsExactly("  1 of 4 cases done");
    Files.writeString(first, START + DONE, StandardOpenOption.APPEND);
    Files.writeString(second, START + DONE);
    progress.look(now);
    assertThat(told).as("too early").hasSize(1);
    after(Duration.ofSeconds(20), progress);
    assertThat(told).containsExactly("  1 of 4 cases done", "  3 of 4 cases done");
    after(Duration.ofSeconds(20), progress);
    assertThat(told).as("nothing new").hasSize(2);
  }

  private void after(Duration time, CaseProgress progress) {
    now = now.plus(time);
    progress.look(now);
  }
}
