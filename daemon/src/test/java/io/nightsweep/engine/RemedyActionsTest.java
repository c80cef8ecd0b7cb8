package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.report.Phrases;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.SimCluster;
import io.nightsweep.sim.SimWorkload;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.VirtualClock;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("guard")
@Tag("slow")
class RemedyActionsTest {
  private static final Instant NIGHTFALL = Instant.parse("2026-01-01T22:00:00Z");

  /** A job on two nodes reported a NIC fault; only one node's kernel knows of it. */
  @Test
  void onlyTheNodeWhoseKernelHasAWordOfItsNicIsReset() {
    VirtualClock clock = new VirtualClock(NIGHTFALL);
    SimCluster cluster =
        new SimCluster(clock, new SplittableRandom(1), Faults.none(), Duration.ofMinutes(1));
    List<String> touched = new CopyOnWriteArrayList<>();
    CommandRunner runner =
        (words, timeout) -> {
          String line = String.join(" ", words);
          if (!line.contains("dmesg")) {
            touched.add(line.substring(line.indexOf("-- ") + 3));
          }
          return new CommandRunner.Output(
              0,
              line.contains("n2 dmesg")
                  ? "2026-01-01T22:30:00,000000+00:00 ionic 0000:41:00.0: cqe error\n"
                  : "2026-01-01T22:30:00,000000+00:00 systemd: Started session\n",
              "");
        };
    SweepState s =
        SweepState.fold(
            List.of(new Entry(1, NIGHTFALL, new Event.SweepStarted("night", 1, Specs.kernels(1)))));

    StepEnd outcome =
        new RemedyActions(
                cluster,
                new SimWorkload(Specs.surface(0, 0), cluster, "night", NIGHTFALL, 1),
                new NodeEvidence(runner),
                new NicReset(runner),
                runner,
                clock)
            .begin(
                new Remedy.RemedyStep(
                    "reset-nic",
                    new TreeMap<>(Map.of("settle", "0s")),
                    Duration.ofMinutes(1),
                    Optional.empty(),
                    1,
                    Remedy.Then.HALT),
                attempt(),
                s)
            .join();

    assertThat(s.cell().nodes()).contains("n1", "n2");
    assertThat(outcome.succeeded()).isTrue();
    assertThat(touched)
        .containsExactly(
            "n2 rmmod ionic_rdma", "n2 rmmod ionic", "n2 modprobe ionic", "n2 modprobe ionic_rdma");
  }

  /** Slurm set one node aside, a person the other. */
  @Test
  void noNodeIsResumedWhereAPersonSetOneAside() {
    List<String> asked = new CopyOnWriteArrayList<>();
    Cluster cluster =
        (Cluster)
            Proxy.newProxyInstance(
                Cluster.class.getClassLoader(),
                new Class<?>[] {Cluster.class},
                (proxy, method, args) -> {
                  if (method.getName().equals("nodes")) {
                    return List.of(away("n1", "Not responding"), away("n2", "DIMM is replaced"));
                  }
                  asked.add(method.getName());
                  return "";
                });
    StepEnd outcome = carriedOut(cluster, "resume-node", Map.of(), asked);
    assertThat(outcome.succeeded()).isFalse();
    assertThat(Phrases.EN.text(outcome.said()))
        .contains("n2 is drained: DIMM is replaced")
        .doesNotContain("n1");
    assertThat(asked).isEmpty();
  }

  /**
   * For a while the cluster gives no answer either; a node that is down but answers is left alone.
   */
  @Test
  @Tag("recovery")
  void aNodeThatBootsIsWaitedForUntilItAnswers() {
    List<Cluster.Node> answers =
        new ArrayList<>(
            List.of(
                node("n2", "down*", "Not responding"),
                node("n2", "down^", "reboot issued"),
                node("n2", "unreachable", ""),
                node("n2", "down", "Node unexpectedly rebooted")));
    Cluster cluster =
        cluster(
            () -> {
              Cluster.Node next = answers.removeFirst();
              if (next.state().equals("unreachable")) {
                throw new ClusterUnreachableException("connection refused");
              }
              return List.of(next);
            });
    StepEnd outcome =
        carriedOut(cluster, "wait-for-nodes", Map.of(), Duration.ofMinutes(1), List.of());
    assertThat(outcome.succeeded()).isTrue();
    assertThat(answers).isEmpty();
  }

