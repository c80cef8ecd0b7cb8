package io.nightsweep.plan;

import io.nightsweep.workload.kernels.KernelsWorkload;
import java.util.Set;

/** Holds a sweep file's kernel settings against those that exist: a typo is no silent default. */
final class KernelSettings {
  private static final String KERNEL = "kernel";
  private static final String SIZES = "sizes";

  private final Problems problems;

  private KernelSettings(Problems problems) {
    this.problems = problems;
  }

  static void check(Yaml.Mapping root, Problems problems) {
    new KernelSettings(problems).check(root);
  }

  private void check(Yaml.Mapping root) {
    Yaml.Mapping workload = root.mapping("workload");
    if (workload.scalar(KERNEL).isEmpty()) {
      problems.add(
          root.placeOf("workload"),
          "'kernel' is missing in 'workload'",
          "expected one of " + String.join(", ", KernelsWorkload.kernels()));
      return;
    }
    String kernel = kernel(workload);
    mapping(workload, kernel);
    Yaml.Mapping tags = root.mapping("configTags");
    tags.entries().keySet().forEach(tag -> mapping(tags.mapping(tag), kernel));
    Yaml.Mapping profiles = root.mapping("profiles");
    profiles
        .entries()
        .keySet()
        .forEach(name -> mapping(profiles.mapping(name).mapping("overrides"), kernel));
  }

  private static String kernel(Yaml.Mapping settings) {
    return settings.text(KERNEL).orElseThrow();
  }

  private void mapping(Yaml.Mapping settings, String inherited) {
    String kernel = settings.text(KERNEL).orElse(inherited);
    if (!KernelsWorkload.kernels().contains(kernel)) {
      settings
          .scalar(KERNEL)
          .ifPresent(
              s ->
                  problems.add(
                      Problem.unknown(s.place(), KERNEL, kernel, KernelsWorkload.kernels())));
      return;
    }
    Set<String> known = KernelsWorkload.settings(kernel);
    for (Yaml.Entry entry : settings.entries().values()) {
      if (!known.contains(entry.key()) && !entry.key().equals("kind")) {
        problems.add(Problem.unknown(entry.keyPlace(), "setting of " + kernel, entry.key(), known));
      }
    }
    settings
        .get(SIZES)
        .filter(v -> !(v instanceof Yaml.Scalar s) || s.text().contains(","))
        .ifPresent(
            v ->
                problems.add(
                    v.place(),
                    "'sizes' is more than one size",
                    "a cell measures one; make a config tag of each"));
  }
}
