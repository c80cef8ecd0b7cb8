package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.journal.Json;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A sweep file to rehearse, with its state folder. */
final class RehearsedFile {
  private final Path folder;

  /** The file of twelve profiles on two nodes. */
  RehearsedFile(Path folder) throws IOException {
    this.folder = folder;
    write("n[1-2]", 12, "{jobs: 60, hours: 12}");
  }

  Path path() {
    return folder.resolve("sweep.yaml");
  }

  Path state() {
    return folder.resolve("state");
  }

  void write(String nodelist, int profiles, String budget) throws IOException {
    String names =
        IntStream.rangeClosed(1, profiles)
            .mapToObj(i -> "  p" + i + ": {env: {KNOB: " + i + "}}")
            .collect(Collectors.joining("\n"));
    Files.writeString(
        path(),
        """
        model: allreduce
        parallelism: ranks=2
        slot: {nodelist: "%s"}
        workload: {kind: kernels, kernel: allreduce, sizes: 1024}
        profiles:
        %s
        plan: kernels
        budget: %s
        playbook: kernels
        """
            .formatted(nodelist, names, budget));
  }

  SweepSpec spec() throws Exception {
    return SweepFile.load(path()).onPaper(ZonedDateTime.now(ZoneOffset.UTC));
  }

  Typed say(String... more) {
    return Typed.line(
        Stream.concat(
                Stream.of("rehearse", path().toString(), "--state", state().toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  JsonNode rehearse(String... more) throws IOException {
    Typed typed = say(Stream.concat(Stream.of("--json"), Stream.of(more)).toArray(String[]::new));
    assertThat(typed.code()).as(typed.err()).isZero();
    return Json.mapper().readTree(typed.out());
  }
}
