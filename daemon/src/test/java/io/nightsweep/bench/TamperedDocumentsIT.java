package io.nightsweep.bench;

import static io.nightsweep.bench.RealDocuments.component;
import static io.nightsweep.bench.RealDocuments.facts;
import static io.nightsweep.bench.RealDocuments.object;
import static io.nightsweep.bench.RealDocuments.record;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real document that was changed in one place is never trusted. */
@Tag("kernels")
class TamperedDocumentsIT {
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

  @TempDir Path folder;

  private RealDocuments real;

  @BeforeEach
  void open() throws Exception {
    real = new RealDocuments(folder);
  }

  @Test
  void asItWasWrittenItIsMeasured() throws Exception {
    for (String mode : real.modes()) {
      CaseRow row = real.read(mode, document -> {});
      assertThat(row.reason()).isEmpty();
      assertThat(row.disposition()).isEqualTo(CaseDisposition.MEASURED);
    }
  }

  @Test
  void aContradictionFailsTheRow() throws Exception {
    real.refused("77 wrong elements", d -> record(d).put("wrong", 77));
    real.refused("elements that nobody checked", d -> record(d).putNull("wrong"));
    real.refused("'buffer' is \"huge\"", d -> object(record(d), "realised").put("buffer", "huge"));
    real.refused(
        "5 samples where 3 x 2", d -> ((ArrayNode) component(d).get("samplesSeconds")).remove(0));
    real.refused(
        "not a time in seconds",
        d -> ((ArrayNode) component(d).get("samplesSeconds")).set(2, -1.0));
    real.refused("without a figure", d -> record(d).putArray("components"));
    real.refused("its anomaly is given as true", d -> record(d).put("anomaly", true));
    real.refused("was ordered", d -> record(d).put("warmup", 0));
    real.refused("metric contract", d -> d.put("metricContract", "another"));
    real.refused("3 ranks ran", d -> d.put("ranks", 3));
    real.refused("hosts are named for 2 ranks", d -> d.putArray("hosts").add("a"));
    real.refused("another identity", d -> object(record(d), "identity").put("dtype", "bf16"));
    real.refused("2 hosts ran where 1 were asked", d -> d.putArray("hosts").add("a").add("b"));
  }

  /**
   * If one fact and everything that follows from it is changed, another fact gives the change away.
   */
  @Test
  void aDocumentThatAgreesWithItselfIsHeldAgainstWhatWasOrdered() throws Exception {
    real.refused("it has the fault 'straggler' injected", d -> d.put("fault", "straggler"));
    real.refused("operation works on 8192.0 bytes where 4096.0", d -> scale(d, 1, 2));
    real.refused("samples are", d -> scale(d, 1e6, 1));
    real.refused("operation: ofCopyLimit is", d -> scale(d, 1e-3, 1));
    real.refused(
        "operation lies above the roofline of its own run",
        d -> {
          scale(d, 1e-6, 1);
          component(d).put("ofCopyLimit", component(d).get("ofCopyLimit").asDouble() * 1e6);
        });
    real.refused("ofCopyLimit is null", d -> component(d).putNull("ofCopyLimit"));
    real.refused("its trials took -1.0 of the", d -> facts(d).put("timedSeconds", -1.0));
    real.refused(
        "its parts are [operation, operation]",
        d -> ((ArrayNode) record(d).get("components")).add(component(d).deepCopy()));
    real.refused("its parts are [combine]", d -> component(d).put("name", "combine"));
    real.refused("gemm", "gemm: ofFlopsLimit is 0.5", d -> component(d).put("ofFlopsLimit", 0.5));
    real.refused(
        "normal",
        "its parts are [dispatch, roundTrip, experts, combine]",
        d -> {
          ArrayNode parts = (ArrayNode) record(d).get("components");
          parts.insert(0, parts.remove(1));
        });
    real.refused(
        "normal",
        "3 wrong elements by their kind",
        d -> object(facts(d), "wrongBy").put("payload", 3));
  }

  /** A case that was left out, or failed, has no measurements, and says why. */
  @Test
  void aCaseThatWasNotMeasuredIsExplained() throws Exception {
    for (String disposition : List.of("failed", "dropped", "unsupported")) {
      real.refused(disposition + " and not why", d -> record(d).put("disposition", disposition));
    }
    for (String disposition : List.of("dropped", "unsupported")) {
      real.refused(
          "with what only a case that ran can have",
          d -> record(d).put("disposition", disposition).put("reason", "no room"));
      CaseRow row =
          real.read(
              "allreduce",
              d -> {
                record(d).put("disposition", disposition).put("reason", "no room").put("wrong", 2);
                record(d).putArray("components");
              });
      assertThat(row.disposition()).isEqualTo(CaseDisposition.FAILED);
      assertThat(row.hasWrongElements()).isTrue();
    }
    real.refused("a case that is 'excellent'", d -> record(d).put("disposition", "excellent"));
  }