  @Test
  @Tag("recovery")
  void aNodeThatDoesNotComeBackIsToldWithItsState() {
    Cluster cluster = cluster(() -> List.of(node("n2", "down*", "Not responding")));
    StepEnd outcome =
        carriedOut(cluster, "wait-for-nodes", Map.of(), Duration.ofSeconds(1), List.of());
    assertThat(outcome.succeeded()).isFalse();
    assertThat(Phrases.EN.text(outcome.said())).isEqualTo("after 1 s n2 is down*: Not responding");
  }

  @Test
  void noModuleIsUnloadedThatIsNotOnTheList() {
    List<String> touched = new CopyOnWriteArrayList<>();
    VirtualClock clock = new VirtualClock(NIGHTFALL);
    SimCluster cluster =
        new SimCluster(clock, new SplittableRandom(1), Faults.none(), Duration.ofMinutes(1));
    StepEnd outcome =
        carriedOut(cluster, "reset-nic", Map.of("modules", "amdgpu", "settle", "0s"), touched);
    assertThat(outcome.succeeded()).isFalse();
    assertThat(Phrases.EN.text(outcome.said())).contains("no module 'amdgpu' on the list");
    assertThat(touched).isEmpty();
  }

  private static Cluster.Node away(String name, String why) {
    return node(name, "drained", why);
  }

  private static Cluster.Node node(String name, String state, String why) {
    return new Cluster.Node(name, Cluster.Node.Availability.UNUSABLE, state, why, List.of("batch"));
  }

  /** A cluster that is queried only for its nodes. */
  private static Cluster cluster(Callable<List<Cluster.Node>> nodes) {
    return (Cluster)
        Proxy.newProxyInstance(
            Cluster.class.getClassLoader(),
            new Class<?>[] {Cluster.class},
            (proxy, method, args) -> nodes.call());
  }

  /** Carried out on nodes with kernels that all report a fault of their NICs. */
  private static StepEnd carriedOut(
      Cluster cluster, String action, Map<String, String> args, List<String> touched) {
    return carriedOut(cluster, action, args, Duration.ZERO, touched);
  }

  private static StepEnd carriedOut(
      Cluster cluster,
      String action,
      Map<String, String> args,
      Duration timeout,
      List<String> touched) {
    VirtualClock clock = new VirtualClock(NIGHTFALL);
    SimCluster sim =
        new SimCluster(clock, new SplittableRandom(1), Faults.none(), Duration.ofMinutes(1));
    CommandRunner runner =
        (words, limit) -> {
          if (!words.contains("dmesg")) {
            touched.add(String.join(" ", words));
          }
          return new CommandRunner.Output(
              0, "2099-01-01T22:30:00,000000+00:00 ionic 0000:41:00.0: Link down\n", "");
        };
    return new RemedyActions(
            cluster,
            new SimWorkload(Specs.surface(0, 0), sim, "night", NIGHTFALL, 1),
            new NodeEvidence(runner),
            new NicReset(runner),
            runner,
            clock)
        .begin(
            new Remedy.RemedyStep(
                action, new TreeMap<>(args), timeout, Optional.empty(), 1, Remedy.Then.HALT),
            attempt(),
            SweepState.fold(
                List.of(
                    new Entry(1, NIGHTFALL, new Event.SweepStarted("night", 1, Specs.kernels(1))))))
        .join();
  }

  static AttemptState attempt() {
    return new AttemptState(
        AttemptId.parse("t0001a1"),
        new AttemptState.SubmissionIntent("job", NIGHTFALL, Optional.empty(), false, 0),
        new AttemptState.RunState(
            Optional.of(NIGHTFALL),
            List.of("n1", "n2"),
            new AttemptState.StepProgress(-1, 0, NIGHTFALL),
            Optional.empty(),
            Optional.empty()),
        new AttemptState.Ending(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
        Optional.empty());
  }
}
