package io.nightsweep.bench;

/**
 * One start of the program within a shard: its side, round and attempt; rounds and attempts count
 * from 1.
 */
record RunKey(String side, int round, int attempt) {
  /** Names its files. */
  String file() {
    return side + "-" + round;
  }
}
