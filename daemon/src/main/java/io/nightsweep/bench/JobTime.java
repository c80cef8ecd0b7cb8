package io.nightsweep.bench;

import java.util.List;
import java.util.Locale;

/** What a job was projected to take and took, in seconds; the queue's wait is no part of it. */
record JobTime(String shard, int attempt, int cases, double projected, double took) {
  static double projected(List<JobTime> jobs) {
    return jobs.stream().mapToDouble(JobTime::projected).sum();
  }

  static double took(List<JobTime> jobs) {
    return jobs.stream().mapToDouble(JobTime::took).sum();
  }

  static String csv(List<JobTime> jobs) {
    StringBuilder csv = new StringBuilder("shard,attempt,cases,projectedSeconds,tookSeconds\n");
    jobs.forEach(
        j ->
            csv.append(
                String.format(
                    Locale.ROOT,
                    "%s,%d,%d,%.1f,%.1f%n",
                    j.shard,
                    j.attempt,
                    j.cases,
                    j.projected,
                    j.took)));
    return csv.toString();
  }
}
