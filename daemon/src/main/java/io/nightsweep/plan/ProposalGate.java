package io.nightsweep.plan;

import io.nightsweep.files.Plain;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Decides what an assistant or a model may run on the cluster. Variables and settings must be among
 * those that the sweep offers, with offered values ({@link Offer}). A flag outside the catalogs
 * must belong to a family that orders or overlaps work, and its value must be true, false or a
 * whole number, so that it cannot carry anything else. Settings that change what is trained pass
 * only if a run on real data is described; a person must approve them.
 */
public final class ProposalGate {
  /**
   * XLA flags that name files, folders or programs, that dump and load them ({@code
   * xla/debug_options_flags.cc}), or that pass options to other programs.
   */
  private static final Pattern FILES =
      Pattern.compile(
          "--xla_.*(dump|_dir|_path|_file|_load_|_from_|_to$|_output|_cache|profile_version|hlo_pass|extra_options|extra_flags|llvm|ptx|asm_|plugin|library|libdevice).*");

  /** Flags that trade exactness for speed: with them, the program no longer computes the same. */
  private static final Pattern NUMERICS =
      Pattern.compile(
          "--xla_.*(fast_math|fast_min_max|excess_precision|precision|quantiz|fp8|unsafe|nan|simplify_all_fp|f16|bf16|tf32|int4|int8|mock|skip|dry_run|host_to_device|backend_optimization_level|ftz|rtol|atol|tolerance|_rng|approx|reassoc|strict_dot|promotion|offload|override_gemm|split_k|device_count|inflation_factor).*");

  /** Flags that order, group, overlap or place work without changing what is computed. */
  private static final Pattern FAMILIES =
      Pattern.compile(
          "--xla_.*(overlap|async|pipelin|latency_hiding|schedul|collective|all_gather|all_reduce|reduce_scatter|all_to_all|permute|combine|threshold|stream|graph|command_buffer|prefetch|priority|memory|nccl|double_buffer|unroll|fusion|windowed|hoist|remat).*");

  private static final Pattern FLAG = Pattern.compile("--xla_[a-z0-9_]{1,120}");

  /** A boolean or an integer: it cannot name a file or hide a further option. */
  private static final Pattern BARE = Pattern.compile("true|false|-?[0-9]{1,18}");

  /**
   * Variables that control launchers, interpreters and loaders; refused even if a catalog has them.
   */
  private static final Pattern LOADERS =
      Pattern.compile(
          "(?i)LD_.*|DYLD_.*|BASH.*|SHELL.*|ENV|IFS|PS[0-4]|PROMPT_COMMAND|CDPATH|PATH|HOME|USER|TMPDIR|EDITOR|PYTHON.*|PERL.*|RUBY.*|NODE_.*|JAVA_.*|JDK_.*|GIT_.*|SSH_.*|SLURM_.*|SBATCH_.*|SRUN_.*|DOCKER_.*|KUBE.*|AWS_.*|GOOGLE_.*|XLA_FLAGS|LIBTPU_.*|PMIX_.*|PRTE_.*|HYDRA_.*|.*PROXY.*|.*PLUGIN.*|.*LIBRARY.*|.*PRELOAD.*|.*INJECTION.*|.*TOOLS.*|.*_LIBS?|.*_FILE|.*_DIR|.*_PATH|.*_FLAGS|.*_OPTS|.*_OPTIONS|.*_ARGS|.*_CMD|.*_COMMAND|.*_AGENT");

