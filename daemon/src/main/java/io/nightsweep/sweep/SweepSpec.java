package io.nightsweep.sweep;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A sweep as it was started, fully expanded: no later edit of a file changes it.
 *
 * @param workload the workload's kind, such as {@code kernels}
 * @param settings the workload's own settings
 * @param configTags at least one; the first is the primary one, on which profiles are screened
 * @param profiles all candidates and baselines that the plan names
 * @param catalogs what the profiles were drawn from, and what further ones may be
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
  public SweepSpec {
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
    configTags = List.copyOf(configTags);
    profiles = List.copyOf(profiles);
    catalogs = List.copyOf(catalogs);
  }

  public ConfigTag primaryTag() {
    return configTags.getFirst();
  }

  public Optional<Profile> profile(String name) {
    return profiles.stream().filter(p -> p.name().equals(name)).findFirst();
  }

  /** Those of the plan and of each of its alternatives. */
  public List<Profile> everyProfile() {
    return Stream.concat(
            profiles.stream(), plan.alternatives().stream().flatMap(a -> a.profiles().stream()))
        .distinct()
        .toList();
  }

  /** The sweep with another axis as the dominant one; that was the last choice of it. */
  SweepSpec led(Plan.Alternative by) {
    return new SweepSpec(
        cell,
        workload,
        settings,
        metric,
        configTags,
        by.profiles(),
        new Plan(plan.template(), by.waves(), plan.notApplicable(), by.candidates(), List.of()),
        budget,
        policy,
        playbook,
        catalogs);
  }

  public SweepSpec on(List<String> nodes) {
    return with(cell.on(nodes), plan, budget);
  }

  public SweepSpec with(Plan other) {
    return with(cell, other, budget);
  }

  public SweepSpec within(Budget other) {
    return with(cell, plan, other);
  }

  public SweepSpec with(Policy other) {
    return with(cell, plan, budget, other);
  }

  private SweepSpec with(Cell newCell, Plan newPlan, Budget newBudget) {
    return with(newCell, newPlan, newBudget, policy);
  }

  private SweepSpec with(Cell newCell, Plan newPlan, Budget newBudget, Policy newPolicy) {
    return new SweepSpec(
        newCell,
        workload,
        settings,
        metric,
        configTags,
        profiles,
        newPlan,
        newBudget,
        newPolicy,
        playbook,
        catalogs);
  }
}
