package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.local.LocalCluster;
import io.nightsweep.cluster.slurm.SlurmCluster;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import io.nightsweep.workload.CheckedWorkload;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.Workloads;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which sweeps have their nodes checked, and what the others report instead. */
@Tag("hours")
@Tag("slow")
class NodeChecksTest {
  private static final Instant NOW = Instant.parse("2026-01-01T22:00:00Z");

  @TempDir private Path home;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          budget: {hours: 8}                                         | checked
          budget: {hours: 3}                                         | the sweep is shorter than 4 hours
          budget: {jobs: 60}                                         | checked
          budget: {jobs: 60}, policy: {expectedJob: 1m}              | the sweep is shorter than 4 hours
          budget: {hours: 1}, policy: {nodeGate: true}               | checked
          budget: {hours: 8}, policy: {nodeGate: false}              | policy.nodeGate says no
          """)
  void byItsLengthOrByThePolicy(String keys, String expected) throws Exception {
    built();
    assertThat(told(fitted(spec(keys), slurm()))).isEqualTo(expected);
  }

  @Test
  void oneMachineThatStandsForAllNodesIsNotChecked() throws Exception {
    built();
    Cluster local = new LocalCluster(home.resolve("local"), List.of("n1", "n2"));
    assertThat(told(fitted(spec("budget: {hours: 8}"), local)))
        .isEqualTo("one machine stands for all nodes");
  }

  @Test
  void kernelsThatAreNotBuiltAreToldWithTheirRemedy() throws Exception {
    assertThat(told(fitted(spec("budget: {hours: 8}"), slurm())))
        .isEqualTo(
            "no program "
                + home.resolve("native/build/nightsweep-kernels")
                + "; build it with './nightsweep setup'");
  }

  /** The check is the first and the last wave, whichever axis the plan finally starts with. */
  @Test
  void theChecksStandAroundTheWholePlanAndItsAlternatives() throws Exception {
    SweepSpec spec = spec("budget: {hours: 8}");
    Plan.Alternative other =
        new Plan.Alternative("TP", spec.plan().waves(), spec.profiles(), spec.plan().candidates());
    Plan plan =
        new Plan(
            "kernels", spec.plan().waves(), List.of(), spec.plan().candidates(), List.of(other));
    SweepSpec checked = NodeChecks.onPaper(spec.with(plan), NOW);
    for (List<Wave> waves :
        List.of(checked.plan().waves(), checked.plan().alternatives().getFirst().waves())) {
      assertThat(waves.getFirst().kind()).isEqualTo(Wave.Kind.NODE_GATE);
      assertThat(waves.getLast().kind()).isEqualTo(Wave.Kind.NODE_GATE);
      assertThat(waves.subList(1, waves.size() - 1)).isEqualTo(spec.plan().waves());
    }
  }

  /** A new method of the workload must not be answered by its default. */
  @Test
  void everyQuestionIsHandedOnToTheWorkload() {
    for (Method method : Workload.class.getMethods()) {
      assertThat(CheckedWorkload.class.getDeclaredMethods())
          .as("%s", method)
          .anyMatch(
              own ->
                  own.getName().equals(method.getName())
                      && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
    }
  }

  private void built() throws Exception {
    Path program = home.resolve("native/build/nightsweep-kernels");
    Files.createDirectories(program.resolveSibling("."));
    Files.writeString(program, "");
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  private SweepSpec fitted(SweepSpec spec, Cluster cluster) {
    return NodeChecks.fitted(spec, cluster, Workloads.nodeGate(home), NOW);
  }

  /** Queried only for whether its nodes are hosts. */
  private static Cluster slurm() {
    return new SlurmCluster(CommandRunner.direct(Map.of()), InstantSource.system());
  }

  private static String told(SweepSpec spec) {
    return spec.plan().checksNodes()
        ? "checked"
        : spec.plan().notApplicable().stream()
            .filter(n -> n.wave().equals(Wave.NODE_GATE))
            .map(n -> Phrases.EN.text(n.reason()))
            .findFirst()
            .orElse("-");
  }

  private static SweepSpec spec(String keys) throws Exception {
    return SweepFile.parse(
            "sweep.yaml",
            """
            model: allreduce
            parallelism: ranks=2
            slot: {nodelist: "n[1-2]"}
            workload: {kind: kernels, kernel: allreduce, sizes: 1048576, dtype: f32}
            plan: kernels
            catalogs: [openmpi]
            playbook: kernels
            """
                + keys.replace("}, ", "}\n")
                + "\n",
            Resources.beside(Path.of("sweep.yaml")))
        .onPaper(NOW.atZone(ZoneOffset.UTC));
  }
}
