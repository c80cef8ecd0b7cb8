package io.nightsweep.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.plan.Study;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The content of a bundle and how it was made.
 *
 * @param attemptRule which attempt of a case counts
 * @param planned cases, times sides, times rounds
 * @param refusedByRule cases that never became a job, by disposition
 * @param sources what each start of the program reported about itself
 * @param fault injected by a test
 * @param reusedFrom the bundle from which the rows were copied
 */
record Manifest(
    int schema,
    String study,
    String about,
    String run,
    String startedAt,
    String cluster,
    Study.Sampling sampling,
    Map<String, Study.Side> sides,
    int rounds,
    Optional<Study.Reference> reference,
    String attemptRule,
    int planned,
    Map<CaseDisposition, Long> refusedByRule,
    Map<CaseDisposition, Long> dispositions,
    boolean complete,
    List<String> problems,
    List<String> unmeasuredRequired,
    List<JobSource> sources,
    Optional<String> fault,
    Optional<String> reusedFrom) {
  static final int SCHEMA = 2;

  /**
   * One start of the program. Host names are hashed if the request says so.
   *
   * @param sharesCpus whether its ranks asked for more CPUs than there were
   */
  record JobSource(
      String shard,
      String side,
      int round,
      int attempt,
      String job,
      String controlSha256,
      JsonNode probes,
      int ranks,
      List<String> hosts,
      boolean hostsHashed,
      boolean sharesCpus,
      Map<String, String> environment,
      JsonNode limits,
      List<JsonNode> fits) {
    /**
     * The processor type for which the BLAS chose its kernels; absent where the run reported no
     * limits.
     */
    Optional<String> blasCore() {
      return told("blasCore");
    }

    /** Why the BLAS kernels do not fit the processor; absent where they do. */
    Optional<String> blasWarning() {
      return told("blasWarning");
    }

    private Optional<String> told(String limit) {
      return Optional.of(limits.path(limit)).filter(JsonNode::isTextual).map(JsonNode::asText);
    }

    private boolean isOf(CaseRow row) {
      return row.job().filter(job::equals).isPresent()
          && side.equals(row.side())
          && round == row.round()
          && attempt == row.attempt();
    }
  }

  /** The program start that produced the row; absent where its job left no complete document. */
  Optional<JobSource> source(CaseRow row) {
    return sources.stream().filter(s -> s.isOf(row)).findFirst();
  }

  /** A published time of another machine for the same component of the same case. */
  Optional<Study.PublishedTime> published(CaseRow row, String component) {
    return reference.stream()
        .flatMap(r -> r.times().stream())
        .filter(time -> time.component().equals(component) && time.isOf(row.identity()))
        .findFirst();
  }

  /** Whether the bundle may become the latest. */
  boolean isPublishable() {
    return complete && problems.isEmpty() && unmeasuredRequired.isEmpty() && fault.isEmpty();
  }

  /** What keeps the bundle from being published; empty where nothing does. */
  List<String> obstacles() {
    return Stream.of(
            problems.stream(),
            unmeasuredRequired.stream().map(c -> "required: " + c),
            fault.stream().map(f -> "a test injected the fault '" + f + "'"))
        .flatMap(s -> s)
        .toList();
  }

  Manifest reused(String from, String by) {
    return new Manifest(
        schema,
        study,
        about,
        by,
        startedAt,
        cluster,
        sampling,
        sides,
        rounds,
        reference,
        attemptRule,
        planned,
        refusedByRule,
        dispositions,
        complete,
        problems,
        unmeasuredRequired,
        sources,
        fault,
        Optional.of(from));
  }
}
