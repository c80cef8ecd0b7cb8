package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Recognition;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each pattern of the playbooks that quiets a line, as benign or as an echo, is needed: of a log in
 * {@code quiet-lines.txt} something else is concluded or quoted without it.
 */
@Tag("xla")
class QuietLinesTest {
  private static final Path LOGS = Path.of("src/test/resources/quiet-lines.txt");

  @TempDir private Path folder;

  @Test
  void withoutAnyOfThemSomethingElseIsConcluded() throws Exception {
    Recognition all = recognition();
    List<String> logs = Arrays.stream(Files.readString(LOGS).split("(?m)^--\\R")).toList();
    Map<String, List<Object>> concluded = new HashMap<>();
    for (String log : logs) {
      concluded.put(log, concluded(all, log));
    }
    TreeSet<String> idle = new TreeSet<>(all.benign());
    idle.addAll(all.echoes());
    for (String pattern : List.copyOf(idle)) {
      Recognition without =
          new Recognition(
              without(all.benign(), pattern),
              without(all.echoes(), pattern),
              all.errors(),
              all.marks(),
              all.readings(),
              all.classes());
      Pattern quiets = Pattern.compile(pattern);
      for (String log : logs) {
        if (log.lines().anyMatch(line -> quiets.matcher(line).find())
            && !concluded(without, log).equals(concluded.get(log))) {
          idle.remove(pattern);
          break;
        }
      }
    }
    assertThat(idle).isEmpty();
  }

  /** The measurement is whole; how sure it is that nothing else was wrong depends on the end. */
  @Test
  void aTeardownIsTheSurerTheMoreUsualItIs() throws Exception {
    String log =
        "0: completed step: 14, seconds: 25.2, TFLOP/s/device: 1, Tokens/s/device: 9, loss: 8\n";
    assertThat(teardown(log, 143, JobEnd.State.FAILED)).isEqualTo(0.99);
    assertThat(teardown(log, 1, JobEnd.State.FAILED)).isEqualTo(0.95);
    assertThat(teardown(log, 7, JobEnd.State.COMPLETED)).isEqualTo(0.9);
  }

  private double teardown(String log, int exit, JobEnd.State state) throws Exception {
    Diagnosis found = diagnose(recognition(), log, exit, state, 14);
    assertThat(found.failureClass()).isEqualTo("soft-success");
    return found.confidence();
  }

  private static Recognition recognition() throws Exception {
    return new Playbooks(Resources.beside(Path.of("sweep.yaml")))
        .read("maxtext-rocm")
        .recognition();
  }

  private static List<String> without(List<String> patterns, String pattern) {
    List<String> rest = new ArrayList<>(patterns);
    rest.remove(pattern);
    return rest;
  }

  /** Of a failed job, and of a log whose end nobody knows. */
  private List<Object> concluded(Recognition by, String log) throws Exception {
    Diagnosis ended = diagnose(by, log, 1, JobEnd.State.FAILED, -1);
    return List.of(
        ended, new LogTriage(by, Workloads::hearSteps).running(folder.resolve("job.log"), 15));
  }

  private Diagnosis diagnose(Recognition by, String text, int exit, JobEnd.State state, int step)
      throws Exception {
    return new PlaybookDiagnoser(by, Workloads::hearSteps)
        .diagnose(
            new AttemptId(new TrialId(1), 1),
            new JobEnd(state, exit, Optional.empty(), Instant.EPOCH, JobEnd.Source.EXIT_RECORD),
            new JobLog(Files.writeString(folder.resolve("job.log"), text)),
            step,
            15,
            Optional.empty());
  }
}
