package io.nightsweep.workload.kernels;

import io.nightsweep.workload.SettingProblem;
import io.nightsweep.workload.SettingProblem.Unfit;
import io.nightsweep.workload.SettingProblem.Unknown;
import io.nightsweep.workload.SweepSettings;
import io.nightsweep.workload.SweepSettings.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks a sweep file's kernel settings. */
final class KernelChecks {
  private static final String KERNEL = "kernel";
  private static final String SIZES = "sizes";

  private final List<SettingProblem> problems = new ArrayList<>();

  private KernelChecks() {}

  static List<SettingProblem> of(SweepSettings settings) {
    Section own = settings.own();
    Optional<String> kernel = own.text(KERNEL);
    if (kernel.isEmpty()) {
      return List.of(
          new Unfit(
              own.path(),
              true,
              "'kernel' is missing in 'workload'",
              "expected one of " + String.join(", ", KernelCase.kernels())));
    }
    KernelChecks checks = new KernelChecks();
    checks.section(own, kernel.get());
    settings.variants().forEach(variant -> checks.section(variant, kernel.get()));
    return checks.problems;
  }

  private void section(Section section, String inherited) {
    String kernel = section.text(KERNEL).orElse(inherited);
    if (!KernelCase.kernels().contains(kernel)) {
      if (section.text(KERNEL).isPresent()) {
        problems.add(
            new Unknown(section.path(KERNEL), false, KERNEL, kernel, KernelCase.kernels()));
      }
      return;
    }
    Set<String> known = KernelCase.settings(kernel);
    for (String key : section.values().keySet()) {
      if (!known.contains(key) && !key.equals("kind")) {
        problems.add(new Unknown(section.path(key), true, "setting of " + kernel, key, known));
      }
    }
    if (section.values().containsKey(SIZES)
        && section.text(SIZES).map(text -> text.contains(",")).orElse(true)) {
      problems.add(
          new Unfit(
              section.path(SIZES),
              false,
              "'sizes' is more than one size",
              "a cell measures one; make a config tag of each"));
    }
  }
}