  private static final Pattern PLAIN_VALUE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+-]{0,39}");

  private ProposalGate() {}

  /**
   * Why the profiles are refused; empty if they are acceptable. Only the first problem is reported.
   */
  public static Optional<Statement> refusal(List<Profile> profiles, SweepSpec spec) {
    return profiles.stream().flatMap(p -> refusal(p, spec).stream()).findFirst();
  }

  /**
   * Why an assistant may not start the sweep; empty if it may. The file's variables and settings
   * are allowed, since a person reads the whole file before the start. Variables for loaders and
   * the flags of its profiles must obey the same rules as a proposal.
   */
  public static Optional<Statement> refusalToStart(SweepSpec spec) {
    Stream<Optional<Statement>> cell =
        spec.settings().keySet().stream()
            .filter(setting -> setting.startsWith("env."))
            .map(setting -> setting.substring("env.".length()))
            .filter(variable -> LOADERS.matcher(variable).matches())
            .map(
                variable ->
                    Optional.of(
                        Statement.phrase(
                            "gate-refused-workload", variable, Statement.phrase(LOADER))));
    Stream<Optional<Statement>> profiles =
        spec.everyProfile().stream()
            .map(p -> flags(p, Offer.ofCatalogs(spec, Catalog.Target.FLAG)).or(() -> loader(p)));
    return Stream.concat(cell, profiles).flatMap(Optional::stream).findFirst();
  }

  private static Optional<Statement> refusal(Profile profile, SweepSpec spec) {
    return flags(profile, Offer.of(spec, Catalog.Target.FLAG))
        .or(() -> loader(profile))
        .or(
            () ->
                offered(
                    profile, profile.env(), Offer.of(spec, Catalog.Target.ENV), "gate-variable"))
        .or(() -> overrides(profile, spec));
  }

  private static Optional<Statement> flags(Profile profile, Offer offer) {
    for (Map.Entry<String, String> set : profile.flags().entrySet()) {
      String flag = set.getKey();
      if (!FLAG.matcher(flag).matches()) {
        return refused(profile, flag, "gate-flag");
      }
      if (FILES.matcher(flag).matches()) {
        return refused(profile, flag, "gate-files");
      }
      if (NUMERICS.matcher(flag).matches()) {
        return refused(profile, flag, "gate-numerics");
      }
      if (offer.knows(flag)) {
        Optional<Statement> expected = offer.misfit(flag, set.getValue());
        if (expected.isPresent()) {
          return value(profile, set, expected.get());
        }
      } else if (!FAMILIES.matcher(flag).matches()) {
        return refused(profile, flag, "gate-no-family");
      } else if (!BARE.matcher(set.getValue()).matches()) {
        return value(profile, set, Statement.phrase("gate-bare"));
      }
    }
    return Optional.empty();
  }

  private static final String LOADER = "gate-loader";

  private static Optional<Statement> loader(Profile profile) {
    return profile.env().keySet().stream()
        .filter(variable -> LOADERS.matcher(variable).matches())
        .findFirst()
        .flatMap(variable -> refused(profile, variable, LOADER));
  }

  private static Optional<Statement> offered(
      Profile profile, Map<String, String> settings, Offer offer, String unoffered) {
    for (Map.Entry<String, String> set : settings.entrySet()) {
      if (!offer.knows(set.getKey())) {
        return refused(profile, set.getKey(), unoffered);
      }
      Optional<Statement> expected = offer.misfit(set.getKey(), set.getValue());
      if (expected.isPresent()) {
        return value(profile, set, expected.get());
      }
    }
    return Optional.empty();
  }

  private static Optional<Statement> overrides(Profile profile, SweepSpec spec) {
    SortedSet<String> moved = WhatIsTrained.moved(profile);
    if (!moved.isEmpty() && !WhatIsTrained.canBeValidated(spec)) {
      return refused(profile, String.join(", ", moved), "gate-trained");
    }
    for (String setting : moved) {
      String value = profile.overrides().getOrDefault(setting, "");
      if (!PLAIN_VALUE.matcher(value).matches()) {
        return value(profile, Map.entry(setting, value), Statement.phrase("gate-plain"));
      }
    }
    TreeMap<String, String> others = new TreeMap<>(profile.overrides());
    others.keySet().removeAll(moved);
    return offered(profile, others, Offer.of(spec, Catalog.Target.OVERRIDE), "gate-setting");
  }

  private static Optional<Statement> value(
      Profile profile, Map.Entry<String, String> set, Statement expected) {
    return refused(
        profile,
        set.getKey(),
        Statement.phrase("gate-value", Plain.text(set.getValue(), 60), expected));
  }

  private static Optional<Statement> refused(Profile profile, String name, String why) {
    return refused(profile, name, Statement.phrase(why));
  }

  private static Optional<Statement> refused(Profile profile, String name, Statement why) {
    return Optional.of(Statement.phrase("gate-refused", profile.name(), name, why));
  }
}
