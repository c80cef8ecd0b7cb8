package io.nightsweep.bench;

import io.nightsweep.plan.Study;
import java.util.List;

/**
 * Cases that one job measures.
 *
 * @param part from 1 where cases with one key need more than one job; else 0
 * @param startSeconds time of a program start before its first case and after its last: starting
 *     its processes and measuring the machine's limits
 */
record Shard(ShardKey key, int part, List<PlannedCase> cases, double startSeconds) {
  /** The same shard with other cases, as a part with its own job. */
  Shard holding(int newPart, List<PlannedCase> some) {
    return new Shard(key, newPart, List.copyOf(some), startSeconds);
  }

  /** The name in jobs, folders and control documents; rows are identified by the key alone. */
  String id() {
    return key.id() + (part == 0 ? "" : "-p" + part);
  }

  List<PlannedCase> runnable() {
    return cases.stream().filter(PlannedCase::isRunnable).toList();
  }

  /** Expected time of its job, in which every side runs every case in every round. */
  double seconds(Study study) {
    List<PlannedCase> runnable = runnable();
    if (runnable.isEmpty()) {
      return 0;
    }
    double once = startSeconds;
    for (PlannedCase one : runnable) {
      once += one.seconds(study.sampling());
    }
    return once * starts(study);
  }

  /** Expected time of one case within its job. */
  static double seconds(Study study, PlannedCase one) {
    return one.seconds(study.sampling()) * starts(study);
  }

  /** How often a job starts the program. */
  static int starts(Study study) {
    return study.rounds() * Math.max(1, study.sides().size());
  }
}
