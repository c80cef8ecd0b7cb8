package io.nightsweep.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.plan.Study;
import io.nightsweep.sweep.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real document, changed in one place, is never taken at its word. */
@Tag("kernels")
class TamperedDocumentsIT {
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
        - {name: pairs, kernel: pair-matrix, axes: {bytes: [64]}}
        - {name: rate, kernel: message-rate, axes: {bytes: [64]}}
        - {name: links, kernel: topology-allreduce, axes: {elements: [64]}, variants: [{topology: ring_1d}, {topology: mesh_2d_no_wrap, width: 2, height: 1, rootCentre: true}]}
        - {name: layer, kernel: tp-layer, variants: [{phase: decode, tokens: 1, hidden: 128, intermediate: 128, heads: 4}]}
      """;

  private static final String GPUS =
      """
      about: as on GPUs
      layouts: [{nodes: 1, perNode: 2}]
      backends: [nccl]
      sampling: {iterations: 2, trials: 3, warmup: 1}
      timeLimit: 2m
      groups:
        - {name: sizes, kernel: allreduce, axes: {bytes: [4096]}}
      """;

  @TempDir static Path folder;
  private static final SortedMap<String, ObjectNode> documents = new TreeMap<>();
  private static Matrix matrix;

  @BeforeAll
  static void measure() throws Exception {
    matrix =
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
  }

  @Test
  void asItWasWrittenItIsMeasured() throws Exception {
    for (String mode : documents.keySet()) {
      Row row = read(mode, document -> {});
      assertThat(row.reason()).isEmpty();
      assertThat(row.disposition()).isEqualTo(CaseDisposition.MEASURED);
    }
  }

  @Test
  void everyFigureFollowsFromTheSamples() throws Exception {
    for (String mode : documents.keySet()) {
      ObjectNode headline = component(documents.get(mode));
      List<String> figures = new ArrayList<>();
      headline
          .properties()
          .forEach(
              p -> {
                // Shares are of limits that the document tells too.
                if (p.getValue().isNumber()
                    && !p.getKey().startsWith("of")
                    && !p.getKey().equals("stateBytes")) {
                  figures.add(p.getKey());
                }
              });
      assertThat(figures).contains("p50Seconds", "p99Seconds", "cv", "spreadP50Seconds");
      for (String figure : figures) {
        Row row =
            read(
                mode,
                d ->
                    component(d).put(figure, component(d).path(figure).asDouble() * 1.001 + 1e-12));
        assertThat(row.disposition()).as(mode + " " + figure).isEqualTo(CaseDisposition.FAILED);
        assertThat(row.reason().orElseThrow()).contains(figure);
      }
    }
  }

  @Test
  void aContradictionFailsTheRow() throws Exception {
    refused("77 wrong elements", d -> record(d).put("wrong", 77));
    refused("elements that nobody checked", d -> record(d).putNull("wrong"));
    refused("'buffer' is \"huge\"", d -> object(record(d), "realised").put("buffer", "huge"));
    refused(
        "5 samples where 3 x 2", d -> ((ArrayNode) component(d).get("samplesSeconds")).remove(0));
    refused(
        "no time in seconds", d -> ((ArrayNode) component(d).get("samplesSeconds")).set(2, -1.0));
    refused("without a figure", d -> record(d).putArray("components"));
    refused("its anomaly is told as true", d -> record(d).put("anomaly", true));
    refused("was ordered", d -> record(d).put("warmup", 0));
    refused("metric contract", d -> d.put("metricContract", "another"));
    refused("3 ranks ran", d -> d.put("ranks", 3));
    refused("hosts are told for 2 ranks", d -> d.putArray("hosts").add("a"));
    refused("another identity", d -> object(record(d), "identity").put("dtype", "bf16"));
    refused("2 hosts ran where 1 were asked", d -> d.putArray("hosts").add("a").add("b"));
  }

  /** Whoever changes one thing and all that follows from it is found out by another. */
  @Test
  void aDocumentThatAgreesWithItselfIsHeldAgainstWhatWasOrdered() throws Exception {
    refused("it has the fault 'straggler' injected", d -> d.put("fault", "straggler"));
    refused("operation works on 8192.0 bytes where 4096.0", d -> scale(d, 1, 2));
    refused("samples are", d -> scale(d, 1e6, 1));
    refused("operation: ofCopyLimit is", d -> scale(d, 1e-3, 1));
    refused(
        "operation lies above the roofline of its own run",
        d -> {
          scale(d, 1e-6, 1);
          component(d).put("ofCopyLimit", component(d).get("ofCopyLimit").asDouble() * 1e6);
        });
    refused("ofCopyLimit is null", d -> component(d).putNull("ofCopyLimit"));
    refused(
        "its trials took -1.0 of the", d -> object(record(d), "facts").put("timedSeconds", -1.0));
    refused(
        "its parts are [operation, operation]",
        d -> ((ArrayNode) record(d).get("components")).add(component(d).deepCopy()));
    refused("its parts are [combine]", d -> component(d).put("name", "combine"));
    refused("gemm", "gemm: ofFlopsLimit is 0.5", d -> component(d).put("ofFlopsLimit", 0.5));
    refused(
        "normal",
        "its parts are [dispatch, roundTrip, experts, combine]",
        d -> {
          ArrayNode parts = (ArrayNode) record(d).get("components");
          parts.insert(0, parts.remove(1));
        });
    refused(
        "normal",
        "3 wrong elements by their kind",
        d -> object(object(record(d), "facts"), "wrongBy").put("payload", 3));
  }

  /** They are drawn and published as other figures are. */
  @Test
  void factsThatAreFiguresFollowFromTheSamplesToo() throws Exception {
    refused(
        "pair-matrix", "0-1: bytesPerSecond is 9.0E15", d -> pair(d).put("bytesPerSecond", 9e15));
    refused("pair-matrix", "a pair is told as", d -> pair(d).put("to", 7));
    refused("pair-matrix", "0 pairs are told where 1", d -> facts(d).putArray("pairs"));
    refused(
        "pair-matrix",
        "slowestPair: bytesPerSecond is 1.0",
        d -> object(facts(d), "slowestPair").put("bytesPerSecond", 1.0));
    refused(
        "message-rate", "messagesPerSecond is 1.0E9", d -> facts(d).put("messagesPerSecond", 1e9));
    refused("message-rate", "messagesPerSecond is null", d -> facts(d).remove("messagesPerSecond"));
    refused("topology-allreduce", "the links' bytes is 0.0", d -> facts(d).putArray("links"));
    refused("tp-layer", "communicationShare is 0.0", d -> facts(d).put("communicationShare", 0.0));
    refused("tp-layer", "perOpOverSplit is 9.0", d -> facts(d).put("perOpOverSplit", 9.0));
    refused(
        "normal",
        1,
        "overlapFraction is 0.97",
        r -> object(r, "facts").put("overlapFraction", 0.97));
  }

  /**
   * Whoever moved more, or elsewhere, than a case asks for is found out by the routing's own facts.
   */
  @Test
  void whatExpertsMovedAndComputedFollowsFromTheirRouting() throws Exception {
    for (String mode : List.of("normal", "low-latency")) {
      for (int part : List.of(0, 1, 3)) {
        refused(mode, 0, ": stateBytes is", r -> scaleBytes(component(r, part), 2));
      }
      refused(mode, 0, "ofCopyLimit is", r -> component(r, 1).put("ofCopyLimit", 0.5));
      for (String fact :
          List.of(
              "copies",
              "copiesPerToken",
              "copiesToSelf",
              "bytesPerCopy",
              "recordBytesPerCopy",
              "returnBytesPerCopy")) {
        refused(
            mode,
            0,
            "",
            r -> object(r, "facts").put(fact, 2 * object(r, "facts").get(fact).asDouble() + 1));
      }
      refused(
          mode,
          0,
          "its ranks' tokens are",
          r -> object(r, "facts").putArray("tokensByRank").add(8));
      refused(
          mode,
          0,
          "tokens by their copies is 0.0",
          r -> object(r, "facts").putArray("tokensByCopies"));
      refused(mode, 0, "its imbalance is 2.5", r -> object(r, "facts").put("imbalance", 2.5));
      refused(
          mode,
          0,
          "rank 0 sends",
          r -> {
            double all = object(r, "facts").get("copies").asDouble();
            object(r, "facts").putArray("copiesSentByRank").add(all).add(0.0);
          });
    }
    refused(
        "normal",
        1,
        "expertRowsByRank is 3.0 where 16.0",
        r -> object(r, "facts").putArray("expertRowsByRank").add(1).add(2));
    refused(
        "normal",
        1,
        "compute: flopsPerSecond is",
        r ->
            component(r, 2)
                .put("flopsPerSecond", component(r, 2).get("flopsPerSecond").asDouble() / 2));
  }

  @Test
  void theWayOfASumIsThatOfItsTopology() throws Exception {
    refused(
        "topology-allreduce",
        0,
        "which is no link of its topology",
        r -> ((ObjectNode) object(r, "facts").get("links").get(0)).put("to", 0));
    refused(
        "topology-allreduce", 1, "its tree has the root 0", r -> object(r, "facts").put("root", 0));
    refused("topology-allreduce", 1, "the depth 2 where", r -> object(r, "facts").put("depth", 2));
  }

  /** A case that was left out, or failed, cannot have what only one that ran has, and says why. */
  @Test
  void aCaseThatWasNotMeasuredIsExplained() throws Exception {
    for (String disposition : List.of("failed", "dropped", "unsupported")) {
      refused(disposition + " and not why", d -> record(d).put("disposition", disposition));
    }
    for (String disposition : List.of("dropped", "unsupported")) {
      refused(
          "with what only a case that ran can have",
          d -> record(d).put("disposition", disposition).put("reason", "no room"));
      Row row =
          read(
              "allreduce",
              d -> {
                record(d).put("disposition", disposition).put("reason", "no room").put("wrong", 2);
                record(d).putArray("components");
              });
      assertThat(row.disposition()).isEqualTo(CaseDisposition.FAILED);
      assertThat(row.hasWrongElements()).isTrue();
    }
    refused("a case that is 'excellent'", d -> record(d).put("disposition", "excellent"));
  }

  /** Whatever a figure is held against cannot be left out. */
  @Test
  void whatFiguresAreHeldAgainstIsThere() throws Exception {
    refused(
        "it tells no limits of its run",
        d -> {
          d.putNull("limits");
          d.get("cases")
              .forEach(
                  r -> r.get("components").forEach(c -> ((ObjectNode) c).putNull("ofCopyLimit")));
        });
    for (String time : List.of("timedSeconds", "elapsedSeconds")) {
      refused("its trials took", d -> object(record(d), "facts").remove(time));
    }
    for (String by : List.of("copiesSentByRank", "copiesReceivedByRank")) {
      refused("normal", 0, by + " is 0.0 where", r -> object(r, "facts").remove(by));
    }
  }

  /** A job of hundreds of cases writes megabytes; each is as much of a row as a few. */
  @Test
  void aDocumentOfHundredsOfCasesIsRead() throws Exception {
    ObjectNode document = document("gemm");
    ArrayNode cases = (ArrayNode) document.get("cases");
    while (BenchJson.MAPPER.writeValueAsString(document).length() < 3 << 20) {
      for (int i = 0; i < 500; i++) {
        cases.add(record(document).deepCopy().put("caseId", "other-" + cases.size()));
      }
    }
    assertThat(read(shard("gemm"), false, document).reason()).isEmpty();
  }

  @Test
  void whatIsWrittenAndComputedFollowsFromTheCase() throws Exception {
    refused("flopsPerSecond is 1.0E12", d -> component(d).put("flopsPerSecond", 1e12));
    refused(
        "tp-layer",
        "split: flopsPerSecond is",
        d -> component(d).put("flopsPerSecond", 2 * component(d).get("flopsPerSecond").asDouble()));
    refused(
        "tp-layer",
        "communication: stateBytes is 1024000.0 where 1024.0",
        d -> {
          ObjectNode moves = (ObjectNode) record(d).get("components").get(3);
          for (String name : List.of("stateBytes", "algbwBytesPerSecond", "busbwBytesPerSecond")) {
            moves.put(name, 1000 * moves.get(name).asDouble());
          }
        });
    refused("message-rate", "ofCopyLimit is 0.5", d -> component(d).put("ofCopyLimit", 0.5));
    refused("gemm", "gemm: ofCopyLimit is 0.5", d -> component(d).put("ofCopyLimit", 0.5));
    refused("nothing tells what was got of 'buffer'", d -> record(d).putObject("realised"));
    refused(
        "nothing tells what was got of 'buffer'",
        d -> {
          record(d).putObject("realised");
          record(d).putObject("requested");
        });
  }

  @Test
  void aLineThroughSizesFollowsFromItsPoints() throws Exception {
    for (String figure : List.of("rSquared", "bandwidthShare")) {
      refused(
          "a line of operation does not follow",
          d -> line(d).put(figure, line(d).get(figure).asDouble() + 0.01));
    }
    refused(
        "a line of operation does not follow",
        d -> line(d).put("published", !line(d).get("published").asBoolean()));
    refused("a line of operation does not follow", d -> line(d).put("points", 4));
    refused("a line is told of cases", d -> line(d).put("component", "another"));
    refused("0 lines are told where 1", d -> d.putArray("fits"));
    for (Boolean published : List.of(true, false)) {
      refused(
          "a line of operation does not follow",
          d ->
              line(d)
                  .put("published", published)
                  .put("alphaSeconds", 1e-9)
                  .put("betaSecondsPerByte", 1e-12));
    }
  }

  /** A later right result does not make a case right whose document was cut as well. */
  @Test
  void wrongElementsThatACutDocumentHidesAreRemembered() throws Exception {
    RunFiles files =
        new RunFiles(Files.createTempDirectory(folder, "cut"), new RunKey(Row.ONE_SIDE, 1, 1));
    ObjectNode wrong = record(document("allreduce"));
    wrong.put("disposition", "failed").put("reason", "2 elements are wrong").put("wrong", 2);
    Files.writeString(files.rows(), BenchJson.MAPPER.writeValueAsString(wrong) + "\n");
    Files.writeString(files.result(), "{\"schema\": 2, \"metr");
    Files.writeString(files.exit(), "3");
    Row row = rows(shard("allreduce"), false, files).getFirst();
    assertThat(row.disposition()).isEqualTo(CaseDisposition.FAILED);
    assertThat(row.reason().orElseThrow()).startsWith("its result cannot be read");
    assertThat(row.hasWrongElements()).isTrue();
  }

  /**
   * What a GPU's record tells beside: whose clocks timed it, and what the host's said meanwhile.
   */
  @Test
  void gpusAndTheirHostsClocksAreHeldAgainstRanksHostsAndSamples() throws Exception {
    Shard shard = gpus();
    assertThat(read(shard, false, onGpus(shard, d -> {})).reason()).isEmpty();

    onGpus("0 GPUs are told for 2 ranks", d -> facts(d).remove("devices"));
    onGpus("1 GPUs are told for 2 ranks", d -> facts(d).putArray("devices").add(device(0)));
    onGpus(
        "1 GPUs are told for 2 ranks: ",
        d -> facts(d).putArray("devices").add(device(0)).add(device(0)));
    onGpus(
        "'cpu' is no GPU's name and bus address",
        d -> facts(d).putArray("devices").add(device(0)).add("cpu"));
    onGpus(
        "and another case of its job on ",
        d -> {
          ObjectNode other = record(d).deepCopy().put("caseId", "other");
          object(other, "facts").putArray("devices").add(device(0)).add(device(2));
          ((ArrayNode) d.get("cases")).add(other);
        });
    onGpus("0 parts have a wall clock where 1 are timed", d -> facts(d).remove("wallClock"));
    onGpus(
        "wallClock of operation has 0 samples",
        d -> facts(d).putObject("wallClock").putObject("a"));
    onGpus("wallClock of operation has 5 samples", d -> wall(d).remove(0));
    onGpus("wallClock of operation: sample 2 is 1.0E-12", d -> wall(d).set(2, 1e-12));
    onGpus("its wall clocks tell", d -> wall(d).set(0, 1e9));
    onGpus(
        "wallClock of operation is 1.0E-6",
        d -> object(object(facts(d), "wallClock"), "operation").put("p50Seconds", 1e-6));

    refused(
        "which its backend does not use",
        d -> facts(d).putArray("devices").add(device(0)).add(device(1)));
    refused(
        "1 parts have a wall clock where 0", d -> facts(d).putObject("wallClock").putObject("a"));
  }

  private Shard gpus() throws Exception {
    return Matrix.of(
            new LocalStudies(folder).study(GPUS),
            new Capabilities(LocalStudies.PROGRAM, 1),
            EarlierTimes.of(folder.resolve("none")))
        .shards()
        .getFirst();
  }

  private void onGpus(String reason, Consumer<ObjectNode> change) throws Exception {
    Shard shard = gpus();
    Row row = read(shard, false, onGpus(shard, change));
    assertThat(row.disposition()).as(reason).isEqualTo(CaseDisposition.FAILED);
    assertThat(row.reason().orElseThrow()).contains(reason);
  }

  /** What this machine measured, as a run on two GPUs would tell it. */
  private ObjectNode onGpus(Shard shard, Consumer<ObjectNode> change) {
    ObjectNode document = document("allreduce");
    document.putNull("limits").putArray("fits");
    ArrayNode cases = (ArrayNode) document.get("cases");
    while (cases.size() > 1) {
      cases.remove(1);
    }
    PlannedCase planned = shard.cases().getFirst();
    ObjectNode record = record(document);
    record.put("caseId", planned.caseId()).set("identity", planned.identity());
    object(record, "requested").put("buffer", "device");
    object(record, "realised").put("buffer", "device");
    component(document).putNull("ofCopyLimit");
    facts(document).putArray("devices").add(device(0)).add(device(1));
    ObjectNode wall = facts(document).putObject("wallClock").putObject("operation");
    wall.set("p50Seconds", component(document).get("p50Seconds"));
    wall.set("samplesSeconds", component(document).get("samplesSeconds").deepCopy());
    change.accept(document);
    return document;
  }

  private static ArrayNode wall(ObjectNode document) {
    return (ArrayNode) facts(document).path("wallClock").path("operation").path("samplesSeconds");
  }

  private static String device(int bus) {
    return "NVIDIA H100 80GB HBM3 0000:0" + bus + ":00.0";
  }

  /** The next study's projection follows from it. */
  @Test
  void casesTakeNoLongerThanTheirJob() throws Exception {
    refused(
        "seconds where its job took 3600.0",
        d -> facts(d).put("elapsedSeconds", facts(d).get("elapsedSeconds").asDouble() + 7200));
  }

  private static ObjectNode facts(ObjectNode document) {
    return object(record(document), "facts");
  }

  private static ObjectNode pair(ObjectNode document) {
    return (ObjectNode) facts(document).get("pairs").get(0);
  }

  private static ObjectNode line(ObjectNode document) {
    return (ObjectNode) document.get("fits").get(0);
  }

  /** All times and what follows from them, and all bytes. */
  private static void scale(ObjectNode document, double time, double bytes) {
    ObjectNode c = component(document);
    for (String samples : List.of("samplesSeconds", "minOverRanksSeconds")) {
      ArrayNode scaled = BenchJson.MAPPER.createArrayNode();
      c.get(samples).forEach(s -> scaled.add(s.asDouble() * time));
      c.set(samples, scaled);
    }
    List<String> names = new ArrayList<>();
    c.fieldNames().forEachRemaining(names::add);
    for (String name : names) {
      if (name.endsWith("Seconds") && c.get(name).isNumber()) {
        c.put(name, c.get(name).asDouble() * time);
      } else if (name.endsWith("BytesPerSecond") || name.equals("stateBytes")) {
        c.put(name, c.get(name).asDouble() * bytes / (name.equals("stateBytes") ? 1 : time));
      }
    }
  }

  /** A product moves nothing, and copies of tokens cross no link evenly. */
  @Test
  void whatHasNoBandwidthTellsNone() throws Exception {
    Consumer<ObjectNode> bus = c -> c.put("busbwBytesPerSecond", 9e15);
    String refusal = "busbwBytesPerSecond is 9.0E15 where null";
    refused("gemm", 0, "gemm: " + refusal, r -> bus.accept(component(r, 0)));
    for (int part : List.of(0, 1, 2)) {
      refused("tp-layer", 0, refusal, r -> bus.accept(component(r, part)));
    }
    for (int part : List.of(0, 1, 2, 3)) {
      refused("low-latency", 0, refusal, r -> bus.accept(component(r, part)));
      refused("normal", 0, refusal, r -> bus.accept(component(r, part)));
      refused("normal", 1, refusal, r -> bus.accept(component(r, part)));
      refused("normal", 1, "stateBytes is 4096.0 where null", r -> moves(component(r, part)));
    }
    refused("gemm", 0, "gemm: stateBytes is 4096.0 where null", r -> moves(component(r, 0)));
  }

  /** State and bandwidth that agree with each other. */
  private static void moves(ObjectNode component) {
    component.put("stateBytes", 4096.0);
    component.put("algbwBytesPerSecond", 4096.0 / component.get("p50Seconds").asDouble());
  }

  /** Nothing attests the hosts, settings and limits of a job that was killed. */
  @Test
  void whatAJobMeasuredThatLeftNoDocumentIsToldAndNotMeasured() throws Exception {
    RunFiles files =
        new RunFiles(Files.createTempDirectory(folder, "killed"), new RunKey(Row.ONE_SIDE, 1, 1));
    ObjectNode document = document("allreduce");
    for (JsonNode record : document.get("cases")) {
      Files.writeString(
          files.rows(),
          BenchJson.MAPPER.writeValueAsString(record) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
    Files.writeString(files.exit(), "137");
    assertThat(rows(shard("allreduce"), true, files))
        .hasSize(3)
        .allSatisfy(
            row -> {
              assertThat(row.disposition()).isEqualTo(CaseDisposition.FAILED);
              assertThat(row.reason().orElseThrow())
                  .startsWith("it was timed, but its job left no document")
                  .endsWith("(exit 137; job 1 ended)");
              assertThat(row.record().orElseThrow().components()).isNotEmpty();
            });
  }

  @Test
  void twoNodesAndOneHostIsOnlyRightWhereNodesAreNoHosts() throws Exception {
    Shard shard = shard("allreduce");
    ShardKey key = shard.key();
    Shard two =
        new Shard(
            new ShardKey(key.deviceKind(), key.backend(), 2, 2, key.mode()), 0, shard.cases(), 8);
    assertThat(read(two, true, document("allreduce")).reason().orElseThrow())
        .contains("1 hosts ran where 2 were asked");
    assertThat(read(two, false, document("allreduce")).isMeasured()).isTrue();
    ObjectNode uneven = document("allreduce");
    Shard four = new Shard(new ShardKey("cpu", "mpi", 2, 4, key.mode()), 0, shard.cases(), 8);
    uneven.put("ranks", 4).putArray("hosts").add("a").add("a").add("a").add("b");
    assertThat(read(four, true, uneven).reason().orElseThrow())
        .contains("ranks where each was asked for 2");
  }

  @Test
  void aDocumentOfAProgramThatFailedIsNotTaken() throws Exception {
    for (String exit : List.of("1", "137", "", "none")) {
      assertThat(
              read(shard("allreduce"), false, document("allreduce"), exit).reason().orElseThrow())
          .startsWith("a rank ended with exit " + (exit.matches("\\d+") ? exit : "unknown"));
    }
  }

  @Test
  void wrongElementsInAnyAttemptCountForGood() throws Exception {
    Row wrong =
        read(
            "allreduce",
            d ->
                record(d)
                    .put("disposition", "failed")
                    .put("reason", "2 elements are wrong")
                    .put("wrong", 2));
    Row right = read("allreduce", d -> {});
    Attempts attempts = new Attempts(folder.resolve("attempts.ndjson"));
    attempts.append(List.of(wrong, right));
    assertThat(attempts.counting()).containsExactly(wrong);
    assertThat(attempts.all()).hasSize(2);
  }

  private void refused(String reason, Consumer<ObjectNode> change) throws Exception {
    refused("allreduce", reason, change);
  }

  private void refused(String mode, String reason, Consumer<ObjectNode> change) throws Exception {
    Row row = read(mode, change);
    assertThat(row.disposition()).as(reason).isEqualTo(CaseDisposition.FAILED);
    assertThat(row.reason().orElseThrow()).contains(reason);
  }

  /** By a change of one of a document's records. */
  private void refused(String mode, int index, String reason, Consumer<ObjectNode> change)
      throws Exception {
    ObjectNode document = document(mode);
    change.accept((ObjectNode) document.get("cases").get(index));
    Row row = rows(shard(mode), false, document, "0").get(index);
    assertThat(row.disposition()).as(mode + ": " + reason).isEqualTo(CaseDisposition.FAILED);
    assertThat(row.reason().orElseThrow()).contains(reason);
  }

  private Row read(String mode, Consumer<ObjectNode> change) throws Exception {
    ObjectNode document = document(mode);
    change.accept(document);
    return read(shard(mode), false, document);
  }

  private ObjectNode document(String mode) {
    return java.util.Objects.requireNonNull(documents.get(mode)).deepCopy();
  }

  private Row read(Shard shard, boolean nodesAreHosts, ObjectNode document) throws Exception {
    return read(shard, nodesAreHosts, document, "0");
  }

  private Row read(Shard shard, boolean nodesAreHosts, ObjectNode document, String exit)
      throws Exception {
    return rows(shard, nodesAreHosts, document, exit).getFirst();
  }

  private List<Row> rows(Shard shard, boolean nodesAreHosts, ObjectNode document, String exit)
      throws Exception {
    Path place = Files.createTempDirectory(folder, "run");
    RunFiles files = new RunFiles(place, new RunKey(Row.ONE_SIDE, 1, 1));
    BenchJson.MAPPER.writeValue(files.result().toFile(), document);
    Files.writeString(files.exit(), exit);
    return rows(shard, nodesAreHosts, files);
  }

  private static List<Row> rows(Shard shard, boolean nodesAreHosts, RunFiles files)
      throws Exception {
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

  private Shard shard(String mode) {
    return matrix.shards().stream()
        .filter(s -> s.key().mode().equals(mode))
        .findFirst()
        .orElseThrow();
  }

  private static ObjectNode record(ObjectNode document) {
    return (ObjectNode) document.get("cases").get(0);
  }

  private static ObjectNode component(ObjectNode document) {
    return (ObjectNode) record(document).get("components").get(0);
  }

  private static ObjectNode component(ObjectNode record, int index) {
    return (ObjectNode) record.get("components").get(index);
  }

  private static void scaleBytes(ObjectNode component, double factor) {
    for (String name : List.of("stateBytes", "algbwBytesPerSecond")) {
      component.put(name, component.get(name).asDouble() * factor);
    }
  }

  private static ObjectNode object(JsonNode parent, String name) {
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
