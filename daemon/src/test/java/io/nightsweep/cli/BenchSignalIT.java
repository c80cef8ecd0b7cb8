package io.nightsweep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.files.ChildJvm;
import io.nightsweep.journal.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study that is stopped by a signal stops its job too. */
@Tag("kernels")
class BenchSignalIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Path PROGRAM =
      Path.of("../native/build/nightsweep-kernels").toAbsolutePath().normalize();

  /** Takes hours: the study ends only if it is stopped. */
  private static final String STUDY =
      """
      about: long
      layouts: [{nodes: 1}]
      sampling: {iterations: 1000, trials: 1000, warmup: 0}
      groups:
        - name: copies
          kernel: copy
          axes: {bytes: [67108864, 134217728]}
      """;

  @TempDir Path folder;

  @Test
  void theJobOfAStudyThatIsToldToEndIsCancelled() throws Exception {
    Path study = Files.writeString(folder.resolve("long.yaml"), STUDY);
    Path printed = folder.resolve("printed");
    Process bench = bench(study, printed);
    try {
      await().atMost(PATIENCE).until(() -> kernels().findAny().isPresent());
      bench.destroy();
      assertThat(bench.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      await().atMost(PATIENCE).until(() -> kernels().findAny().isEmpty());
      assertThat(printed).content(UTF_8).contains("2 cases").doesNotContain("\tat ");
    } finally {
      bench.destroyForcibly();
      kernels().forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** The last line of a finished study, as programs read it, fits its schema. */
  @Test
  @Tag("agent")
  void theLastLineForProgramsFitsItsSchema() throws Exception {
    Path study =
        Files.writeString(
            folder.resolve("short.yaml"),
            """
            about: short
            layouts: [{nodes: 1}]
            sampling: {iterations: 4, trials: 4, warmup: 1}
            groups:
              - name: copies
                kernel: copy
                axes: {bytes: [4096]}
            """);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int unused =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(
                "bench",
                study.toString(),
                "--json",
                "--cluster=local",
                "--state=" + folder.resolve("state"),
                "--out=" + folder.resolve("out"),
                "--program=" + PROGRAM);
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).as("nothing else stands where programs read; %s", err).hasSize(1);
    JsonNode left = Json.mapper().readTree(lines.getFirst());
    assertThat(PublishedSchemasTest.schema("bench").validate(left)).isEmpty();
    int cases = 0;
    for (JsonNode count : left.path("dispositions")) {
      cases += count.asInt();
    }
    assertThat(cases).as("%s %s", left, err).isEqualTo(1);
    assertThat(Path.of(left.path("bundle").asText())).isDirectory();
  }

  /** Also for a group that has no published figure. */
  @Test
  @Tag("people")
  void aCaseThatFailedFailsTheCommandAndFiguresArePrinted() throws Exception {
    Path study =
        Files.writeString(
            folder.resolve("half.yaml"),
            """
            about: one case ends in a crash
            layouts: [{nodes: 1}]
            attempts: 1
            sampling: {iterations: 4, trials: 4, warmup: 1}
            groups:
              - {name: whole, required: true, kernel: gemm, variants: [{m: 32, n: 32, k: 32}]}
              - {name: broken, kernel: copy, axes: {bytes: [4096]}}
            """);
    Path program =
        Files.writeString(
            folder.resolve("kernels"),
            """
            #!/bin/bash
            control=
            for ((i = 1; i < $#; i++)); do [[ ${!i} != --control ]] || { next=$((i + 1)); control=${!next}; }; done
            [[ -z $control ]] || ! grep -q copy "$control" || set -- "$@" --inject crash
            exec %s "$@"
            """
                .formatted(PROGRAM));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    StringWriter out = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .execute(
                "bench",
                study.toString(),
                "--cluster=local",
                "--state=" + folder.resolve("state"),
                "--out=" + folder.resolve("out"),
                "--program=" + program);
    assertThat(out.toString())
        .contains("measured 1", "failed 1")
        .containsPattern("gemm .*  \\d+(\\.\\d+)? (n|µ|m)s, \\d+(\\.\\d+)? .FLOP/s")
        .containsPattern("copy .*  failed: ");
    assertThat(code).as(out.toString()).isEqualTo(ExitCode.FAILED);
  }

  /** The processes of this test's study. */
  private Stream<ProcessHandle> kernels() {
    return ProcessHandle.allProcesses()
        .filter(
            p ->
                p.info()
                    .commandLine()
                    .filter(c -> c.startsWith(PROGRAM.toString()) && c.contains(folder.toString()))
                    .isPresent());
  }

  private Process bench(Path study, Path printed) throws IOException {
    List<String> command =
        ChildJvm.command(
            Main.class,
            "bench",
            study.toString(),
            "--cluster",
            "local",
            "--state",
            folder.resolve("state").toString(),
            "--out",
            folder.resolve("out").toString(),
            "--program",
            PROGRAM.toString());
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(printed.toFile())
        .start();
  }
}
