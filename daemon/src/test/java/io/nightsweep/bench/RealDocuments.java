package io.nightsweep.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.plan.Study;
import io.nightsweep.sweep.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Documents that the real program wrote, and how they are read after a change. */
final class RealDocuments {
  private static final Study.Sampling SAMPLING = new Study.Sampling(2, 3, 1);
  private static final double JOB_SECONDS = 3600;

  private static final String STUDY =
      """
      about: what is tampered with
      layouts: [{nodes: 1, perNode: 2}]
      sampling: {iterations: 2, trials: 3, warmup: 1}
      attempts: 1
      timeLimit: 2m
      groups:
        - {name: sizes, kernel: allreduce, axes: {bytes: [4096, 65536, 262144]}}
        - {name: products, kernel: gemm, variants: [{m: 32, n: 32, k: 32}]}
        - {name: experts, kernel: ep, axes: {mode: [normal, low-latency]}, variants: [{tokens: 4, hidden: 256, experts: 4, topk: 2}]}
        - {name: pipeline, kernel: ep-pipeline, variants: [{tokens: 4, hidden: 128, experts: 4, topk: 2, intermediate: 64}]}
        - {name: uneven, kernel: all-to-allv, axes: {bytes: [4096]}}
        - {name: pairs, kernel: pair-matrix, axes: {bytes: [64]}}
        - {name: rate, kernel: message-rate, axes: {bytes: [64]}}
        - {name: links, kernel: topology-allreduce, axes: {elements: [64]}, variants: [{topology: ring_1d}, {topology: mesh_2d_no_wrap, width: 2, height: 1, rootCentre: true}]}
        - {name: layer, kernel: tp-layer, variants: [{phase: decode, tokens: 1, hidden: 128, intermediate: 128, heads: 4}]}
      """;

  private static final SortedMap<String, ObjectNode> documents = new TreeMap<>();

  /** The jobs run once for all tests. */
  private static Optional<Matrix> measured = Optional.empty();

  private final Path folder;
  private final Matrix matrix;

  /**
   * @param folder of the documents to read
   */
  RealDocuments(Path folder) throws Exception {
    this.folder = folder;
    this.matrix = measured(folder);
  }

  private static synchronized Matrix measured(Path folder) throws Exception {
    if (measured.isPresent()) {
      return measured.get();
    }
    Matrix matrix =
        Matrix.of(
            new LocalStudies(folder).study(STUDY),
            new Capabilities(LocalStudies.PROGRAM, 1),
            EarlierTimes.of(folder.resolve("none")));
    for (Shard shard : matrix.shards()) {
      ControlDocument control =
          ControlDocument.of(shard, shard.cases(), SAMPLING, Duration.ofMinutes(1));
      Path file = folder.resolve(shard.id() + ".control.json");
      Path out = folder.resolve(shard.id() + ".json");
      Files.writeString(file, control.text());
      run(
          "run",
          "--control",
          file.toString(),
          "--control-sha256",
          control.sha256(),
          "--out",
          out.toString());
      documents.put(shard.key().mode(), (ObjectNode) BenchJson.MAPPER.readTree(out.toFile()));
    }
    measured = Optional.of(matrix);
    return matrix;
  }

  /** What each job did, by its mode. */
  Set<String> modes() {
    return documents.keySet();
  }

  void refused(String reason, Consumer<ObjectNode> change) throws Exception {
    refused("allreduce", reason, change);
  }

  void refused(String mode, String reason, Consumer<ObjectNode> change) throws Exception {
    CaseRow row = read(mode, change);
    assertThat(row.disposition()).as(reason).isEqualTo(CaseDisposition.FAILED);
    assertThat(row.reason().orElseThrow()).contains(reason);
  }

  /** Expects a refusal after this change of one of a document's records. */
  void refused(String mode, int index, String reason, Consumer<ObjectNode> change)
      throws Exception {
    ObjectNode document = document(mode);
    change.accept((ObjectNode) document.get("cases").get(index));
    CaseRow row = rows(shard(mode), false, document, "0").get(index);
    assertThat(row.disposition()).as(mode + ": " + reason).isEqualTo(CaseDisposition.FAILED);
    assertThat(row.reason().orElseThrow()).contains(reason);
  }

  CaseRow read(String mode, Consumer<ObjectNode> change) throws Exception {
    ObjectNode document = document(mode);
    change.accept(document);
    return read(shard(mode), false, document);
  }

  ObjectNode document(String mode) {
    return Objects.requireNonNull(documents.get(mode)).deepCopy();
  }

  CaseRow read(Shard shard, boolean nodesAreHosts, ObjectNode document) throws Exception {
    return read(shard, nodesAreHosts, document, "0");
  }

  CaseRow read(Shard shard, boolean nodesAreHosts, ObjectNode document, String exit)
      throws Exception {
    return rows(shard, nodesAreHosts, document, exit).getFirst();
  }

  List<CaseRow> rows(Shard shard, boolean nodesAreHosts, ObjectNode document, String exit)
      throws Exception {
    Path place = Files.createTempDirectory(folder, "run");
    RunFiles files = new RunFiles(place, new RunKey(CaseRow.ONE_SIDE, 1, 1));
    BenchJson.MAPPER.writeValue(files.result().toFile(), document);
    Files.writeString(files.exit(), exit);
    return rows(shard, nodesAreHosts, files);
  }

  List<CaseRow> rows(Shard shard, boolean nodesAreHosts, RunFiles files) throws Exception {
    RunReader reader =
        new RunReader(shard, new RunReader.Ordered(SAMPLING, nodesAreHosts, Map.of(), "none"));
    return reader
        .read(
            files,
            shard.cases(),
            new JobRunner.Ended(new JobId("1"), "job 1 ended", Duration.ZERO),
            OptionalDouble.of(JOB_SECONDS))
        .rows();
  }

  Shard shard(String mode) {
    return matrix.shards().stream()
        .filter(s -> s.key().mode().equals(mode))
        .findFirst()
        .orElseThrow();
  }

  static ObjectNode facts(ObjectNode document) {
    return object(record(document), "facts");
  }

  static ObjectNode record(ObjectNode document) {
    return (ObjectNode) document.get("cases").get(0);
  }

  static ObjectNode component(ObjectNode document) {
    return (ObjectNode) record(document).get("components").get(0);
  }

  static ObjectNode component(ObjectNode record, int index) {
    return (ObjectNode) record.get("components").get(index);
  }

  static ObjectNode object(JsonNode parent, String name) {
    return (ObjectNode) parent.get(name);
  }

  private static void run(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("mpirun", "--oversubscribe", "-np", "2", LocalStudies.PROGRAM.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
