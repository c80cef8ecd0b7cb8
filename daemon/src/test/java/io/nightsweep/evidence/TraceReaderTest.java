package io.nightsweep.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.evidence.TraceReading.Device;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real profile of {@code sample.py}; the expected figures come from JAX's own reader of xplane
 * files.
 */
@Tag("xla")
class TraceReaderTest {
  private static final HloReading.Names NAMES =
      Samples.whole(
              HloReader.read(
                  Samples.file("module.jit_train_step.cpu_after_optimizations.txt.gz"), 2))
          .names();

  @Test
  void aRealXplaneGivesTheFiguresOfJaxsOwnReader() {
    TraceReading trace =
        Samples.whole(XplaneReader.read(Samples.file("sample.xplane.pb.gz"), NAMES));
    assertThat(trace.devices())
        .extracting(Device::name)
        .containsExactly("/host:CPU:0", "/host:CPU:1", "/host:CPU:2", "/host:CPU:3");
    figures(trace.devices().get(0), 182.701716, 142.526550, 32.664058, 7.511108);
    figures(trace.devices().get(1), 176.354218, 133.607104, 20.023196, 22.723918);
    figures(trace.devices().get(2), 177.087112, 135.450714, 23.967220, 17.669178);
    figures(trace.devices().get(3), 175.761706, 138.225012, 26.718287, 10.818407);
    assertThat(trace.kernels().getFirst().name()).isEqualTo("reduce_scatter.11");
    assertThat(trace.kernels().getFirst().seconds()).isCloseTo(0.15155435, within(1e-6));
    assertThat(trace.kernels().getFirst().collective())
        .isEqualTo(Optional.of(CollectiveKind.REDUCE_SCATTER));
    assertThat(trace.kernels()).noneMatch(k -> k.name().startsWith("while"));
  }

  @Test
  void theTraceViewersFileOfTheSameProfileGivesTheSame() {
    TraceReading xplane =
        Samples.whole(XplaneReader.read(Samples.file("sample.xplane.pb.gz"), NAMES));
    TraceReading json =
        Samples.whole(TraceJsonReader.read(Samples.file("sample.trace.json.gz"), NAMES));
    assertThat(json.devices()).hasSameSizeAs(xplane.devices());
    for (int i = 0; i < json.devices().size(); i++) {
      Device a = xplane.devices().get(i);
      Device b = json.devices().get(i);
      assertThat(b.name()).isEqualTo(a.name());
      assertThat(b.exposed()).isCloseTo(a.exposed(), within(2e-5));
      assertThat(b.compute()).isCloseTo(a.compute(), within(2e-5));
      assertThat(b.streams())
          .extracting(TraceReading.Stream::name)
          .containsExactlyInAnyOrderElementsOf(
              a.streams().stream().map(TraceReading.Stream::name).toList());
    }
  }

  private static void figures(
      Device d, double spanMs, double collectiveMs, double computeMs, double idleMs) {
    assertThat(d.span()).isCloseTo(spanMs / 1e3, within(1e-6));
    assertThat(d.collective()).isCloseTo(collectiveMs / 1e3, within(1e-6));
    assertThat(d.compute()).isCloseTo(computeMs / 1e3, within(1e-6));
    assertThat(d.exposed()).isCloseTo(collectiveMs / 1e3, within(1e-6));
    assertThat(d.idle()).isCloseTo(idleMs / 1e3, within(1e-6));
  }

  /** Two streams: 100 us of gather, of which compute on the other stream hides 60. */
  @Test
  void streamsOfAGpuOverlapAndOnlyTheUncoveredPartIsExposed(@TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("gpu.xplane.pb");
    Xplanes.gpu(file);
    HloReading.Names names =
        Samples.whole(
                HloReader.read(
                    Samples.file("module.jit_train_step.gpu_after_optimizations.txt"), 2))
            .names();
    Device device = Samples.whole(XplaneReader.read(file, names)).devices().getFirst();
    assertThat(device.name()).isEqualTo("/device:GPU:0");
    assertThat(device.collective()).isCloseTo(150e-6, within(1e-9));
    assertThat(device.exposed()).isCloseTo(90e-6, within(1e-9));
    assertThat(device.compute()).isCloseTo(80e-6, within(1e-9));
    assertThat(device.copy()).isCloseTo(10e-6, within(1e-9));
    assertThat(device.idle()).isCloseTo(20e-6, within(1e-9));
    assertThat(device.span()).isCloseTo(200e-6, within(1e-9));
    // The second kernel is a generic one; its instruction is known to be a permute.
    assertThat(device.byRoute().keySet())
        .extracting(Route::kind)
        .containsExactly(CollectiveKind.ALL_GATHER, CollectiveKind.COLLECTIVE_PERMUTE);
    assertThat(List.copyOf(device.byRoute().values()).getLast()).isCloseTo(50e-6, within(1e-9));
    assertThat(device.streams()).hasSize(2);
  }

  @Test
  void anXplaneThatIsNoneIsSaidToBeNone(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("a.xplane.pb");
    assertThat(xplane(Files.writeString(file, "HloModule jit_train_step\n")))
        .contains("it is not an xplane file");
    assertThat(xplane(Files.write(file, new byte[0]))).contains("it has no plane");
    assertThat(xplane(Files.write(file, new byte[4096]))).contains("it is not an xplane file");
    assertThat(xplane(directory.resolve("missing.xplane.pb"))).contains("it cannot be read");
  }

  @Test
  void anXplaneCutAnywhereIsAnAnswerAndNoException(@TempDir Path directory) throws Exception {
    byte[] whole = unzipped("sample.xplane.pb.gz");
    Path file = directory.resolve("cut.xplane.pb");
    for (int cut = 10; cut < whole.length - 200; cut += whole.length / 23) {
      Files.write(file, Arrays.copyOf(whole, cut));
      Outcome<TraceReading> outcome = XplaneReader.read(file, NAMES);
      assertThat(outcome).as("cut at %d", cut).isInstanceOf(Outcome.Unreadable.class);
    }
    // Foreign bytes in the middle: any answer is fine, but there must be one.
    Random random = new Random(7);
    for (int i = 0; i < 200; i++) {
      byte[] damaged = whole.clone();
      for (int n = 0; n < 20; n++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      Files.write(file, damaged);
      assertThat(XplaneReader.read(file, NAMES)).isNotNull();
    }
  }

  @Test
  void aTraceThatIsNoneOrCutIsSaidToBe(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("a.trace.json.gz");
    assertThat(trace(Files.writeString(file, "{}"))).contains("it is not a gzip file");
    byte[] whole = Files.readAllBytes(Samples.file("sample.trace.json.gz"));
    assertThat(trace(Files.write(file, Arrays.copyOf(whole, whole.length / 2))))
        .contains("it is cut off");
    assertThat(trace(zipped(file, "{\"a\":1}"))).contains("it has no 'traceEvents'");
    assertThat(trace(zipped(file, "{\"traceEvents\":[{\"ph\":"))).contains("it is not JSON");
    assertThat(trace(zipped(file, "{\"traceEvents\":[]}"))).contains("no event of a device");
  }

  private static String xplane(Path file) {
    return Samples.unreadable(XplaneReader.read(file, NAMES));
  }

  private static String trace(Path file) {
    return Samples.unreadable(TraceJsonReader.read(file, NAMES));
  }

  private static Path zipped(Path file, String text) throws IOException {
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  private static byte[] unzipped(String name) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(Samples.file(name)))) {
      return in.readAllBytes();
    }
  }
}
