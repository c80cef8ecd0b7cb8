package io.nightsweep.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.workload.kernels.KernelResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Times of cases in earlier bundles of a study; they turn the program's model into projections. */
final class EarlierTimes {
  /** Older bundles may not reflect the machine's present state. */
  private static final int MOST_BUNDLES = 8;

  /**
   * A case on this many nodes. The sampling is left out: it changes the number of rounds and not
   * their time.
   */
  private record CaseOnNodes(int nodes, ObjectNode identity) {
    static CaseOnNodes of(int nodes, ObjectNode identity) {
      return new CaseOnNodes(nodes, identity.deepCopy().without("sampling"));
    }
  }

  /**
   * Start time assumed on an unknown machine: starting the processes and measuring the machine's
   * limits.
   */
  private static final double USUAL_START_SECONDS = 3;

  private final Map<CaseOnNodes, CaseProjection> measured = new HashMap<>();

  /** Seconds from a job's start to its first case, by the shard's key. */
  private final Map<String, Double> starts = new LinkedHashMap<>();

  /**
   * Reads the newest time of each case and of each shard's start.
   *
   * @param studyFolder with bundles; it may not exist yet. Unreadable files are skipped, since
   *     projections are only estimates
   */
  static EarlierTimes of(Path studyFolder) throws IOException {
    EarlierTimes times = new EarlierTimes();
    for (Path bundle : bundles(studyFolder)) {
      try {
        times.add(Attempts.read(bundle.resolve(Bundle.CASES)));
        times.starts.putAll(JobTime.starts(bundle.resolve(Bundle.PROJECTION)));
      } catch (IOException e) {
        // Bundles of another version cannot be read and are skipped.
      }
    }
    return times;
  }

  /** Projections in the order of the answers; a refused case needs no time. */
  List<CaseProjection> of(List<Integer> nodes, List<Capabilities.CaseCapability> answers) {
    Map<String, List<Double>> factors = new LinkedHashMap<>();
    List<Optional<CaseProjection>> known = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      Capabilities.CaseCapability answer = answers.get(i);
      Optional<CaseProjection> earlier =
          Optional.ofNullable(measured.get(CaseOnNodes.of(nodes.get(i), answer.identity())));
      known.add(earlier);
      double modelled = answer.modelled().roundSeconds();
      earlier
          .filter(p -> modelled > 0)
          .ifPresent(
              p ->
                  factors
                      .computeIfAbsent(kernel(answer), k -> new ArrayList<>())
                      .add(p.roundSeconds() / modelled));
    }
    List<CaseProjection> projections = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      Capabilities.CaseCapability answer = answers.get(i);
      projections.add(
          known
              .get(i)
              .orElseGet(
                  () ->
                      Optional.ofNullable(factors.get(kernel(answer)))
                          .map(f -> answer.modelled().times(median(f)))
                          .orElse(answer.modelled())));
    }
    return projections;
  }

  /** Time of a program start for this shard; that of another shard where it never ran. */
  double startSeconds(ShardKey shard) {
    return Optional.ofNullable(starts.get(shard.id()))
        .orElseGet(
            () -> starts.isEmpty() ? USUAL_START_SECONDS : median(List.copyOf(starts.values())));
  }

  /** Uses the mean where a case ran on several sides or in several rounds. */
  private void add(List<CaseRow> rows) {
    Map<CaseOnNodes, List<CaseProjection>> taken = new HashMap<>();
    for (CaseRow row : rows) {
      taken(row)
          .ifPresent(
              t ->
                  taken
                      .computeIfAbsent(
                          CaseOnNodes.of(row.shard().nodes(), row.identity()),
                          k -> new ArrayList<>())
                      .add(t));
    }
    taken.forEach((key, all) -> measured.put(key, CaseProjection.mean(all)));
  }

  private static Optional<CaseProjection> taken(CaseRow row) {
    KernelResult.Case record = row.record().filter(r -> row.isMeasured()).orElse(null);
    if (record == null || !record.facts().has("timedSeconds")) {
      return Optional.empty();
    }
    JsonNode facts = record.facts();
    double timed = facts.path("timedSeconds").asDouble();
    double rounds =
        (double) record.trials()
            * (record.warmup()
                + (double) record.iterations() * Matrix.opsPerSample(row.identity()));
    return Optional.of(
        new CaseProjection(
            Math.max(0, facts.path("elapsedSeconds").asDouble() - timed),
            timed / rounds,
            CaseProjection.Basis.MEASURED));
  }

  /** Oldest first; names start with the time. */
  private static List<Path> bundles(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      List<Path> found =
          all.filter(p -> !Files.isSymbolicLink(p))
              .filter(p -> Files.exists(p.resolve(Bundle.CASES)))
              .sorted(Comparator.comparing(Path::toString))
              .toList();
      return found.subList(Math.max(0, found.size() - MOST_BUNDLES), found.size());
    }
  }

  private static String kernel(Capabilities.CaseCapability answer) {
    return answer.identity().path("kernel").asText();
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
