package io.nightsweep.workload.kernels;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.workload.kernels.KernelResult.Case;
import io.nightsweep.workload.kernels.KernelResult.Component;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Checks the links in an allreduce's record against the requested topology: which ranks are
 * neighbours, how much all links carry, and where a tree has its root.
 */
final class TopologyAudit {
  private TopologyAudit() {}

  static Optional<String> contradiction(Case one) {
    return bytes(one).or(() -> links(one)).or(() -> tree(one));
  }

  /** Ranks in a grid, numbered row by row. */
  private record RankGrid(String topology, int width, int height) {
    static RankGrid of(JsonNode identity) {
      String topology = identity.path("topology").asText();
      int width = identity.path("width").asInt();
      return topology.equals("ring_1d")
          ? new RankGrid(topology, identity.path("ranks").asInt(), 1)
          : new RankGrid(topology, width, identity.path("height").asInt());
    }

    /**
     * Whether a rank sends to another: in one direction in rings, in both directions in a mesh's
     * tree.
     */
    boolean isLinked(int from, int to) {
      int column = from % width;
      int row = from / width;
      if (topology.equals("mesh_2d_no_wrap")) {
        return distance(from, to) == 1;
      }
      boolean isNextInRow = to == row * width + (column + 1) % width;
      boolean isNextInColumn = to == (row + 1) % height * width + column;
      return to != from && (isNextInRow || isNextInColumn);
    }

    int distance(int from, int to) {
      return Math.abs(from % width - to % width) + Math.abs(from / width - to / width);
    }
  }

  /** Every algorithm sends each rank's share once in the reduction and once in the distribution. */
  private static Optional<String> bytes(Case one) {
    OptionalDouble state =
        one.components().stream()
            .map(Component::stateBytes)
            .filter(Objects::nonNull)
            .mapToDouble(bytes -> bytes)
            .findFirst();
    double sent = 0;
    for (JsonNode link : one.facts().path("links")) {
      sent += link.path("bytes").asDouble();
    }
    return RecordAudit.differs(
        "the links' bytes",
        Double.valueOf(sent),
        Double.valueOf(2 * (one.identity().path("ranks").asDouble() - 1) * state.orElse(0)));
  }

  private static Optional<String> links(Case one) {
    RankGrid grid = RankGrid.of(one.identity());
    for (JsonNode link : one.facts().path("links")) {
      if (!grid.isLinked(link.path("from").asInt(-1), link.path("to").asInt(-1))) {
        return Optional.of("it sent along " + link + ", which is not a link of its topology");
      }
    }
    return Optional.empty();
  }

  private static Optional<String> tree(Case one) {
    JsonNode identity = one.identity();
    RankGrid grid = RankGrid.of(identity);
    if (!grid.topology().equals("mesh_2d_no_wrap")) {
      return Optional.empty();
    }
    int root =
        identity.path("rootCentre").asBoolean()
            ? grid.height() / 2 * grid.width() + grid.width() / 2
            : 0;
    int depth =
        IntStream.range(0, identity.path("ranks").asInt())
            .map(rank -> grid.distance(rank, root))
            .max()
            .orElse(0);
    JsonNode facts = one.facts();
    return facts.path("root").asInt(-1) == root && facts.path("depth").asInt(-1) == depth
        ? Optional.empty()
        : Optional.of(
            "its tree has the root "
                + facts.path("root")
                + " and the depth "
                + facts.path("depth")
                + " where "
                + root
                + " and "
                + depth
                + " were asked for");
  }
}
