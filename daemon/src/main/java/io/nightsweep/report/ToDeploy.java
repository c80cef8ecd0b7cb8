package io.nightsweep.report;

import io.nightsweep.conductor.RealData;
import io.nightsweep.conductor.Standings;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Says in one line what a person must set to use a sweep's winner. */
public final class ToDeploy {
  private ToDeploy() {}

  /**
   * The file to source, and the workload's settings that no file sets.
   *
   * @param reports of the sweep
   * @return empty where nothing is to be deployed
   */
  public static List<String> parts(Path reports, SweepState s) {
    return Standings.winner(s)
        .map(winner -> s.profile(winner.profile()))
        .filter(profile -> RealData.of(s, profile).deploys())
        .map(profile -> parts(ReportWriter.patch(reports, s), profile))
        .orElse(List.of());
  }

  private static List<String> parts(Path file, Profile profile) {
    List<String> parts = new ArrayList<>();
    boolean isOfOverridesAlone =
        !profile.overrides().isEmpty() && profile.flags().isEmpty() && profile.env().isEmpty();
    if (!isOfOverridesAlone && Files.exists(file)) {
      parts.add(file.toString());
    }
    if (!profile.overrides().isEmpty()) {
      parts.add("set " + DeploymentSection.overrides(profile) + " (settings of the workload)");
    }
    return parts;
  }
}
