package io.nightsweep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import io.nightsweep.files.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** A log that comes through a shell's pipe, as people first try it. */
@Tag("joblog")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class TriageInputTest {
  private static final String LOG =
      """
      0: Traceback (most recent call last):
      0:   File "train.py", line 12, in <module>
      0: jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8589934592 bytes.
      Status: FAILED (exit 1)
      """;

  @TempDir private Path folder;

  @Test
  void standardInputIsReadToItsEnd() throws Exception {
    for (String name : List.of("/dev/stdin", "-")) {
      assertThat(shell("exec \"$@\" triage " + name))
          .contains("standard input: oom", "standard input:3: ", "RESOURCE_EXHAUSTED")
          .doesNotContain("/dev/stdin");
    }
    assertThat(shell("exec \"$@\" triage <(cat)"))
        .contains("a pipe: oom", "a pipe:3: ")
        .doesNotContain("/dev/fd");
  }

  /** One process gets the log in every way. */
  @ParameterizedTest
  @ValueSource(strings = {"gzip", "xz", "zstd"})
  void aCompressedLogIsReadAsItsTextHoweverItIsGiven(String packer) throws Exception {
    Path packed = folder.resolve("job.log");
    try (OutputStream out = packing(packer, Files.newOutputStream(packed))) {
      out.write(LOG.getBytes(UTF_8));
    }
    List<InTurn.Said> said =
        InTurn.answers(
            shell(
                """
                mkfifo %1$s.fifo
                cat %1$s >%1$s.fifo &
                exec "$@" triage %1$s --then triage <(cat %1$s) --then triage /dev/stdin --then triage %1$s.fifo <%1$s
                """
                    .formatted(packed)));
    assertThat(said).hasSize(4).allMatch(answer -> answer.text().contains("RESOURCE_EXHAUSTED"));
  }

  @Test
  void whatTheShellUnpacksIsRead() throws Exception {
    Path packed = folder.resolve("job.log.gz");
    try (OutputStream out = packing("gzip", Files.newOutputStream(packed))) {
      out.write(LOG.getBytes(UTF_8));
    }
    assertThat(shell("exec \"$@\" triage <(zcat " + packed + ")")).contains("RESOURCE_EXHAUSTED");
  }

  @Test
  void aNamedPipeWithoutAWriterEndsTheCommandWithAnError() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    StringWriter told = new StringWriter();
    PrintWriter out = new PrintWriter(told);
    assertThat(Main.run(out, out, "triage", pipe.toString())).isEqualTo(ExitCode.FAILED);
    assertThat(told.toString())
        .contains("is a pipe that no program writes to")
        .doesNotContain("unclassified");
  }

  @Test
  void whatACutArchiveHoldsIsJudgedAndTheCutIsSaid() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder text = new StringBuilder(LOG);
    for (int i = 0; i < 20_000; i++) {
      text.append("0: ").append(random.nextLong()).append('\n');
    }
    List<String> lines = new ArrayList<>();
    for (String packer : List.of("gzip", "xz", "zstd")) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (OutputStream out = packing(packer, packed)) {
        out.write(text.toString().getBytes(UTF_8));
      }
      Path cut = folder.resolve(packer);
      Files.write(cut, Arrays.copyOf(packed.toByteArray(), 100_000));
      lines.add("triage " + cut);
    }
    assertThat(InTurn.answers(shell("exec \"$@\" " + String.join(" --then ", lines))))
        .extracting(InTurn.Said::text)
        .hasSize(3)
        .allSatisfy(
            said ->
                assertThat(said)
                    .contains("RESOURCE_EXHAUSTED", "oom")
                    .containsPattern(
                        "(?m)^" + folder + "/\\w+: the compressed log breaks off after"));
  }

  private static OutputStream packing(String packer, OutputStream to) throws IOException {
    return switch (packer) {
      case "gzip" -> new GZIPOutputStream(to);
      case "xz" -> new XZOutputStream(to, new LZMA2Options());
      default -> new ZstdOutputStream(to);
    };
  }

  /**
   * Runs a line of bash, with Nightsweep's command line as its arguments and the log as its input.
   */
  private String shell(String line) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c", line, "bash"));
    command.addAll(ChildJvm.command(InTurn.class));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(LOG.getBytes(UTF_8));
    } catch (IOException e) {
      // A command that reads a file does not read its input.
    }
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return said;
  }

  /** The log of a job that measured well contains no failure, and needs no resubmission. */
  @Test
  void whereNothingTellsOfAFailureNoneIsFound() throws Exception {
    Path log =
        Files.writeString(folder.resolve("job.log"), "warning: no huge pages\nlevel 4: 75 MB/s\n");
    for (String form : List.of("--json", "--propose-class", "--steps=15")) {
      StringWriter told = new StringWriter();
      PrintWriter out = new PrintWriter(told);
      Main.run(out, out, "triage", form, "--state=COMPLETED", "--exit-code=0", log.toString());
      Main.run(out, out, "triage", form, log.toString());
      assertThat(told.toString().lines().filter(l -> l.matches(".*no[- ]failure[- ]found.*")))
          .hasSize(2);
      assertThat(told.toString()).doesNotContain("resubmit");
    }
  }

  /** Without Slurm's information, a log that ends like those of failed jobs is not called good. */
  @Test
  void aLogThatEndsWithAnErrorIsNotCalledGood() throws Exception {
    for (String end : List.of("the volume is gone: fatal\n", "Status: FAILED (exit 1)\n", LOG)) {
      Path log = Files.writeString(folder.resolve("job.log"), "level 4: 75 MB/s\n" + end);
      StringWriter told = new StringWriter();
      PrintWriter out = new PrintWriter(told);
      Main.run(out, out, "triage", "--json", log.toString());
      assertThat(told.toString()).doesNotContain("no-failure-found");
    }
  }

  @Test
  @Tag("guard")
  void aPrivateKeyOnOneLineIsMaskedWhereItIsQuoted() throws Exception {
    Path log =
        Files.writeString(
            folder.resolve("job.log"),
            "ValueError: cannot read {\"private_key\": \"-----BEGIN PRIVATE KEY-----\\n"
                + "canary12".repeat(300)
                + "\\n\"}\nStatus: FAILED (exit 1)\n");
    StringWriter told = new StringWriter();
    PrintWriter out = new PrintWriter(told);
    Main.run(out, out, "triage", log.toString());
    assertThat(told.toString()).contains("cannot read", "***").doesNotContain("canary");
  }

  /** As when it reads a log for an assistant. */
  @Test
  @Tag("guard")
  void ofAJobsLogNoLinkAndNoPipeIsFollowed() throws Exception {
    Path secret = Files.writeString(folder.resolve("private"), LOG);
    Path link = Files.createSymbolicLink(folder.resolve("job.log"), secret);
    Path rotated =
        Files.writeString(Files.createDirectory(folder.resolve("r")).resolve("job.log"), "quiet\n");
    Files.createSymbolicLink(folder.resolve("r/job.log.1"), secret);
    Path pipe = folder.resolve("pipe.log");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    for (Path log : List.of(link, rotated, pipe)) {
      StringWriter told = new StringWriter();
      PrintWriter out = new PrintWriter(told);
      Main.run(out, out, "triage", "--json", "--of-a-job", log.toString());
      assertThat(told.toString()).as(log.toString()).doesNotContain("RESOURCE_EXHAUSTED");
    }
  }
}
