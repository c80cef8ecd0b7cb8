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
 * What {@code nightsweep bench} measures: cases by their axes, and where.
 *
 * @param backends mpi, nccl, rccl, or adapters by their names; each multiplies the cases
 * @param cpusPerTask of each rank; 0 where the cluster decides
 * @param timeLimit of one job
 * @param caseLimit what the trials of one case may take; one that takes longer fails by itself
 * @param attempts how often at most a case is tried that was not measured
 * @param sides none, or two that are measured in turns
 * @param rounds how often each side
 * @param figures by the names that the study's schema knows
 * @param reference the file that measured figures are held against
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

  /** Samples a point: {@code iterations} in each of {@code trials}; warm-up is not timed. */
  public record Sampling(int iterations, int trials, int warmup) {
    /** The sampling as identities name it, in the program's own words. */
    public String words() {
      return iterations + "x" + trials + " after " + warmup;
    }
  }

  /** The same study, sampled otherwise. */
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
   * @param program a path from the installation's folder; the usual one where absent
   */
  public record Side(Optional<String> program, SortedMap<String, String> env) {}

  /**
   * Cases of one kernel: every combination of the axes, for each variant.
   *
   * @param required whether nothing is published before these are measured
   */
  public record Group(
      String name,
      String kernel,
      boolean required,
      List<Layout> layouts,
      SequencedMap<String, List<ValueNode>> axes,
      List<SequencedMap<String, ValueNode>> variants) {}

  /**
   * What others published: costs of allreduces, which a model takes, and times, which stand beside
   * measured ones. The version counts up with each change.
   */
  public record Reference(
      String name, int version, String source, List<Cost> costs, List<PublishedTime> times) {}

  /**
   * A time that somebody else measured, on another machine.
   *
   * @param machine and what else must be known of the measurement
   * @param component of the kernel
   * @param parameters that a case must have to stand beside it
   */
  public record PublishedTime(
      String machine,
      String kernel,
      String component,
      SortedMap<String, JsonNode> parameters,
      double seconds) {
    /** Whether the case, by its whole identity, is the one that was published. */
    public boolean isOf(JsonNode identity) {
      return identity.path("kernel").asText().equals(kernel)
          && parameters.entrySet().stream()
              .allMatch(p -> identity.path(p.getKey()).asText().equals(p.getValue().asText()));
    }
  }

  /**
   * What an allreduce on a topology costs.
   *
   * @param messages one after another
   * @param share bytes one after another, as a multiple of the state
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
