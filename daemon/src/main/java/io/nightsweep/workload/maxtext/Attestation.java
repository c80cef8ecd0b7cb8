package io.nightsweep.workload.maxtext;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.workload.Workload.Effective;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Compares the environment that a job's ranks printed with the scheduled one. */
final class Attestation {
  private Attestation() {}

  static Effective of(TrainingLog log, Profile profile, Map<String, String> env) {
    boolean attested = false;
    for (SortedMap<String, String> seen : log.environments()) {
      Optional<Statement> different = difference(seen, profile, env);
      if (different.isPresent()) {
        return new Effective.Different(different.get());
      }
      attested = true;
    }
    return attested ? new Effective.AsScheduled() : new Effective.NotYet();
  }

  private static Optional<Statement> difference(
      SortedMap<String, String> seen, Profile profile, Map<String, String> env) {
    String hash = seen.getOrDefault(EnvBlock.HASH, "none");
    if (!hash.equals(profile.hash())) {
      return Optional.of(Statement.phrase("saw-instead", "profile " + hash, profile.hash()));
    }
    XlaFlags scheduled =
        XlaFlags.parse(seen.getOrDefault(EnvBlock.BASE_FLAGS, "")).with(profile.flags());
    XlaFlags effective = XlaFlags.parse(seen.getOrDefault(EnvBlock.XLA_FLAGS, ""));
    String flags = effective.differenceFrom(scheduled);
    if (!flags.isEmpty()) {
      return Optional.of(Statement.phrase("saw-flags", flags));
    }
    return env.entrySet().stream()
        .filter(e -> !e.getValue().equals(seen.get(e.getKey())))
        .map(
            e ->
                Statement.phrase(
                    "saw-instead",
                    e.getKey() + "=" + seen.getOrDefault(e.getKey(), ""),
                    e.getValue()))
        .findFirst();
  }
}
