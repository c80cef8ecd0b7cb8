package io.nightsweep.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Projected and actual time of a job in seconds, without waiting in the queue.
 *
 * @param shard its name, with its part
 * @param startSeconds time of each program start outside of cases; absent unless every case reports
 *     its own time
 */
record JobTime(
    String shard,
    int attempt,
    int cases,
    double projected,
    double took,
    OptionalDouble startSeconds) {
  private static final String HEADER =
      "shard,attempt,cases,projectedSeconds,tookSeconds,startSeconds";

  /**
   * @param starts how often the program started; each start ran every case
   * @param rows of all starts
   */
  static JobTime of(
      Shard shard, int attempt, double projected, double took, int starts, List<CaseRow> rows) {
    List<Double> elapsed =
        rows.stream()
            .filter(CaseRow::isMeasured)
            .flatMap(r -> r.record().stream())
            .map(r -> r.facts().path("elapsedSeconds").asDouble())
            .toList();
    double rest = took - elapsed.stream().mapToDouble(s -> s).sum();
    return new JobTime(
        shard.id(),
        attempt,
        rows.size() / starts,
        projected,
        took,
        elapsed.size() < rows.size()
            ? OptionalDouble.empty()
            : OptionalDouble.of(Math.max(0, rest / starts)));
  }

  /**
   * The projected time of all jobs; a job that was repeated counts once, as it was first projected.
   */
  static double projected(List<JobTime> jobs) {
    Map<String, Double> first = new LinkedHashMap<>();
    jobs.forEach(j -> first.putIfAbsent(j.shard(), j.projected()));
    return first.values().stream().mapToDouble(s -> s).sum();
  }

  static double took(List<JobTime> jobs) {
    return jobs.stream().mapToDouble(JobTime::took).sum();
  }

  static String csv(List<JobTime> jobs) {
    StringBuilder csv = new StringBuilder(HEADER).append('\n');
    jobs.forEach(
        j ->
            csv.append(
                String.format(
                    Locale.ROOT,
                    "%s,%d,%d,%.1f,%.1f,%s%n",
                    j.shard,
                    j.attempt,
                    j.cases,
                    j.projected,
                    j.took,
                    j.startSeconds.isPresent()
                        ? String.format(Locale.ROOT, "%.2f", j.startSeconds.getAsDouble())
                        : "")));
    return csv.toString();
  }

  /**
   * Start times in an earlier run, by the shard's key; empty for a file of another version.
   *
   * @throws IOException where the file cannot be read
   */
  static Map<String, Double> starts(Path csv) throws IOException {
    Map<String, Double> starts = new LinkedHashMap<>();
    if (!Files.exists(csv)) {
      return starts;
    }
    List<String> lines = Files.readAllLines(csv);
    if (!lines.getFirst().equals(HEADER)) {
      return starts;
    }
    for (String line : lines.subList(1, lines.size())) {
      String[] fields = line.split(",", -1);
      if (fields.length == HEADER.split(",").length && !fields[5].isEmpty()) {
        starts.put(fields[0].replaceFirst("-p\\d+$", ""), Double.valueOf(fields[5]));
      }
    }
    return starts;
  }
}
