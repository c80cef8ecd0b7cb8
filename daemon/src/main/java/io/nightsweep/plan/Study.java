package io.nightsweep.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;

/**
 * What {@code nightsweep bench} measures: cases from parameter axes, and where.
 *
 * @param backends mpi, nccl, rccl, or adapters by name; each case runs on every one
 * @param cpusPerTask of each rank; 0 where the cluster decides
 * @param timeLimit of one job
 * @param caseLimit for the trials of one case; a longer case fails without affecting others
 * @param attempts the most attempts for a case that was not measured
 * @param sides none, or two that are measured in turns
 * @param rounds how often each side is measured
 * @param figures by their names in the study's schema
 * @param reference the file with published figures for comparison
 */
public record Study(
    String name,
    String about,
    Sampling sampling,
    List<String> backends,
    int cpusPerTask,
    Duration timeLimit,
    Duration caseLimit,
    int attempts,
    SortedMap<String, Side> sides,
    int rounds,
    List<Group> groups,
    Set<String> figures,
    Optional<Reference> reference) {

  /**
   * The samples of each point: {@code iterations} in each of {@code trials}; warm-up is not timed.
   */
  public record Sampling(int iterations, int trials, int warmup) {
    /** The sampling in the notation of identities, which is the program's. */
    public String words() {
      return iterations + "x" + trials + " after " + warmup;
    }
  }

  /** The same study with another sampling. */
  public Study sampledAs(Sampling other) {
    return new Study(
        name,
        about,
        other,
        backends,
        cpusPerTask,
        timeLimit,
        caseLimit,
        attempts,
        sides,
        rounds,
        groups,
        figures,
        reference);
  }

  /** Ranks spread evenly over nodes. */
  public record Layout(int nodes, int perNode) {
    public int ranks() {
      return nodes * perNode;
    }
  }

  /**
   * One of two builds or libraries.
   *
   * @param program a path from the installation's folder; absent for the default one
   */
  public record Side(Optional<String> program, SortedMap<String, String> env) {}

  /**
   * Cases of one kernel: every combination of the axes, for each variant.
   *
   * @param required whether publication waits until these are measured
   */
  public record Group(
      String name,
      String kernel,
      boolean required,
      List<Layout> layouts,
      SequencedMap<String, List<ValueNode>> axes,
      List<SequencedMap<String, ValueNode>> variants) {}

  /**
   * Published figures of others: costs of allreduces, used by a model, and times, shown beside
   * measured ones. The version increases with each change.
   */
  public record Reference(
      String name, int version, String source, List<Cost> costs, List<PublishedTime> times) {}

  /**
   * A time that somebody else measured on another machine.
   *
   * @param machine with everything else that must be known about the measurement
   * @param component of the kernel
   * @param parameters that a case must have to be compared with it
   */
  public record PublishedTime(
      String machine,
      String kernel,
      String component,
      SortedMap<String, JsonNode> parameters,
      double seconds) {
    /** Whether the case, by its whole identity, is the published one. */
    public boolean isOf(JsonNode identity) {
      return identity.path("kernel").asText().equals(kernel)
          && parameters.entrySet().stream()
              .allMatch(p -> identity.path(p.getKey()).asText().equals(p.getValue().asText()));
    }
  }

  /**
   * The cost of an allreduce on a topology.
   *
   * @param messages sent one after another
   * @param share bytes sent one after another, as a multiple of the state
   */
  public record Cost(
      String topology,
      int ranks,
      int width,
      int height,
      boolean rootCentre,
      double messages,
      double share) {}
}
