package io.nightsweep.sweep;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A sweep as it was started, fully expanded: later edits of files do not change it.
 *
 * @param workload the workload's kind, such as {@code kernels}
 * @param settings the workload's own settings
 * @param configTags at least one; the first is the primary one, on which profiles are screened
 * @param profiles all candidates and baselines that the plan names
 * @param catalogs the source of the profiles and of further ones
 */
public record SweepSpec(
    Cell cell,
    String workload,
    SortedMap<String, String> settings,
    Metric metric,
    List<ConfigTag> configTags,
    List<Profile> profiles,
    Plan plan,
    Budget budget,
    Policy policy,
    Playbook playbook,
    List<Catalog> catalogs) {
  /**
   * The workload's setting for {@link #screeningSteps}. A kind with jobs that cannot run fewer
   * steps refuses it.
   */
  public static final String SCREENING_STEPS = "screeningSteps";

  private static final Pattern STEPS = Pattern.compile("[1-9][0-9]{0,5}");

  /** A window with fewer steps shows too little. */
  public static final int FEWEST_IN_WINDOW = 3;

  public SweepSpec {
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    configTags = List.copyOf(configTags);
    profiles = List.copyOf(profiles);
    catalogs = List.copyOf(catalogs);
  }

  public ConfigTag primaryTag() {
    return configTags.getFirst();
  }

  /** How many profiles are tried: all except the deployed state and the image's defaults. */
  public int candidates() {
    return (int)
        profiles.stream()
            .filter(p -> !p.isBaseline() && !p.name().equals(Profile.BASELINE_NO_ENV))
            .count();
  }

  public Optional<Profile> profile(String name) {
    return profiles.stream().filter(p -> p.name().equals(name)).findFirst();
  }

  /** The profiles of the sweep and of each of the plan's alternatives. */
  public List<Profile> everyProfile() {
    return Stream.concat(
            profiles.stream(), plan.alternatives().stream().flatMap(a -> a.profiles().stream()))
        .distinct()
        .toList();
  }

  /**
   * Whether the optimised HLO shows everything that the profile changes: it sets only flags, and
   * the catalogs state for each that the compiler reads it only in passes over the HLO.
   */
  public boolean isAllInHlo(Profile profile) {
    return profile.base() == Profile.Base.DEPLOYED
        && profile.env().isEmpty()
        && profile.overrides().isEmpty()
        && !profile.flags().isEmpty()
        && profile.flags().keySet().stream().allMatch(this::isReadByPassesOnly);
  }

  /**
   * Whether the trial's job shows which program its profile compiles to: the first job of the
   * baseline, and the first look at a profile that changes only the HLO.
   *
   * @param profile the trial's
   */
  public boolean tellsProgram(Trial trial, Profile profile) {
    boolean first = trial.repetition() == 1 && trial.configTag().equals(primaryTag().name());
    return switch (trial.purpose()) {
      case CONTROL -> first && profile.isBaseline();
      case SCREEN -> first && isAllInHlo(profile);
      case PROBE,
          EVIDENCE,
          CONFIRM,
          CONFIRM_CONTROL,
          CROSS_CHECK,
          CROSS_CONTROL,
          VALIDATE,
          NODE_GATE ->
          false;
    };
  }

  /** The number of steps of a screening or racing job; empty if all jobs run all steps. */
  public OptionalInt screeningSteps() {
    String steps = settings.getOrDefault(SCREENING_STEPS, "");
    return STEPS.matcher(steps).matches()
        ? OptionalInt.of(Integer.parseInt(steps))
        : OptionalInt.empty();
  }

  /** This sweep with screening jobs of this many steps. */
  public SweepSpec screening(int steps) {
    TreeMap<String, String> more = new TreeMap<>(settings);
    more.put(SCREENING_STEPS, Integer.toString(steps));
    return with(cell, more, profiles, plan, budget, policy);
  }

  /**
   * How many steps the trial's job should run; empty if it runs all of them. First looks and the
   * race may be short, with their controls. Evidence, fresh runs and runs on another config tag are
   * whole. A short run is never compared with a whole one.
   */
  public OptionalInt shortSteps(Trial trial) {
    boolean screens =
        switch (trial.purpose()) {
          case CONTROL, SCREEN -> true;
          case PROBE,
              CONFIRM,
              CONFIRM_CONTROL,
              EVIDENCE,
              CROSS_CHECK,
              CROSS_CONTROL,
              VALIDATE,
              NODE_GATE ->
              false;
        };
    return screens && trial.configTag().equals(primaryTag().name())
        ? screeningSteps()
        : OptionalInt.empty();
  }

  private boolean isReadByPassesOnly(String flag) {
    return catalogs.stream()
        .flatMap(catalog -> catalog.entries().stream())
        .filter(entry -> entry.target() == Catalog.Target.FLAG && entry.passesOnly())
        .anyMatch(
            entry ->
                entry.setting().equals(flag)
                    || entry.candidates().stream().anyMatch(c -> c.flags().containsKey(flag)));
  }

  /** This sweep with another axis as the dominant one; the axis cannot be chosen again. */
  SweepSpec led(Plan.Alternative by) {
    return with(
        cell,
        settings,
        by.profiles(),
        new Plan(plan.template(), by.waves(), plan.notApplicable(), by.candidates(), List.of()),
        budget,
        policy);
  }

  public SweepSpec on(List<String> nodes) {
    return with(cell.on(nodes), settings, profiles, plan, budget, policy);
  }

  public SweepSpec with(Plan other) {
    return with(cell, settings, profiles, other, budget, policy);
  }

  public SweepSpec within(Budget other) {
    return with(cell, settings, profiles, plan, other, policy);
  }

  public SweepSpec with(Policy other) {
    return with(cell, settings, profiles, plan, budget, other);
  }

  private SweepSpec with(
      Cell newCell,
      SortedMap<String, String> newSettings,
      List<Profile> newProfiles,
      Plan newPlan,
      Budget newBudget,
      Policy newPolicy) {
    return new SweepSpec(
        newCell,
        workload,
        newSettings,
        metric,
        configTags,
        newProfiles,
        newPlan,
        newBudget,
        newPolicy,
        playbook,
        catalogs);
  }
}