  /** The values that figures are checked against cannot be left out. */
  @Test
  void whatFiguresAreHeldAgainstIsThere() throws Exception {
    real.refused(
        "it has no limits of its run",
        d -> {
          d.putNull("limits");
          d.get("cases")
              .forEach(
                  r -> r.get("components").forEach(c -> ((ObjectNode) c).putNull("ofCopyLimit")));
        });
    for (String time : List.of("timedSeconds", "elapsedSeconds")) {
      real.refused("its trials took", d -> facts(d).remove(time));
    }
    for (String by : List.of("copiesSentByRank", "copiesReceivedByRank")) {
      real.refused("normal", 0, by + " is 0.0 where", r -> object(r, "facts").remove(by));
    }
  }

  /** A job of hundreds of cases writes megabytes; each case is still a row. */
  @Test
  void aDocumentOfHundredsOfCasesIsRead() throws Exception {
    ObjectNode document = real.document("gemm");
    ArrayNode cases = (ArrayNode) document.get("cases");
    while (BenchJson.MAPPER.writeValueAsString(document).length() < 3 << 20) {
      for (int i = 0; i < 500; i++) {
        cases.add(record(document).deepCopy().put("caseId", "other-" + cases.size()));
      }
    }
    assertThat(real.read(real.shard("gemm"), false, document).reason()).isEmpty();
  }

  /**
   * If a document that has wrong elements is also cut, a later correct result does not clear its
   * case.
   */
  @Test
  void wrongElementsThatACutDocumentHidesAreRemembered() throws Exception {
    RunFiles files =
        new RunFiles(Files.createTempDirectory(folder, "cut"), new RunKey(CaseRow.ONE_SIDE, 1, 1));
    ObjectNode wrong = record(real.document("allreduce"));
    wrong.put("disposition", "failed").put("reason", "2 elements are wrong").put("wrong", 2);
    Files.writeString(files.rows(), BenchJson.MAPPER.writeValueAsString(wrong) + "\n");
    Files.writeString(files.result(), "{\"schema\": 2, \"metr");
    Files.writeString(files.exit(), "3");
    CaseRow row = real.rows(real.shard("allreduce"), false, files).getFirst();
    assertThat(row.disposition()).isEqualTo(CaseDisposition.FAILED);
    assertThat(row.reason().orElseThrow()).startsWith("its result cannot be read");
    assertThat(row.hasWrongElements()).isTrue();
  }

