package io.nightsweep.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.workload.SweepSettings.Section;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each kind of workload says of jobs with fewer steps. */
@Tag("hours")
class ShortJobsTest {

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          maxtext,  7,    expected 8 to 14 steps
          maxtext,  8,    -
          maxtext,  14,   -
          maxtext,  15,   expected 8 to 14 steps
          maxtext,  few,  expected 8 to 14 steps
          command,  4,    expected fewer than a whole job has
          command,  5,    -
          command,  9,    -
          command,  10,   expected fewer than a whole job has
          kernels,  8,    setting of allreduce
          """)
  void eachKindSaysWhetherItsJobsCanBeShorter(String kind, String steps, String problem) {
    Map<String, Optional<String>> own = new LinkedHashMap<>();
    Map<String, Map<String, String>> settings =
        Map.of(
            "maxtext", Map.of("repository", "/r"),
            "command",
                Map.of(
                    "command", "./run",
                    "pattern", "(?<step>[0-9]+) (?<value>[0-9]+)",
                    "steps", "10",
                    "windowFrom", "2"),
            "kernels", Map.of("kernel", "allreduce", "sizes", "1024"));
    settings.getOrDefault(kind, Map.of()).forEach((k, v) -> own.put(k, Optional.of(v)));
    own.put(SweepSpec.SCREENING_STEPS, Optional.of(steps));
    List<SettingProblem> problems =
        Workloads.find(kind)
            .orElseThrow()
            .check(
                new SweepSettings(
                    new Section(List.of("workload"), new LinkedHashMap<>(own)), List.of()));
    if (problem.equals("-")) {
      assertThat(problems).isEmpty();
    } else {
      assertThat(problems)
          .singleElement()
          .satisfies(p -> assertThat(p.path()).containsExactly("workload", "screeningSteps"))
          .asString()
          .contains(problem);
    }
  }

  @Test
  void aCommandIsToldHowManyStepsItsJobRuns() throws Exception {
    assertThat(env(Purpose.SCREEN)).containsEntry("NIGHTSWEEP_STEPS", "5");
    assertThat(env(Purpose.CONTROL)).containsEntry("NIGHTSWEEP_STEPS", "5");
    assertThat(env(Purpose.CONFIRM)).containsEntry("NIGHTSWEEP_STEPS", "10");
  }

  private static Map<String, String> env(Purpose purpose) throws UnsupportedTrialException {
    SweepSpec any = Specs.screening(List.of("p1"), Optional.empty(), 1);
    TreeMap<String, String> settings =
        new TreeMap<>(
            Map.of(
                "command",
                "./run",
                "pattern",
                "(?<step>[0-9]+)",
                "steps",
                "10",
                "windowFrom",
                "2"));
    SweepSpec spec =
        new SweepSpec(
                any.cell(),
                "command",
                settings,
                any.metric(),
                any.configTags(),
                any.profiles(),
                any.plan(),
                any.budget(),
                any.policy(),
                any.playbook(),
                any.catalogs())
            .screening(5);
    TrialId id = new TrialId(1);
    Workload.Launch launch =
        Workloads.find("command")
            .orElseThrow()
            .open(Path.of(""))
            .launch(
                new Workload.LaunchRequest(
                    spec,
                    new Trial(id, "w", 1, purpose, "p1", spec.primaryTag().name(), 1),
                    spec.profile("p1").orElseThrow(),
                    spec.primaryTag(),
                    new AttemptId(id, 1),
                    "job",
                    Path.of("out")));
    return ((Workload.Launch.Payload) launch).env();
  }
}
