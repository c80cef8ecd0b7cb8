package io.nightsweep.sim;

import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Policy;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Remedy.RemedyScope;
import io.nightsweep.sweep.Remedy.RemedyStep;
import io.nightsweep.sweep.Remedy.Then;
import io.nightsweep.sweep.SweepSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Sweeps of random size, budget and policy, with a remedy of every kind. */
final class RoughSpecs {
  /** Short enough that some questions of a rough night lapse. */
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  /** Classes that a failed job's log may show. */
  static final List<String> CLASSES =
      List.of(
          "flake",
          "flake",
          "flake",
          "unknown-flag",
          "oom-gpu",
          "node-fail",
          "bad",
          "broken",
          "soft-success",
          "unheard-of");

  private RoughSpecs() {}

  static SweepSpec any(SplittableRandom random) {
    Optional<Integer> jobs =
        random.nextBoolean() ? Optional.of(random.nextInt(5, 90)) : Optional.empty();
    SweepSpec spec = Specs.kernels(random.nextInt(1, 12), jobs);
    Policy p = spec.policy();
    Policy policy =
        new Policy(
            p.familyWiseError(),
            p.targetGain(),
            p.worthwhileGain(),
            p.hopelessGain(),
            p.hopelessProfiles(),
            p.equivalenceMargin(),
            p.regressionLimit(),
            random.nextInt(1, 9),
            random.nextInt(1, 5),
            random.nextInt(3, 8),
            random.nextInt(2, 9),
            random.nextInt(1, 4),
            Duration.ofMinutes(random.nextInt(10, 50)),
            random.nextBoolean(),
            p.expectedNoise(),
            random.nextInt(3) == 0 ? Policy.WhenBlind.HALT : Policy.WhenBlind.GO_ON,
            p.expectedJob(),
            p.plausibleGain(),
            p.answerWithin(),
            p.nodeGate(),
            p.nodeOutlier());
    Optional<Duration> hours =
        random.nextInt(4) > 0
            ? Optional.of(Duration.ofHours(random.nextInt(1, 14)))
            : Optional.empty();
    return new SweepSpec(
        spec.cell(),
        spec.workload(),
        new TreeMap<>(Map.of("sizes", "200000")),
        spec.metric(),
        spec.configTags().subList(0, random.nextInt(1, 3)),
        spec.profiles().stream().map(RoughSpecs::withFlag).toList(),
        spec.plan(),
        new Budget(jobs, hours, Optional.empty(), Optional.empty()),
        policy,
        playbook(),
        List.of(Specs.packed("openmpi")));
  }

  private static Profile withFlag(Profile p) {
    return p.isBaseline()
        ? p
        : Profile.of(
            p.name(), Map.of("--xla_gpu_nonsense", "1", "--xla_a", "2"), p.env(), Map.of());
  }

  private static Playbook playbook() {
    TreeMap<String, Remedy> remedies = new TreeMap<>();
    List<RemedyStep> wait = List.of(step("wait", 30, false, 1, Then.FAIL_TRIAL));
    remedies.put(
        "flake", new Remedy(wait, Then.RESUBMIT, 2, RemedyScope.PROFILE, true, Then.SET_ASIDE));
    remedies.put("bad", Remedy.of(Then.RESUBMIT, 1, RemedyScope.TRIAL, Then.FAIL_TRIAL));
    remedies.put(
        "oom-gpu", Remedy.of(Then.DROP_PROFILE, 9, RemedyScope.PROFILE, Then.DROP_PROFILE));
    remedies.put("broken", Remedy.of(Then.HALT, 9, RemedyScope.SWEEP, Then.HALT));
    remedies.put("soft-success", Remedy.of(Then.ACCEPT, 9, RemedyScope.TRIAL, Then.FAIL_TRIAL));
    remedies.put(
        "unknown-flag",
        new Remedy(
            List.of(step("drop-flag", 10, false, 1, Then.DROP_PROFILE)),
            Then.RESUBMIT,
            1,
            RemedyScope.PROFILE,
            false,
            Then.DROP_PROFILE));
    List<RemedyStep> revive = new ArrayList<>();
    revive.add(step("read-node-reason", 30, false, 1, Then.RESUBMIT));
    revive.add(step("resume-node", 120, true, 2, Then.HALT));
    revive.add(step("wait", 60, false, 1, Then.HALT));
    remedies.put(
        "node-fail", new Remedy(revive, Then.RESUBMIT, 2, RemedyScope.SWEEP, true, Then.HALT));
    remedies.put(
        "vanished", new Remedy(List.of(), Then.RESUBMIT, 2, RemedyScope.SWEEP, true, Then.HALT));
    remedies.put(
        "prolog-kill",
        new Remedy(revive.subList(0, 1), Then.RESUBMIT, 2, RemedyScope.SWEEP, true, Then.HALT));
    remedies.put(
        "submission-refused",
        new Remedy(wait, Then.RESUBMIT, 3, RemedyScope.SWEEP, true, Then.HALT));
    return new Playbook(
        "rough", remedies, Remedy.of(Then.RESUBMIT, 1, RemedyScope.PROFILE, Then.SET_ASIDE));
  }

  private static RemedyStep step(
      String action, int seconds, boolean approval, int tries, Then onFailure) {
    return new RemedyStep(
        action,
        new TreeMap<>(),
        Duration.ofSeconds(seconds),
        approval ? Optional.of(new Remedy.Approval(PATIENCE, false)) : Optional.empty(),
        tries,
        onFailure);
  }
}
