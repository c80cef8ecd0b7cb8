package io.nightsweep.bench;

/** One start of the program within a shard: which side, round and attempt, the latter from 1. */
record RunKey(String side, int round, int attempt) {
  /** Names its files. */
  String file() {
    return side + "-" + round;
  }
}
