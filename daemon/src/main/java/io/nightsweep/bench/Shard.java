package io.nightsweep.bench;

import java.util.List;

/** Cases that one job measures. */
record Shard(ShardKey key, List<PlannedCase> cases) {
  String id() {
    return key.id();
  }

  List<PlannedCase> runnable() {
    return cases.stream().filter(PlannedCase::isRunnable).toList();
  }
}
