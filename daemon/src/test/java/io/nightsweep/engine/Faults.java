package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.lab.SlurmLab;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Shared by the tests of faults on the lab: one candidate, its nights, and the messages about them.
 */
final class Faults {
  /** The profile that fails. */
  static final String P = "candidate";

  private Faults() {}

  interface Scenario {
    void on(String node) throws Exception;
  }

  /** Runs each on a node of its own. */
  static List<DynamicTest> sideBySide(Map<String, Scenario> scenarios, List<String> onNodes) {
    BlockingQueue<String> nodes = new LinkedBlockingQueue<>(onNodes);
    ExecutorService pool = Executors.newFixedThreadPool(nodes.size());
    List<DynamicTest> tests = new ArrayList<>();
    scenarios.forEach(
        (name, scenario) -> {
          Future<?> run =
              pool.submit(
                  () -> {
                    String node = nodes.take();
                    try {
                      scenario.on(node);
                    } finally {
                      nodes.add(node);
                    }
                    return name;
                  });
          tests.add(DynamicTest.dynamicTest(name, run::get));
        });
    pool.shutdown();
    return tests;
  }

  static FaultyNight start(SlurmLab lab, String name, String node, String fault) {
    return FaultyNight.start(lab, name, node, profile(fault), "", Map.of());
  }

  static FaultyNight start(SlurmLab lab, String name, String node, String fault, String policy) {
    return FaultyNight.start(lab, name, node, profile(fault), policy, Map.of());
  }

  static FaultyNight startWith(SlurmLab lab, String name, String node, String candidate) {
    return FaultyNight.start(lab, name, node, "{" + P + ": " + candidate + "}", "", Map.of());
  }

  static String profile(String fault) {
    return "{" + P + ": {env: {FAULT: " + fault + "}}}";
  }

  static List<Diagnosis> diagnoses(SweepState s) {
    return s.attempts()
        .flatMap(a -> a.judgement().stream())
        .filter(j -> j instanceof Judgement.Failed)
        .map(j -> ((Judgement.Failed) j).diagnosis())
        .toList();
  }

  static List<String> allSteps(SweepState s) {
    return s.profileOrder().stream().flatMap(p -> FaultyNight.steps(s, p).stream()).toList();
  }

  static void assertDroppedAsFailed(SweepState s) {
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(s.isDropped(P)).isTrue();
    assertThat(s.isDropped("baseline-deployed")).isFalse();
  }

  static void assertGivenUp(SweepState s) {
    assertThat(s.attempts().filter(a -> a.givenUp().isPresent())).isNotEmpty();
  }

  static void assertStopped(SweepState s, String reason) {
    assertThat(Sentences.of(((Phase.Halted) s.phase()).cause(), Phrases.EN)).contains(reason);
    assertThat(hasStop(s, reason)).isTrue();
  }

  private static boolean hasStop(SweepState s, String reason) {
    return s.notices().values().stream()
        .anyMatch(
            n ->
                n.notice() instanceof Notice.Stop stop
                    && Sentences.of(stop.cause(), Phrases.EN).contains(reason));
  }

  static List<String> incidents(SweepState s) {
    return s.notices().values().stream()
        .flatMap(
            n ->
                n.notice() instanceof Notice.Incident i
                    ? Stream.of(Sentences.of(i.what(), Phrases.EN))
                    : Stream.<String>empty())
        .toList();
  }
}
