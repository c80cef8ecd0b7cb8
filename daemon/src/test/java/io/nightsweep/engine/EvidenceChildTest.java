package io.nightsweep.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.engine.EvidenceChild.Wanted;
import io.nightsweep.evidence.Samples;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.TrialId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A hostile job's evidence can kill its reader process but not the daemon. */
@Tag("guard")
@Tag("slow")
class EvidenceChildTest {
  private static final AttemptId ATTEMPT = new AttemptId(new TrialId(1), 1);

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir Path folder;

  @Test
  void aProfilePackedAThousandfoldIsAnUnreadableFinding() throws Exception {
    int nameBytes = 700 << 20;
    try (OutputStream file = Files.newOutputStream(folder.resolve("host.xplane.pb.gz"));
        GZIPOutputStream packed = new GZIPOutputStream(file)) {
      // XSpace.planes = 1, XPlane.name = 2 (tsl/profiler/protobuf/xplane.proto).
      packed.write(0x0A);
      varint(packed, nameBytes + 6);
      packed.write(0x12);
      varint(packed, nameBytes);
      byte[] block = new byte[1 << 20];
      for (int i = 0; i < nameBytes >> 20; i++) {
        packed.write(block);
      }
    }
    assertThat(read())
        .singleElement()
        .extracting(f -> Phrases.EN.text(f.statement()))
        .asString()
        .contains("need more memory");
  }

  @Test
  void aModuleThatIsADeviceIsNotRead() throws Exception {
    Files.createSymbolicLink(
        folder.resolve("module_1.jit_train_step.after_optimizations.txt"), Path.of("/dev/zero"));
    assertThat(read())
        .singleElement()
        .extracting(f -> Phrases.EN.text(f.statement()))
        .asString()
        .contains("left no HLO dump");
  }

  @Test
  void aModuleWithOpenBracketsIsRead() throws Exception {
    Files.writeString(
        folder.resolve("module_1.jit_train_step.after_optimizations.txt"),
        """
        HloModule jit_train_step

        ENTRY main {
          p = f32[8] parameter(0)
          g = f32[16] all-gather(p), replica_groups=[
          ROOT t = f32[16] copy(g), backend_config={"wait_on_operation_queues":[
        }
        """);
    assertThat(read())
        .isNotEmpty()
        .noneMatch(
            f ->
                Phrases.EN.text(f.statement()).contains("exit code")
                    || Phrases.EN.text(f.statement()).contains("Index"));
  }

