package io.nightsweep.workload.kernels;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Trial;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.Workload.Effective;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sweep job's result is checked against its order, as a study's is. */
@Tag("kernels")
class SweepDocumentsIT {
  private static final Path PROGRAM = Path.of("../native/build/nightsweep-kernels");
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Map<String, String> SETTINGS =
      Map.of(
          "kernel",
          "allreduce",
          "sizes",
          "4K",
          "dtype",
          "f32",
          "iterations",
          "2",
          "trials",
          "3",
          "warmup",
          "1");

  @TempDir static Path folder;
  private static ObjectNode document;

  @BeforeAll
  static void measure() throws Exception {
    Path out = folder.resolve("result.json");
    List<String> command =
        new ArrayList<>(List.of(PROGRAM.toString(), "allreduce", "--out", out.toString()));
    command.addAll(List.of("--sizes", "4K", "--dtype", "f32"));
    command.addAll(List.of("--iters", "2", "--trials", "3", "--warmup", "1"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    builder.environment().put("NIGHTSWEEP_PROFILE_HASH", Profile.baseline().hash());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    document = (ObjectNode) MAPPER.readTree(out.toFile());
  }

  @Test
  void whatWasOrderedIsTaken() throws Exception {
    Workload.WorkloadReading reading = read(SETTINGS, 1, d -> {});
    assertThat(reading.effective()).isEqualTo(new Effective.AsScheduled());
    assertThat(reading.measurement()).isPresent();
    // The program chooses the default.
    assertThat(read(Map.of("kernel", "allreduce", "sizes", "4096"), 1, d -> {}).effective())
        .isEqualTo(new Effective.AsScheduled());
  }

  @Test
  void anotherCaseOrSamplingThanOrderedIsRefused() throws Exception {
    ordered("sizes", "8192", "its 'bytes' is 4096 where 8192 was ordered");
    ordered("dtype", "f64", "its 'dtype' is \"f32\" where f64 was ordered");
    ordered("inPlace", "true", "its 'inPlace' is false where true was ordered");
    ordered("trials", "64", "its 'trials' is 3 where 64 was ordered");
    ordered("warmup", "32", "its 'warmup' is 1 where 32 was ordered");
    ordered("backend", "ucx", "its 'backend' is \"mpi\" where ucx was ordered");
    assertThat(difference(read(SETTINGS, 2, d -> {}))).contains("its 'ranks' is 1 where 2");
    tampered(
        "its 'sampling' is",
        d -> ((ObjectNode) record(d).get("identity")).put("sampling", "8x64 after 32"));
  }

  @Test
  void theDocumentIsHeldAgainstItsOrderAndItsLimits() throws Exception {
    tampered("its metric contract is 'another'", d -> d.put("metricContract", "another"));
    tampered(
        "its 'metricContract' is \"another\"",
        d -> {
          d.put("metricContract", "another");
          ((ObjectNode) record(d).get("identity")).put("metricContract", "another");
        });
    tampered("it has the fault 'straggler' injected", d -> d.put("fault", "straggler"));
    tampered("3 ranks ran where 1 were asked", d -> d.put("ranks", 3));
    tampered("2 hosts are named for 1 ranks", d -> d.putArray("hosts").add("a").add("b"));
    tampered("it has no limits of its run", d -> d.putNull("limits"));
    tampered("ofCopyLimit is 0.125", d -> component(d).put("ofCopyLimit", 0.125));
    tampered("1 lines are given", d -> d.putArray("fits").addObject());
    tampered("p50Seconds is", d -> component(d).put("p50Seconds", 1e-9));
  }

  private static void ordered(String setting, String value, String reason) throws Exception {
    TreeMap<String, String> settings = new TreeMap<>(SETTINGS);
    settings.put(setting, value);
    assertThat(difference(read(settings, 1, d -> {}))).as(setting).contains(reason);
  }

  private static void tampered(String reason, Consumer<ObjectNode> change) throws Exception {
    assertThat(difference(read(SETTINGS, 1, change))).contains(reason);
  }

  private static String difference(Workload.WorkloadReading reading) {
    assertThat(reading.measurement()).isEmpty();
    return Phrases.EN.text(((Effective.Different) reading.effective()).found());
  }

  private static Workload.WorkloadReading read(
      Map<String, String> settings, int ranks, Consumer<ObjectNode> change) throws IOException {
    ObjectNode changed = document.deepCopy();
    change.accept(changed);
    Path place = Files.createTempDirectory(folder, "job");
    MAPPER.writeValue(place.resolve("result.json").toFile(), changed);
    return new KernelsWorkload(Path.of(""))
        .read(
            Requests.of(
                Trial.Purpose.SCREEN,
                ranks,
                List.of("n1"),
                settings,
                // A single rank uses no bus.
                new Metric("algbwBytesPerSecond", "B/s", Metric.Better.HIGHER),
                place),
            new JobLog(place.resolve("job.log")));
  }

  private static ObjectNode record(ObjectNode whole) {
    return (ObjectNode) whole.get("cases").get(0);
  }

  private static ObjectNode component(ObjectNode whole) {
    return (ObjectNode) record(whole).get("components").get(0);
  }
}
