package io.nightsweep.triage;

import static java.util.Collections.disjoint;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each playbook pattern that quiets a line, as benign or as an echo, is needed: without it the
 * conclusion or quote for a log in {@code quiet-lines.txt} changes.
 */
@Tag("xla")
class QuietLinesTest {
  private static final Path LOGS = Path.of("src/test/resources/quiet-lines.txt");

  @TempDir private Path folder;

  @Test
  void withoutAnyOfThemSomethingElseIsConcluded() throws Exception {
    Recognition all = recognition();
    Reader reader = new Reader(all);
    List<String> logs = Arrays.stream(Files.readString(LOGS).split("(?m)^--\\R")).toList();
    Map<String, List<Object>> concluded = new HashMap<>();
    for (String log : logs) {
      concluded.put(log, concluded(reader, log));
    }
    TreeSet<String> idle = new TreeSet<>(all.benign());
    idle.addAll(all.echoes());
    for (Map<String, List<String>> group : apart(idle, logs)) {
      Reader without =
          new Reader(
              new Recognition(
                  without(all.benign(), group.keySet()),
                  without(all.echoes(), group.keySet()),
                  all.errors(),
                  all.marks(),
                  all.readings(),
                  all.classes()));
      for (Map.Entry<String, List<String>> pattern : group.entrySet()) {
        for (String log : pattern.getValue()) {
          if (!concluded(without, log).equals(concluded.get(log))) {
            idle.remove(pattern.getKey());
            break;
          }
        }
      }
    }
    assertThat(idle).isEmpty();
  }

  /**
   * The patterns with the logs in which each finds a line, in groups of patterns that share no log:
   * a log reads the same without a whole group as without the one pattern. Patterns take seconds to
   * compile, so groups save time.
   */
  private static List<Map<String, List<String>>> apart(Set<String> patterns, List<String> logs) {
    List<Map<String, List<String>>> groups = new ArrayList<>();
    for (String pattern : patterns) {
      Pattern quiets = Pattern.compile(pattern);
      List<String> found =
          logs.stream().filter(log -> log.lines().anyMatch(l -> isFound(quiets, l))).toList();
      Map<String, List<String>> group =
          groups.stream()
              .filter(
                  others -> others.values().stream().allMatch(logsOf -> disjoint(logsOf, found)))
              .findFirst()
              .orElseGet(
                  () -> {
                    groups.add(new TreeMap<>());
                    return groups.getLast();
                  });
      group.put(pattern, found);
    }
    return groups;
  }

  /** With or without its rank's prefix. */
  private static boolean isFound(Pattern pattern, String line) {
    return pattern.matcher(line).find()
        || pattern.matcher(line.replaceFirst("^ *\\d+: ", "")).find();
  }

  /** The measurement is complete; the certainty that nothing else was wrong depends on the end. */
  @Test
  void aTeardownIsTheSurerTheMoreUsualItIs() throws Exception {
    String log =
        "0: completed step: 14, seconds: 25.2, TFLOP/s/device: 1, Tokens/s/device: 9, loss: 8\n";
    assertThat(teardown(log, 143, JobEnd.State.FAILED)).isEqualTo(0.99);
    assertThat(teardown(log, 1, JobEnd.State.FAILED)).isEqualTo(0.95);
    assertThat(teardown(log, 7, JobEnd.State.COMPLETED)).isEqualTo(0.9);
  }

  private double teardown(String log, int exit, JobEnd.State state) throws Exception {
    Diagnosis found = diagnose(new Reader(recognition()), log, exit, state, 14);
    assertThat(found.failureClass()).isEqualTo("soft-success");
    return found.confidence();
  }

  private static Recognition recognition() throws Exception {
    return new Playbooks(Resources.beside(Path.of("sweep.yaml")))
        .read("maxtext-rocm")
        .recognition();
  }

  private static List<String> without(List<String> patterns, Set<String> left) {
    return patterns.stream().filter(p -> !left.contains(p)).toList();
  }

  /** Diagnoses the log as a failed job's, and as one with an unknown end. */
  private List<Object> concluded(Reader by, String log) throws Exception {
    Diagnosis ended = diagnose(by, log, 1, JobEnd.State.FAILED, -1);
    return List.of(ended, by.alone().running(folder.resolve("job.log"), 15));
  }

  /** Reads many logs with the same patterns, which take long to compile. */
  private record Reader(PlaybookDiagnoser ended, LogTriage alone) {
    Reader(Recognition by) {
      this(
          new PlaybookDiagnoser(by, Workloads::hearSteps), new LogTriage(by, Workloads::hearSteps));
    }
  }

  private Diagnosis diagnose(Reader by, String text, int exit, JobEnd.State state, int step)
      throws Exception {
    return by.ended()
        .diagnose(
            new AttemptId(new TrialId(1), 1),
            new JobEnd(state, exit, Optional.empty(), Instant.EPOCH, JobEnd.Source.EXIT_RECORD),
            new JobLog(Files.writeString(folder.resolve("job.log"), text)),
            step,
            15,
            Optional.empty());
  }
}
