package io.nightsweep.engine;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.workload.Workload;
import java.time.Duration;

/** Makes what a sweep is driven with. */
public interface Parts {
  Cluster cluster(ClusterChoice choice, StateDirectory state);

  /** The least time between two looks at the cluster. */
  Duration shortestTick(ClusterChoice choice);

  Workload workload(String kind);

  Diagnoser diagnoser(SweepSpec spec);

  RemedySteps remedySteps(ClusterChoice choice, Cluster cluster, Workload workload);

  Reporter reporter();
}
