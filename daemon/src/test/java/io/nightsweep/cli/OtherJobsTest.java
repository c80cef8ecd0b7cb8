package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.plan.FakeCluster;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.JobId;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sweeps of one person take turns; only other people's jobs block them. */
@Tag("xla")
class OtherJobsTest {
  private static final Cluster.ForeignJob OWN =
      new Cluster.ForeignJob(new JobId("7"), "me", "JAX-tiny-ag.ns-tiny-fsdp-2-t0001a1-steps_15");

  private static final Cluster.ForeignJob FOREIGN =
      new Cluster.ForeignJob(new JobId("8"), "me", "JAX-tiny-ag.ns-another-t0001a1");

  @TempDir private Path folder;

  @Test
  void jobsOfNightsweepsOtherSweepsAreNoCompetition() throws Exception {
    StateDirectory state = new StateDirectory(folder);
    state.create();
    Files.createDirectories(state.sweep("tiny-fsdp-2").root());
    Files.writeString(state.sweep("tiny-fsdp-2").journal(), "{}\n");
    assertThat(told(state, OWN))
        .extracting(Fitness::grade, Fitness::text)
        .contains(
            Tuple.tuple(Fitness.Grade.FIT, "1 job of Nightsweep's own sweeps on the pinned nodes"))
        .noneMatch(found -> found.toList().contains(Fitness.Grade.DOUBTFUL));
    assertThat(told(state, OWN, FOREIGN))
        .filteredOn(found -> found.grade() == Fitness.Grade.DOUBTFUL)
        .extracting(Fitness::text)
        .containsExactly("1 other job wants the pinned nodes, such as 8 of me");
  }

  private static List<Fitness> told(StateDirectory state, Cluster.ForeignJob... jobs)
      throws Exception {
    Cluster nodes = FakeCluster.fourNodes();
    Cluster cluster =
        (Cluster)
            Proxy.newProxyInstance(
                Cluster.class.getClassLoader(),
                new Class<?>[] {Cluster.class},
                (proxy, method, arguments) ->
                    method.getName().equals("foreignJobs")
                        ? List.of(jobs)
                        : method.invoke(nodes, arguments));
    return Fitness.ofTheNodes(cluster, Specs.kernels(2, 9), state);
  }
}
