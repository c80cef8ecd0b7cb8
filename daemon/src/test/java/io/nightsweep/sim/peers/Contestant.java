package io.nightsweep.sim.peers;

import io.nightsweep.sim.peers.Shift.Outcome;
import java.io.IOException;
import java.util.SortedMap;

/** A way to find the best profile, with one setting that trades cost for power. */
interface Contestant extends AutoCloseable {
  String name();

  /**
   * Runs one night.
   *
   * @param only use only this effort if positive, otherwise all that are worth trying
   * @return outcomes by setting
   */
  SortedMap<Setting, Outcome> night(World world, long seed, int only) throws IOException;

  @Override
  default void close() throws IOException {}
}
