package io.nightsweep.plan;

import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What an assistant or a model may propose to run on the cluster. A person may write more into a
 * sweep file; what a program proposes sets catalogued variables and settings, and no flag that
 * writes or reads files or that changes what the program computes. Settings that say what is
 * trained pass as well; a person has to approve them.
 */
public final class ProposalGate {
  /**
   * XLA's flags that name files, folders or programs, or that dump and load them ({@code
   * xla/debug_options_flags.cc}).
   */
  private static final Pattern FILES =
      Pattern.compile(
          "--xla_.*(dump|_dir|_path|_file|_load_|_from_|_to$|_output|_cache|profile_version|hlo_pass|disable_hlo_passes|enable_hlo_passes).*");

  /** Flags that trade exactness for speed: a gain by them is another program's. */
  private static final Pattern NUMERICS =
      Pattern.compile(
          "--xla_.*(fast_math|fast_min_max|excess_precision|precision|quantiz|fp8|unsafe|nan|simplify_all_fp|f16|bf16|tf32|int4|int8|mock|skip|dry_run|host_to_device|backend_optimization_level).*");

  private static final Pattern FLAG = Pattern.compile("--xla_[a-z0-9_]{1,120}");

  /** What a launcher, an interpreter or the loader of programs obeys, whatever a catalog says. */
  private static final Pattern LOADERS =
      Pattern.compile(
          "LD_.*|BASH_.*|ENV|IFS|PATH|HOME|SHELL|PYTHON.*|PERL.*|JAVA_.*|JDK_.*|GIT_.*|SLURM_.*|SBATCH_.*|DOCKER_.*|XLA_FLAGS|LIBTPU_.*|.*_PLUGIN.*|.*_LIBRARY.*|.*PRELOAD.*|.*_FILE|.*_DIR|.*_PATH");

  private static final Pattern PLAIN_VALUE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+-]{0,39}");

  private ProposalGate() {}

  /** Why the profiles are not taken; empty where they are. The first fault alone is told. */
  public static Optional<String> refusal(List<Profile> profiles, SweepSpec spec) {
    return profiles.stream().flatMap(p -> refusal(p, spec).stream()).findFirst();
  }

  private static Optional<String> refusal(Profile profile, SweepSpec spec) {
    for (String flag : profile.flags().keySet()) {
      if (!FLAG.matcher(flag).matches()) {
        return refused(profile, flag, "expected a flag of XLA, --xla_...");
      }
      if (FILES.matcher(flag).matches()) {
        return refused(profile, flag, "it reads or writes files, or changes the compiler's passes");
      }
      if (NUMERICS.matcher(flag).matches()) {
        return refused(profile, flag, "it can change what the program computes");
      }
    }
    Set<String> variables = known(spec, Catalog.Target.ENV);
    spec.profiles().forEach(p -> variables.addAll(p.env().keySet()));
    for (String variable : profile.env().keySet()) {
      if (LOADERS.matcher(variable).matches() || !variables.contains(variable)) {
        return refused(profile, variable, "expected a variable of the sweep's catalogs");
      }
    }
    Set<String> settings = known(spec, Catalog.Target.OVERRIDE);
    Set<String> moved = WhatIsTrained.moved(profile);
    if (!moved.isEmpty() && !WhatIsTrained.canBeValidated(spec)) {
      return refused(
          profile,
          String.join(", ", moved),
          "it changes what is trained, and the sweep file does not say by workload.validation what"
              + " a run on real data is, without which nothing of it could be deployed");
    }
    for (Map.Entry<String, String> override : profile.overrides().entrySet()) {
      boolean fits =
          moved.contains(override.getKey()) && PLAIN_VALUE.matcher(override.getValue()).matches();
      if (!settings.contains(override.getKey()) && !fits) {
        return refused(
            profile,
            override.getKey(),
            "expected a setting of the sweep's catalogs, or a plain value of one that says what is"
                + " trained, such as a batch size, which a person has to approve");
      }
    }
    return Optional.empty();
  }

  private static Set<String> known(SweepSpec spec, Catalog.Target target) {
    Set<String> names = new TreeSet<>();
    for (Catalog catalog : spec.catalogs()) {
      catalog.entries().stream()
          .filter(e -> e.target() == target)
          .forEach(e -> names.add(e.setting()));
    }
    return names;
  }

  private static Optional<String> refused(Profile profile, String name, String why) {
    return Optional.of(
        "profile %s sets '%s', which nobody may propose: %s. A person can add it: nightsweep add"
            .formatted(profile.name(), name, why));
  }
}
