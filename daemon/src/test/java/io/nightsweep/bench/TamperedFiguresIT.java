package io.nightsweep.bench;

import static io.nightsweep.bench.RealDocuments.component;
import static io.nightsweep.bench.RealDocuments.facts;
import static io.nightsweep.bench.RealDocuments.object;
import static io.nightsweep.bench.RealDocuments.record;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every figure of a real document is checked against the others. */
@Tag("kernels")
class TamperedFiguresIT {
  @TempDir Path folder;

  private RealDocuments real;

  @BeforeEach
  void open() throws Exception {
    real = new RealDocuments(folder);
  }

  @Test
  void everyFigureFollowsFromTheSamples() throws Exception {
    for (String mode : real.modes()) {
      ObjectNode headline = component(real.document(mode));
      List<String> figures = new ArrayList<>();
      headline
          .properties()
          .forEach(
              p -> {
                // Shares are relative to limits that the document states too.
                if (p.getValue().isNumber()
                    && !p.getKey().startsWith("of")
                    && !p.getKey().equals("stateBytes")) {
                  figures.add(p.getKey());
                }
              });
      assertThat(figures).contains("p50Seconds", "p99Seconds", "cv", "spreadP50Seconds");
      for (String figure : figures) {
        CaseRow row =
            real.read(
                mode,
                d ->
                    component(d).put(figure, component(d).path(figure).asDouble() * 1.001 + 1e-12));
        assertThat(row.disposition()).as(mode + " " + figure).isEqualTo(CaseDisposition.FAILED);
        assertThat(row.reason().orElseThrow()).contains(figure);
      }
    }
  }

  /** A product without compared elements would pass whatever it computes. */
  @Test
  void whatWasComparedAndMovedFollowsFromTheCase() throws Exception {
    real.refused("gemm", "elementsCompared is 0.0", d -> facts(d).put("elementsCompared", 0.0));
    real.refused(
        "gemm", "elementsHeldForRounding is null", d -> facts(d).remove("elementsHeldForRounding"));
    real.refused("message-rate", "pairs is 99.0", d -> facts(d).put("pairs", 99.0));
    real.refused("all-to-allv", "imbalance is 9.0", d -> facts(d).put("imbalance", 9.0));
    real.refused(
        "all-to-allv", "its ranks receive [] bytes", d -> facts(d).putArray("receivedBytes"));
  }

  /** These facts are drawn and published like other figures. */
  @Test
  void factsThatAreFiguresFollowFromTheSamplesToo() throws Exception {
    real.refused(
        "pair-matrix", "0-1: bytesPerSecond is 9.0E15", d -> pair(d).put("bytesPerSecond", 9e15));
    real.refused("pair-matrix", "a pair is given as", d -> pair(d).put("to", 7));
    real.refused("pair-matrix", "0 pairs are given where 1", d -> facts(d).putArray("pairs"));
    real.refused(
        "pair-matrix",
        "slowestPair: bytesPerSecond is 1.0",
        d -> object(facts(d), "slowestPair").put("bytesPerSecond", 1.0));
    real.refused(
        "message-rate", "messagesPerSecond is 1.0E9", d -> facts(d).put("messagesPerSecond", 1e9));
    real.refused(
        "message-rate", "messagesPerSecond is null", d -> facts(d).remove("messagesPerSecond"));
    real.refused("topology-allreduce", "the links' bytes is 0.0", d -> facts(d).putArray("links"));
    real.refused(
        "tp-layer", "communicationShare is 0.0", d -> facts(d).put("communicationShare", 0.0));
    real.refused("tp-layer", "perOpOverSplit is 9.0", d -> facts(d).put("perOpOverSplit", 9.0));
    real.refused(
        "normal",
        1,
        "overlapFraction is 0.97",
        r -> object(r, "facts").put("overlapFraction", 0.97));
  }

  /** The routing's own facts reveal if more was moved than a case asks for, or to other places. */
  @Test
  void whatExpertsMovedAndComputedFollowsFromTheirRouting() throws Exception {
    for (String mode : List.of("normal", "low-latency")) {
      for (int part : List.of(0, 1, 3)) {
        real.refused(mode, 0, ": stateBytes is", r -> scaleBytes(component(r, part), 2));
      }
      real.refused(mode, 0, "ofCopyLimit is", r -> component(r, 1).put("ofCopyLimit", 0.5));
      for (String fact :
          List.of(
              "copies",
              "copiesPerToken",
              "copiesToSelf",
              "bytesPerCopy",
              "recordBytesPerCopy",
              "returnBytesPerCopy")) {
        real.refused(
            mode,
            0,
            "",
            r -> object(r, "facts").put(fact, 2 * object(r, "facts").get(fact).asDouble() + 1));
      }
      real.refused(
          mode,
          0,
          "its ranks' tokens are",
          r -> object(r, "facts").putArray("tokensByRank").add(8));
      real.refused(
          mode,
          0,
          "tokens by their copies is 0.0",
          r -> object(r, "facts").putArray("tokensByCopies"));
      real.refused(mode, 0, "its imbalance is 2.5", r -> object(r, "facts").put("imbalance", 2.5));
      real.refused(
          mode,
          0,
          "rank 0 sends",
          r -> {
            double all = object(r, "facts").get("copies").asDouble();
            object(r, "facts").putArray("copiesSentByRank").add(all).add(0.0);
          });
    }
    real.refused(
        "normal",
        1,
        "expertRowsByRank is 3.0 where 16.0",
        r -> object(r, "facts").putArray("expertRowsByRank").add(1).add(2));
    real.refused(
        "normal",
        1,
        "compute: flopsPerSecond is",
        r ->
            component(r, 2)
                .put("flopsPerSecond", component(r, 2).get("flopsPerSecond").asDouble() / 2));
  }