  /**
   * Checks the other facts of a GPU's record: the clock that timed it, and the host's clock over
   * the same samples.
   */
  @Test
  void gpusAndTheirHostsClocksAreHeldAgainstRanksHostsAndSamples() throws Exception {
    Shard shard = gpus();
    assertThat(real.read(shard, false, onGpus(shard, d -> {})).reason()).isEmpty();

    onGpus("0 GPUs are named for 2 ranks", d -> facts(d).remove("devices"));
    onGpus("1 GPUs are named for 2 ranks", d -> facts(d).putArray("devices").add(device(0)));
    onGpus(
        "1 GPUs are named for 2 ranks: ",
        d -> facts(d).putArray("devices").add(device(0)).add(device(0)));
    for (String again :
        List.of(
            "NVIDIA H100 80GB HBM3 0000:0A:00.0",
            "NVIDIA H100 80GB HBM3 00000000:0a:00.0",
            "NVIDIA H200 0000:0a:00.0")) {
      onGpus(
          "1 GPUs are named for 2 ranks: ",
          d -> facts(d).putArray("devices").add("NVIDIA H100 80GB HBM3 0000:0a:00.0").add(again));
    }
    onGpus(
        "'cpu' is not a GPU's name and bus address",
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
    onGpus("its wall clocks tell", d -> wall(d).set(longest(wall(d)), 1e9));
    onGpus(
        "wallClock of operation is 1.0E-6",
        d -> object(object(facts(d), "wallClock"), "operation").put("p50Seconds", 1e-6));

    real.refused(
        "which its backend does not use",
        d -> facts(d).putArray("devices").add(device(0)).add(device(1)));
    real.refused(
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
    CaseRow row = real.read(shard, false, onGpus(shard, change));
    assertThat(row.disposition()).as(reason).isEqualTo(CaseDisposition.FAILED);
    assertThat(row.reason().orElseThrow()).contains(reason);
  }

  /** This machine's measurements, written as a run on two GPUs would report them. */
  private ObjectNode onGpus(Shard shard, Consumer<ObjectNode> change) {
    ObjectNode document = real.document("allreduce");
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

  /** The longest sample that no median so far depends on. */
  private static int longest(ArrayNode samples) {
    int longest = 0;
    for (int i = 1; i < samples.size(); i++) {
      longest = samples.get(i).asDouble() > samples.get(longest).asDouble() ? i : longest;
    }
    return longest;
  }

  private static String device(int bus) {
    return "NVIDIA H100 80GB HBM3 0000:0" + bus + ":00.0";
  }

  /** The next study's projection is based on it. */
  @Test
  void casesTakeNoLongerThanTheirJob() throws Exception {
    real.refused(
        "seconds where its job took 3600.0",
        d -> facts(d).put("elapsedSeconds", facts(d).get("elapsedSeconds").asDouble() + 7200));
  }

  /** No document attests the hosts, settings and limits of a job that was killed. */
  @Test
  void whatAJobMeasuredThatLeftNoDocumentIsToldAndNotMeasured() throws Exception {
    RunFiles files =
        new RunFiles(
            Files.createTempDirectory(folder, "killed"), new RunKey(CaseRow.ONE_SIDE, 1, 1));
    ObjectNode document = real.document("allreduce");
    for (JsonNode record : document.get("cases")) {
      Files.writeString(
          files.rows(),
          BenchJson.MAPPER.writeValueAsString(record) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
    Files.writeString(files.exit(), "137");
    assertThat(real.rows(real.shard("allreduce"), true, files))
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
    Shard shard = real.shard("allreduce");
    ShardKey key = shard.key();
    Shard two =
        new Shard(
            new ShardKey(key.deviceKind(), key.backend(), 2, 2, key.mode()), 0, shard.cases(), 8);
    assertThat(real.read(two, true, real.document("allreduce")).reason().orElseThrow())
        .contains("1 hosts ran where 2 were asked");
    assertThat(real.read(two, false, real.document("allreduce")).isMeasured()).isTrue();
    ObjectNode uneven = real.document("allreduce");
    Shard four = new Shard(new ShardKey("cpu", "mpi", 2, 4, key.mode()), 0, shard.cases(), 8);
    uneven.put("ranks", 4).putArray("hosts").add("a").add("a").add("a").add("b");
    assertThat(real.read(four, true, uneven).reason().orElseThrow())
        .contains("ranks where each was asked for 2");
  }

  @Test
  void aDocumentOfAProgramThatFailedIsNotTaken() throws Exception {
    for (String exit : List.of("1", "137", "", "none")) {
      assertThat(
              real.read(real.shard("allreduce"), false, real.document("allreduce"), exit)
                  .reason()
                  .orElseThrow())
          .startsWith("a rank ended with exit " + (exit.matches("\\d+") ? exit : "unknown"));
    }
  }

  @Test
  void aSecondRecordThatTellsOfWrongElementsCounts() throws Exception {
    ObjectNode document = real.document("allreduce");
    ArrayNode cases = (ArrayNode) document.get("cases");
    ObjectNode again = cases.get(0).deepCopy();
    again.put("disposition", "failed").put("reason", "2 elements are wrong").put("wrong", 2);
    cases.add(again);
    CaseRow row = real.read(real.shard("allreduce"), false, document, "3");
    assertThat(row.disposition()).isEqualTo(CaseDisposition.FAILED);
    assertThat(row.reason().orElseThrow()).isEqualTo("2 elements are wrong");
  }

  @Test
  void oneHostInTwoSpellingsIsOneHost() throws Exception {
    Shard shard = real.shard("allreduce");
    ShardKey key = shard.key();
    Shard two =
        new Shard(
            new ShardKey(key.deviceKind(), key.backend(), 2, 2, key.mode()), 0, shard.cases(), 8);
    ObjectNode document = real.document("allreduce");
    document.putArray("hosts").add("n1").add("N1");
    assertThat(real.read(two, true, document).reason().orElseThrow())
        .contains("1 hosts ran where 2 were asked");
    for (String none : List.of("", "n1 ")) {
      document.putArray("hosts").add("n1").add(none);
      assertThat(real.read(two, true, document).reason().orElseThrow())
          .startsWith("a rank's host is given as one of [");
    }
  }

  /** A program that reports wrong elements left a document without any. */
  @Test
  void aDocumentThatIsBetterThanItsProgramsEndIsNotTaken() throws Exception {
    for (String exit : List.of("3", "4", "5")) {
      assertThat(
              real.read(real.shard("allreduce"), false, real.document("allreduce"), exit)
                  .reason()
                  .orElseThrow())
          .isEqualTo("it ended with exit " + exit + " where 0 follows from its cases");
    }
  }

  @Test
  void wrongElementsInAnyAttemptCountForGood() throws Exception {
    CaseRow wrong =
        real.read(
            "allreduce",
            d ->
                record(d)
                    .put("disposition", "failed")
                    .put("reason", "2 elements are wrong")
                    .put("wrong", 2));
    CaseRow right = real.read("allreduce", d -> {});
    Attempts attempts = new Attempts(folder.resolve("attempts.ndjson"));
    attempts.append(List.of(wrong, right));
    assertThat(attempts.counting()).containsExactly(wrong);
    assertThat(attempts.all()).hasSize(2);
  }

  /** Scales all times and everything derived from them, and all bytes. */
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
}
