package io.nightsweep.bench;

import io.nightsweep.cluster.Cluster;
import java.util.OptionalInt;

/**
 * The nodes of a job.
 *
 * @param nodesAreHosts see {@link Cluster#nodesAreHosts}
 * @param sharedCpus see {@link Cluster#sharedCpus}
 */
record Machines(boolean nodesAreHosts, OptionalInt sharedCpus) {
  static Machines of(Cluster cluster) {
    return new Machines(cluster.nodesAreHosts(), cluster.sharedCpus());
  }

  /**
   * Whether a job's ranks have fewer CPUs than requested.
   *
   * @param cpus of each rank; 0 where the cluster decides
   */
  boolean lackCpus(int ranks, int cpus) {
    return sharedCpus.isPresent() && (long) ranks * Math.max(1, cpus) > sharedCpus.getAsInt();
  }
}
