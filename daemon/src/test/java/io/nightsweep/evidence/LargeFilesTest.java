package io.nightsweep.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The readers on large files, each in a separate JVM with a heap far smaller than the file. */
@Tag("xla")
@Tag("slow")
class LargeFilesTest {
  private static final long MIB = 1 << 20;
  private static final String HEAP = "-Xmx48m";

  @Test
  void filesOfSeveralTimesTheHeapAreRead(@TempDir Path directory) throws Exception {
    everyKind(directory, 96 * MIB);
  }

  @Test
  @Tag("night")
  void filesOfAGigabyteAreReadInTheSameMemory(@TempDir Path directory) throws Exception {
    everyKind(directory, 1024 * MIB);
  }

  private static void everyKind(Path directory, long bytes) throws Exception {
    Path hlo = directory.resolve("module_0001.jit_train_step.sm_9.0_gpu_after_optimizations.txt");
    hlo(hlo, bytes);
    // Four in each of the 300 bodies, and one in the entry: none is left out.
    assertThat(read(hlo)).contains("1201 forms");
    Files.delete(hlo);

    Path xplane = directory.resolve("node.xplane.pb");
    Xplanes.large(xplane, bytes);
    // In each 10 us, a gather takes 5, and a product overlaps 1 of these.
    assertThat(read(xplane)).contains("exposed 40 %").contains("collective 50 %");
    Files.delete(xplane);

    Path trace = directory.resolve("node.trace.json.gz");
    long events = json(trace, bytes);
    assertThat(read(trace)).contains("exposed 40 %").contains("events " + events);
  }

  private static String read(Path file) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-cp",
                System.getProperty("java.class.path"),
                Reading.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    System.out.print(output);
    return output;
  }

  /** The program of the small JVM. */
  static final class Reading {
    private Reading() {}

    public static void main(String[] args) throws Exception {
      Path file = Path.of(args[0]);
      long start = System.nanoTime();
      String found =
          file.toString().endsWith(".txt")
              ? describe(Samples.whole(HloReader.read(file, 2)))
              : describe(
                  Samples.whole(
                      file.toString().endsWith(".pb")
                          ? XplaneReader.read(file, HloReading.Names.none())
                          : TraceJsonReader.read(file, HloReading.Names.none())));
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          "%s: %d MiB, %.0f MiB per second of CPU time, %.0f MiB/s, %s: %s%n",
          file.getFileName(),
          Files.size(file) / MIB,
          Files.size(file) / cpuSeconds() / MIB,
          Files.size(file) / seconds / MIB,
          HEAP,
          found);
    }

    private static double cpuSeconds() {
      return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis() / 1e3;
    }

    private static String describe(HloReading m) {
      return "%d forms, %d names".formatted(m.collectives().size(), m.names().collectives().size());
    }

    private static String describe(TraceReading t) {
      TraceReading.Device d = t.devices().getFirst();
      return "exposed %.0f %%, collective %.0f %%, events %d"
          .formatted(
              100 * d.share(d.exposed()),
              100 * d.share(d.collective()),
              d.streams().stream().mapToLong(TraceReading.Stream::events).sum());
    }
  }

  /** The sample module's computations repeated, each time under other names. */
  private static void hlo(Path file, long bytes) throws Exception {
    String sample =
        Files.readString(Samples.file("module.jit_train_step.gpu_after_optimizations.txt"));
    int entry = sample.indexOf("ENTRY ");
    int first = sample.indexOf("%add.clone");
    String body = sample.substring(first, entry);
    String constant = "  %c = f32[100000]{0} constant({" + "0.125, ".repeat(100_000) + "0})\n";
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      out.write(sample.substring(0, first).getBytes(StandardCharsets.UTF_8));
      long written = 0;
      for (int i = 0; written < bytes; i++) {
        String copy = body.replace("_body.", "_body." + i % 300 + ".");
        byte[] text =
            (i % 40 == 0 ? copy.replaceFirst("\n", "\n" + constant) : copy)
                .getBytes(StandardCharsets.UTF_8);
        out.write(text);
        written += text.length;
      }
      out.write(sample.substring(entry).getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Unpacked, the file has the requested size. */
  private static long json(Path file, long bytes) throws Exception {
    long events = 0;
    try (OutputStream out =
        new BufferedOutputStream(
            new GZIPOutputStream(Files.newOutputStream(file), 1 << 16), 1 << 20)) {
      write(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
      write(out, metadata("process_name", 0, "/device:GPU:0"));
      write(out, metadata("thread_name", 14, "Stream #14(Compute)"));
      write(out, metadata("thread_name", 21, "Stream #21"));
      for (long i = 0, written = 0; written < bytes; i++) {
        String text =
            complete(21, i * 10, 5, "ncclDevKernel_AllGather_RING_LL", "all-gather-start.2")
                + complete(14, i * 10 + 1, 1, "gemm_fusion_dot_7", "gemm_fusion.1")
                + complete(14, i * 10 + 6, 2, "loop_add_fusion", "loop_add_fusion.2");
        write(out, text);
        written += text.length();
        events += 3;
      }
      write(out, "{}]}");
    }
    return events;
  }

  private static String metadata(String name, int thread, String value) {
    return "{\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"%s\",\"args\":{\"name\":\"%s\"}},"
        .formatted(thread, name, value);
  }

  private static String complete(int thread, long ts, int dur, String name, String instruction) {
    return "{\"ph\":\"X\",\"pid\":1,\"tid\":"
        + thread
        + ",\"ts\":"
        + ts
        + ".25,\"dur\":"
        + dur
        + ",\"name\":\""
        + name
        + "\",\"args\":{\"hlo_module\":\"jit_train_step\",\"hlo_op\":\""
        + instruction
        + "\",\"correlation_id\":\"84512\"}},";
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
