package io.nightsweep.workload.kernels;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.NodeFigures;
import io.nightsweep.sweep.NodeMetric;
import io.nightsweep.sweep.Trial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of nodes trusts a document no more than a study does. */
@Tag("kernels")
class NodeGateDocumentsIT {
  private static final Path PROGRAM = Path.of("../native/build/nightsweep-kernels");
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<String> NODES = List.of("n1", "n2", "n3");

  /** The job script's options for the program, except the sides of the product. */
  private static final Map<String, String> STEPS =
      Map.of(
          "gemm", "gemm --iters 4 --m 64 --n 64 --k 64",
          "copy", "copy --sizes 67108864 --iters 4",
          "pair", "allreduce --sizes 8388608 --iters 2",
          "ring", "allreduce --sizes 8388608 --iters 2");

  private static final Map<String, NodeMetric> METRICS =
      Map.of(
          "gemm", NodeMetric.GEMM_FLOPS,
          "copy", NodeMetric.COPY_BYTES,
          "pair", NodeMetric.PAIR_BYTES,
          "ring", NodeMetric.RING_BYTES);

  @TempDir static Path folder;
  private static final Map<String, ObjectNode> documents = new TreeMap<>();

  @BeforeAll
  static void measure() throws Exception {
    for (Map.Entry<String, String> step : STEPS.entrySet()) {
      int ranks =
          switch (step.getKey()) {
            case "pair" -> 2;
            case "ring" -> NODES.size();
            default -> 1;
          };
      documents.put(step.getKey(), run(ranks, step.getValue()));
    }
  }

  @Test
  void whatTheStepsMeasuredAreTheFiguresOfTheNodes() throws Exception {
    List<NodeFigures> figures = figures(Map.of());
    assertThat(figures).extracting(NodeFigures::node).isEqualTo(NODES);
    assertThat(figures)
        .allSatisfy(f -> assertThat(f.figures().keySet()).isEqualTo(Set.of(NodeMetric.values())));
  }

  @Test
  void aDocumentThatIsNotBelievedIsNoFigure() throws Exception {
    for (String step : STEPS.keySet()) {
      refused(step, d -> record(d).put("wrong", 1));
      refused(step, d -> d.put("fault", "straggler"));
      refused(step, d -> d.put("metricContract", "another"));
      refused(step, d -> d.put("ranks", 4));
      refused(step, d -> d.putArray("hosts"));
      refused(step, d -> d.putArray("fits").addObject());
      refused(step, d -> component(d).put("ofCopyLimit", 0.5));
      refused(step, d -> ((ObjectNode) record(d).get("facts")).put("timedSeconds", 1e9));
      refused(step, d -> record(d).put("warmup", 32));
    }
  }

  @Test
  void anotherCaseOrPlaceThanOrderedIsNoFigure() throws Exception {
    for (String step : List.of("pair", "ring")) {
      refused(step, d -> ((ArrayNode) d.get("hosts")).set(1, "n1"));
    }
    assertThat(figures(Map.of("pair", document("ring"))).getFirst().figures())
        .doesNotContainKey(NodeMetric.PAIR_BYTES);
    assertThat(figures(Map.of("ring", document("pair"))).getFirst().figures())
        .doesNotContainKey(NodeMetric.RING_BYTES);
    assertThat(figures(Map.of("copy", run(1, "copy --sizes 4096 --iters 4"))).getFirst().figures())
        .doesNotContainKey(NodeMetric.COPY_BYTES);
  }

  /** Only that step's metric is missing, on every node. */
  private static void refused(String step, Consumer<ObjectNode> change) throws Exception {
    ObjectNode changed = document(step);
    change.accept(changed);
    assertThat(figures(Map.of(step, changed)))
        .allSatisfy(
            f ->
                assertThat(f.figures().keySet())
                    .as(step)
                    .hasSize(NodeMetric.values().length - 1)
                    .doesNotContain(METRICS.get(step)));
  }

  private static List<NodeFigures> figures(Map<String, ObjectNode> changed) throws Exception {
    Path out = Files.createTempDirectory(folder, "gate");
    for (String step : STEPS.keySet()) {
      String text = MAPPER.writeValueAsString(changed.getOrDefault(step, document(step)));
      for (int i = 0; i < NODES.size(); i++) {
        Files.writeString(
            out.resolve(step.equals("ring") ? "ring.json" : step + "." + i + ".json"), text);
      }
    }
    return new NodeGateJob(Path.of(""))
        .nodeFigures(
            Requests.of(
                Trial.Purpose.NODE_GATE, 3, NODES, Map.of(), Specs.kernels(1).metric(), out));
  }

  private static ObjectNode document(String step) {
    return Objects.requireNonNull(documents.get(step)).deepCopy();
  }

  private static ObjectNode record(ObjectNode whole) {
    return (ObjectNode) whole.get("cases").get(0);
  }

  private static ObjectNode component(ObjectNode whole) {
    return (ObjectNode) record(whole).get("components").get(0);
  }

  /** Runs on this machine, which represents as many nodes as there are ranks. */
  private static ObjectNode run(int ranks, String arguments) throws Exception {
    Path out = Files.createTempDirectory(folder, "step").resolve("result.json");
    List<String> command =
        new ArrayList<>(
            List.of("mpirun", "--oversubscribe", "-np", "" + ranks, PROGRAM.toString()));
    command.addAll(List.of(arguments.split(" ", -1)));
    command.addAll(List.of("--trials", "4", "--warmup", "1", "--no-limits"));
    command.addAll(List.of("--out", out.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    ObjectNode document = (ObjectNode) MAPPER.readTree(out.toFile());
    ArrayNode hosts = document.putArray("hosts");
    NODES.subList(0, ranks).forEach(hosts::add);
    return document;
  }
}
