package io.nightsweep.plan;

import io.nightsweep.sweep.Policy;
import io.nightsweep.sweep.Policy.WhenBlind;
import java.util.OptionalDouble;

/** Reads {@code policy}; the procedure's figures are the defaults. */
final class PolicyForm {
  private PolicyForm() {}

  static Policy read(Yaml.Mapping policy) {
    Policy usual = Policy.defaults();
    return new Policy(
        fraction(policy, "familyWiseError", usual.familyWiseError()),
        policy.scalar("targetGain").flatMap(Values::target).orElse(usual.targetGain()),
        fraction(policy, "worthwhileGain", usual.worthwhileGain()),
        fraction(policy, "hopelessGain", usual.hopelessGain()),
        count(policy, "hopelessProfiles", usual.hopelessProfiles()),
        fraction(policy, "equivalenceMargin", usual.equivalenceMargin()),
        fraction(policy, "regressionLimit", usual.regressionLimit()),
        count(policy, "blockSize", usual.blockSize()),
        count(policy, "baselineRuns", usual.baselineRuns()),
        count(policy, "confirmRuns", usual.confirmRuns()),
        count(policy, "maxRunsPerProfile", usual.maxRunsPerProfile()),
        count(policy, "jobsInFlight", usual.jobsInFlight()),
        policy
            .scalar("jobTimeLimit")
            .flatMap(Values::duration)
            .filter(d -> !d.isZero())
            .orElse(usual.jobTimeLimit()),
        policy
            .scalar("finishRunningOnHalt")
            .map(Values::isTrue)
            .orElse(usual.finishRunningOnHalt()),
        fraction(policy, "expectedNoise", usual.expectedNoise()),
        policy
            .scalar("whenBlind")
            .map(scalar -> scalar.text().equals("halt") ? WhenBlind.HALT : WhenBlind.GO_ON)
            .orElse(usual.whenBlind()),
        policy.scalar("expectedJob").flatMap(Values::duration).filter(d -> !d.isZero()),
        policy
            .scalar("plausibleGain")
            .flatMap(Values::gain)
            .map(OptionalDouble::of)
            .orElse(usual.plausibleGain()),
        policy.scalar("answerWithin").flatMap(Values::duration).orElse(usual.answerWithin()),
        policy.scalar("nodeGate").map(Values::isTrue),
        fraction(policy, "nodeOutlier", usual.nodeOutlier()));
  }

  private static double fraction(Yaml.Mapping policy, String key, double usual) {
    return policy.scalar(key).flatMap(Values::fraction).orElse(usual);
  }

  private static int count(Yaml.Mapping policy, String key, int usual) {
    return policy.scalar(key).flatMap(Values::integer).orElse(usual);
  }
}
