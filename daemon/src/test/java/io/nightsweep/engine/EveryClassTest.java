package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.triage.PlaybookDiagnoser;
import io.nightsweep.triage.Sample;
import io.nightsweep.triage.SampleRun;
import io.nightsweep.triage.Watch;
import io.nightsweep.workload.Workloads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Each class of each playbook, with its own samples, through each branch of its remedy: cured, not
 * cured, and with each of its steps failing.
 */
@Tag("recovery")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class EveryClassTest {
  private static final List<String> PLAYBOOKS = List.of("maxtext-rocm", "maxtext-cuda", "kernels");

  /**
   * Classes that no job's log or end can show: the engine detects them itself; they are tested
   * elsewhere.
   */
  private static final Set<String> MET_OTHERWISE =
      Set.of(
          "submission-refused",
          "controller-down",
          "implausible",
          "no-measurement",
          "too-few-steps",
          "crashed");

  private static final Set<String> ACTIONS =
      Set.of(
          "drop-flag",
          "read-node-reason",
          "wait-for-nodes",
          "resume-node",
          "wait-for-controller",
          "check-image",
          "collect-dmesg",
          "check-dmesg",
          "collect-rocm-smi",
          "collect-nvidia-smi",
          "reset-nic",
          "verify-nic");

  private record Seen(String failureClass, Remedy remedy) {}

  @TestFactory
  List<DynamicTest> everyBranchOfEveryClass(@TempDir Path scratch) throws Exception {
    Playbooks playbooks = new Playbooks(Resources.beside(Path.of("sweep.yaml")));
    List<DynamicTest> tests = new ArrayList<>();
    Set<Seen> seen = new HashSet<>();
    for (String name : PLAYBOOKS) {
      Playbook playbook = hasty(playbooks.read(name));
      SampleRun run =
          new SampleRun(
              new PlaybookDiagnoser(playbook.recognition(), Workloads::hearSteps), scratch);
      for (Map.Entry<String, Remedy> entry : playbook.remedies().entrySet()) {
        String failureClass = entry.getKey();
        if (MET_OTHERWISE.contains(failureClass)
            || !seen.add(new Seen(failureClass, entry.getValue()))) {
          continue;
        }
        Sample sample =
            playbooks.samples(name).stream()
                .filter(s -> s.expected().equals(failureClass))
                // A diagnosis that is only likely has a remedy of no class (RemediesTest).
                .filter(s -> !isHeldBack(playbook, run, s))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no sample of " + failureClass));
        branches(tests, scratch, name, playbook, entry.getValue(), sample);
      }
    }
    return tests;
  }

  private static boolean isHeldBack(Playbook playbook, SampleRun run, Sample sample) {
    try {
      return run.run(sample).filter(playbook::isHeldBack).isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void branches(
      List<DynamicTest> tests,
      Path scratch,
      String playbookName,
      Playbook playbook,
      Remedy remedy,
      Sample sample) {
    String title = playbookName + ", " + sample.expected();
    int index = tests.size();
    if (remedy.then() == Remedy.Then.RESUBMIT && remedy.limit() >= 1) {
      tests.add(
          DynamicTest.dynamicTest(
              title + ": cured",
              () -> {
                SweepState s =
                    night(scratch.resolve("cured" + index), playbook, sample, 1, Optional.empty());
                assertMeasured(s);
                assertClass(s, sample);
              }));
    }
    if (remedy.isEndless() && remedy.then() == Remedy.Then.RESUBMIT) {
      tests.add(
          DynamicTest.dynamicTest(
              title + ": tried on and on",
              () -> {
                SampleNight night =
                    new SampleNight(
                        scratch.resolve(index + "-on"),
                        playbook,
                        sample,
                        profile(sample),
                        Integer.MAX_VALUE,
                        Optional.empty());
                SweepState s = night.run(state -> attempts(state) >= 8);
                assertThat(s.phase()).isInstanceOf(Phase.Running.class);
                assertThat(s.notices().keySet()).anyMatch(key -> key.startsWith("outage:"));
              }));
    } else {
      tests.add(
          DynamicTest.dynamicTest(
              title + ": not cured",
              () -> {
                SweepState s =
                    night(
                        scratch.resolve("uncured" + index),
                        playbook,
                        sample,
                        1_000,
                        Optional.empty());
                boolean resubmits = remedy.then() == Remedy.Then.RESUBMIT;
                assertFollowed(s, sample, resubmits ? afterLimit(sample, remedy) : remedy.then());
                if (resubmits) {
                  // A control that measures in between restarts the count "in a row".
                  assertThat(attempts(s)).isGreaterThan(remedy.limit());
                }
              }));
    }
    for (Remedy.RemedyStep step : remedy.steps()) {
      if (ACTIONS.contains(step.action())) {
        tests.add(
            DynamicTest.dynamicTest(
                title + ": " + step.action() + " fails",
                () -> {
                  SweepState s =
                      night(
                          scratch.resolve(step.action() + index),
                          playbook,
                          sample,
                          1,
                          Optional.of(step.action()));
                  assertStepFailed(s, step.action());
                  if (step.onFailure() == Remedy.Then.RESUBMIT
                      && !step.action().equals("read-node-reason")) {
                    assertMeasured(s);
                  } else if (step.onFailure() != Remedy.Then.RESUBMIT) {
                    assertFollowed(s, sample, step.onFailure());
                  }
                }));
      }
    }
  }

  @Test
  void aBaselineIsNeverDroppedTheSweepHaltsInstead(@TempDir Path scratch) throws Exception {
    Playbooks playbooks = new Playbooks(Resources.beside(Path.of("sweep.yaml")));
    Sample oom = sample(playbooks, "maxtext-rocm", "oom-gpu");
    SweepState s =
        new SampleNight(
                scratch,
                hasty(playbooks.read("maxtext-rocm")),
                oom,
                Profile.BASELINE,
                1_000,
                Optional.empty())
            .run(state -> false);
    assertThat(s.phase()).isInstanceOf(Phase.Halted.class);
    assertThat(s.isDropped(Profile.BASELINE)).isFalse();
  }

  private static SweepState night(
      Path scratch, Playbook playbook, Sample sample, int failures, Optional<String> failingStep)
      throws Exception {
    return new SampleNight(scratch, playbook, sample, profile(sample), failures, failingStep)
        .run(state -> false);
  }

  private static void assertClass(SweepState s, Sample sample) {
    assertThat(classes(s)).containsOnly(sample.expected());
  }

  private static void assertMeasured(SweepState s) {
    assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(failing(s).disposition()).get().isInstanceOf(Disposition.Measured.class);
  }

  /** Evidence from one candidate alone never halts the night. */
  private static Remedy.Then afterLimit(Sample sample, Remedy remedy) {
    boolean isOfOneCandidate =
        remedy.afterLimit() == Remedy.Then.HALT
            && remedy.scope() == Remedy.RemedyScope.PROFILE
            && !profile(sample).equals(Profile.BASELINE);
    return isOfOneCandidate ? Remedy.Then.SET_ASIDE : remedy.afterLimit();
  }

  /** A baseline is never dropped: the sweep halts instead. */
  private static Remedy.Then bounded(Sample sample, Remedy.Then then) {
    boolean drops =
        then == Remedy.Then.DROP_PROFILE
            || then == Remedy.Then.SET_ASIDE
            || then == Remedy.Then.FAIL_TRIAL;
    return drops && profile(sample).equals(Profile.BASELINE) ? Remedy.Then.HALT : then;
  }

  private static void assertFollowed(SweepState s, Sample sample, Remedy.Then then) {
    switch (bounded(sample, then)) {
      case HALT -> {
        assertClass(s, sample);
        assertThat(s.phase())
            .isInstanceOfSatisfying(
                Phase.Halted.class,
                h -> assertThat(Sentences.of(h.cause(), Phrases.EN)).startsWith(sample.expected()));
        assertThat(s.notices().values()).anyMatch(n -> n.notice() instanceof Notice.Stop);
      }
      case DROP_PROFILE -> {
        assertClass(s, sample);
        assertThat(s.isDropped(SampleNight.CANDIDATE)).isTrue();
        assertThat(s.phase()).isInstanceOf(Phase.Finished.class);
      }
      case SET_ASIDE -> {
        assertClass(s, sample);
        assertThat(s.isDropped(SampleNight.CANDIDATE)).isTrue();
        assertThat(s.notices().values()).anyMatch(n -> n.notice() instanceof Notice.Incident);
      }
      case FAIL_TRIAL -> {
        assertClass(s, sample);
        assertThat(failing(s).disposition()).get().isInstanceOf(Disposition.Failed.class);
        assertThat(s.isDropped(SampleNight.CANDIDATE)).isFalse();
      }
      case ACCEPT -> assertMeasured(s);
      case RESUBMIT -> throw new AssertionError("nothing may be resubmitted for ever");
    }
  }

  private static void assertStepFailed(SweepState s, String action) {
    assertThat(steps(s)).contains(action + " failed");
  }

  static List<String> steps(SweepState s) {
    return s.attempts()
        .flatMap(a -> a.remedy().stream())
        .flatMap(
            r ->
                r.stepsDone().stream()
                    .map(
                        d ->
                            r.remedy().steps().get(d.index()).action()
                                + (d.end().succeeded() ? " ok" : " failed")))
        .toList();
  }

  private static List<String> classes(SweepState s) {
    return s.attempts()
        .flatMap(a -> a.judgement().stream())
        .filter(j -> j instanceof Judgement.Failed)
        .map(j -> ((Judgement.Failed) j).diagnosis().failureClass())
        .toList();
  }

  private static long attempts(SweepState s) {
    return s.trials().values().stream()
        .flatMap(t -> t.attempts().stream())
        .filter(EveryClassTest::failed)
        .count();
  }

  /** The trial with the failed attempts; if none failed, the candidate's trial. */
  private static TrialState failing(SweepState s) {
    return s.trials().values().stream()
        .filter(t -> t.attempts().stream().anyMatch(EveryClassTest::failed))
        .findFirst()
        .or(
            () ->
                s.trials().values().stream()
                    .filter(t -> t.trial().profile().equals(SampleNight.CANDIDATE))
                    .findFirst())
        .orElseThrow();
  }

  private static boolean failed(AttemptState a) {
    return a.judgement().filter(j -> j instanceof Judgement.Failed).isPresent();
  }

  /** The profile with the failing jobs: some classes occur only for a baseline. */
  private static String profile(Sample sample) {
    return sample.running().filter(Watch::baseline).isPresent()
        ? Profile.BASELINE
        : SampleNight.CANDIDATE;
  }

  static Sample sample(Playbooks playbooks, String name, String failureClass) throws Exception {
    return playbooks.samples(name).stream()
        .filter(s -> s.expected().equals(failureClass))
        .findFirst()
        .orElseThrow();
  }

  /** The same playbook with seconds instead of its real-time waits. */
  static Playbook hasty(Playbook playbook) {
    TreeMap<String, Remedy> remedies = new TreeMap<>();
    playbook.remedies().forEach((id, remedy) -> remedies.put(id, hasty(remedy)));
    return new Playbook(
        playbook.name(), remedies, playbook.otherwise(), playbook.recognition(), playbook.stop());
  }

  private static Remedy hasty(Remedy r) {
    return new Remedy(
        r.steps().stream()
            .map(
                s -> {
                  TreeMap<String, String> args = new TreeMap<>(s.args());
                  if (s.action().equals("reset-nic")) {
                    args.put("settle", "0s");
                  }
                  boolean real = ACTIONS.contains(s.action());
                  return new Remedy.RemedyStep(
                      s.action(),
                      args,
                      real ? Duration.ofSeconds(2) : s.timeout(),
                      s.approval(),
                      s.tries(),
                      s.onFailure());
                })
            .toList(),
        r.then(),
        r.limit(),
        r.scope(),
        r.consecutive(),
        r.afterLimit());
  }
}