  @Test
  void aProgramThatNeverEndsIsNoProgram() throws Exception {
    try (OutputStream file =
            Files.newOutputStream(
                folder.resolve("module_1.jit_train_step.after_optimizations.txt.gz"));
        GZIPOutputStream packed = new GZIPOutputStream(file)) {
      packed.write(
          "HloModule jit_train_step\n\nENTRY %main (p: f32[8]) -> f32[8] {\n".getBytes(UTF_8));
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < 1 << 20; i++) {
        line.setLength(0);
        packed.write(
            line.append("  %a.").append(i).append(" = f32[8] add()\n").toString().getBytes(UTF_8));
      }
    }
    assertThat(read(Wanted.PROGRAM))
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.kind()).isEqualTo(Finding.PROGRAM);
              assertThat(f.program()).isEmpty();
              assertThat(Phrases.EN.text(f.statement())).contains("longer than any module");
            });
  }

  @Test
  void theProgramOfAJobThatWasNotProfiledIsItsHashAndItsFile() throws Exception {
    Files.copy(
        Samples.file("module.jit_train_step.cpu_after_optimizations.txt.gz"),
        folder.resolve("module_0042.jit_train_step.cpu_after_optimizations.txt.gz"));
    assertThat(read(Wanted.PROGRAM))
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.program()).hasValueSatisfying(h -> assertThat(h).hasSize(32));
              assertThat(f.sources())
                  .containsExactly(
                      "job 7: module_0042.jit_train_step.cpu_after_optimizations.txt.gz");
            });
  }

  /**
   * An attacker who takes over the reader finds no secret of the daemon, and no network to send one
   * over.
   */
  @Test
  void theReaderHasNeitherTheDaemonsEnvironmentNorANetwork() throws Exception {
    Confinement.Scratch scratch = new Confinement.Scratch(folder.toRealPath());
    Process reader = EvidenceChild.start(scratch);
    try {
      Path process = Path.of("/proc", Long.toString(reader.pid()));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> Files.readString(process.resolve("cmdline")).startsWith(JAVA));
      assertThat(Files.readString(process.resolve("cmdline")).split("\0"))
          .contains("-Djava.io.tmpdir=" + scratch.folder());
      assertThat(Files.readString(process.resolve("environ")).split("\0"))
          .allMatch(v -> v.isEmpty() || v.matches("(?s)(?:PATH|LANG|TMPDIR|_)=.*"));
      // Whether the kernel gives a process its own network namespace.
      int given =
          new ProcessBuilder("unshare", "--map-current-user", "--net", "true").start().waitFor();
      assertThat(network(process).equals(network(Path.of("/proc/self")))).isEqualTo(given != 0);
    } finally {
      reader.destroyForcibly();
    }
  }

  /** Whether this system gives an ordinary user a mount namespace, as the tests' system does. */
  @Test
  void theReaderMayWriteNowhereButInItsFolder() throws Exception {
    Path mine = Files.createDirectory(folder.resolve("mine"));
    Path others = Files.createDirectory(folder.resolve("others with\ttab"));
    Process reader = EvidenceChild.start(new Confinement.Scratch(mine.toRealPath()));
    try {
      Path process = Path.of("/proc", Long.toString(reader.pid()));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> Files.readString(process.resolve("cmdline")).startsWith(JAVA));
      assumeThat(mayMount()).isTrue();
      Map<String, String> mounts = new HashMap<>();
      for (String line : Files.readAllLines(process.resolve("mountinfo"))) {
        // A mount over another one comes after it.
        mounts.put(line.split(" ")[4], line.split(" ")[5]);
      }
      assertThat(mounts.remove(mine.toRealPath().toString())).startsWith("rw");
      assertThat(mounts.values()).isNotEmpty().allMatch(options -> options.startsWith("ro"));
      assertThat(Files.readString(process.resolve("status")))
          .containsPattern("CapEff:\\s0{16}\n")
          .containsPattern("CapBnd:\\s0{16}\n");
    } finally {
      reader.destroyForcibly();
    }
    assertThat(Confinement.strictest()).isEqualTo(Confinement.READS_ONLY);
    assertThat(
            new ProcessBuilder(
                    Confinement.READS_ONLY.around(
                        new Confinement.Scratch(mine.toRealPath()),
                        List.of(
                            "sh",
                            "-c",
                            "echo x >\"$1/file\"; mount -n -o remount,bind,rw none /; echo x >\"$2/file\"",
                            "writer",
                            mine.toString(),
                            others.toString())))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor())
        .isNotZero();
    assertThat(mine.resolve("file")).hasContent("x");
    assertThat(others).isEmptyDirectory();
  }

  private static boolean mayMount() throws Exception {
    return new ProcessBuilder("unshare", "--map-root-user", "--mount", "mount", "--rbind", "/", "/")
            .start()
            .waitFor()
        == 0;
  }

  /** Spill files of killed readers would fill the disk over time. */
  @Test
  void nothingOfTheReadersFolderStays() throws Exception {
    Confinement.Scratch scratch = Confinement.Scratch.create();
    Files.writeString(Files.createDirectory(scratch.folder().resolve("in")).resolve("runs"), "x");
    scratch.close();
    assertThat(scratch.folder()).doesNotExist();
  }

  private static Path network(Path process) throws IOException {
    return Files.readSymbolicLink(process.resolve("ns/net"));
  }

  private List<Finding> read() {
    return read(Wanted.ALL);
  }

  private List<Finding> read(Wanted wanted) {
    return EvidenceChild.read(
        new EvidenceChild.Order(ATTEMPT, "7", List.of(folder.toString()), List.of(), 2, wanted));
  }

  private static void varint(OutputStream out, int value) throws Exception {
    int rest = value;
    while (rest >= 0x80) {
      out.write((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }
}