  @Test
  void theWayOfASumIsThatOfItsTopology() throws Exception {
    real.refused(
        "topology-allreduce",
        0,
        "which is not a link of its topology",
        r -> ((ObjectNode) object(r, "facts").get("links").get(0)).put("to", 0));
    real.refused(
        "topology-allreduce", 1, "its tree has the root 0", r -> object(r, "facts").put("root", 0));
    real.refused(
        "topology-allreduce", 1, "the depth 2 where", r -> object(r, "facts").put("depth", 2));
  }

  @Test
  void whatIsWrittenAndComputedFollowsFromTheCase() throws Exception {
    real.refused("flopsPerSecond is 1.0E12", d -> component(d).put("flopsPerSecond", 1e12));
    real.refused(
        "tp-layer",
        "split: flopsPerSecond is",
        d -> component(d).put("flopsPerSecond", 2 * component(d).get("flopsPerSecond").asDouble()));
    real.refused(
        "tp-layer",
        "communication: stateBytes is 1024000.0 where 1024.0",
        d -> {
          ObjectNode moves = (ObjectNode) record(d).get("components").get(3);
          for (String name : List.of("stateBytes", "algbwBytesPerSecond", "busbwBytesPerSecond")) {
            moves.put(name, 1000 * moves.get(name).asDouble());
          }
        });
    real.refused("message-rate", "ofCopyLimit is 0.5", d -> component(d).put("ofCopyLimit", 0.5));
    real.refused("gemm", "gemm: ofCopyLimit is 0.5", d -> component(d).put("ofCopyLimit", 0.5));
    real.refused(
        "nothing says what was received of 'buffer'", d -> record(d).putObject("realised"));
    real.refused(
        "nothing says what was received of 'buffer'",
        d -> {
          record(d).putObject("realised");
          record(d).putObject("requested");
        });
  }

  @Test
  void aLineThroughSizesFollowsFromItsPoints() throws Exception {
    for (String figure : List.of("rSquared", "bandwidthShare")) {
      real.refused(
          "a line of operation does not follow",
          d -> line(d).put(figure, line(d).get(figure).asDouble() + 0.01));
    }
    real.refused(
        "a line of operation does not follow",
        d -> line(d).put("published", !line(d).get("published").asBoolean()));
    real.refused("a line of operation does not follow", d -> line(d).put("points", 4));
    real.refused("a line is given for cases", d -> line(d).put("component", "another"));
    real.refused("0 lines are given where 1", d -> d.putArray("fits"));
    for (Boolean published : List.of(true, false)) {
      real.refused(
          "a line of operation does not follow",
          d ->
              line(d)
                  .put("published", published)
                  .put("alphaSeconds", 1e-9)
                  .put("betaSecondsPerByte", 1e-12));
    }
  }

  /** A product moves nothing, and copies of tokens use the links unevenly. */
  @Test
  void whatHasNoBandwidthTellsNone() throws Exception {
    Consumer<ObjectNode> bus = c -> c.put("busbwBytesPerSecond", 9e15);
    String refusal = "busbwBytesPerSecond is 9.0E15 where null";
    real.refused("gemm", 0, "gemm: " + refusal, r -> bus.accept(component(r, 0)));
    for (int part : List.of(0, 1, 2)) {
      real.refused("tp-layer", 0, refusal, r -> bus.accept(component(r, part)));
    }
    for (int part : List.of(0, 1, 2, 3)) {
      real.refused("low-latency", 0, refusal, r -> bus.accept(component(r, part)));
      real.refused("normal", 0, refusal, r -> bus.accept(component(r, part)));
      real.refused("normal", 1, refusal, r -> bus.accept(component(r, part)));
      real.refused("normal", 1, "stateBytes is 4096.0 where null", r -> moves(component(r, part)));
    }
    real.refused("gemm", 0, "gemm: stateBytes is 4096.0 where null", r -> moves(component(r, 0)));
  }

  /** Sets a state and a bandwidth that agree with each other. */
  private static void moves(ObjectNode component) {
    component.put("stateBytes", 4096.0);
    component.put("algbwBytesPerSecond", 4096.0 / component.get("p50Seconds").asDouble());
  }

  private static ObjectNode pair(ObjectNode document) {
    return (ObjectNode) facts(document).get("pairs").get(0);
  }

  private static ObjectNode line(ObjectNode document) {
    return (ObjectNode) document.get("fits").get(0);
  }

  private static void scaleBytes(ObjectNode component, double factor) {
    for (String name : List.of("stateBytes", "algbwBytesPerSecond")) {
      component.put(name, component.get(name).asDouble() * factor);
    }
  }
}
