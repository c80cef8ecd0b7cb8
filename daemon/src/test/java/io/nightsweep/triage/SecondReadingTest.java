package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.journal.Json;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packed playbook reads the real launcher's logs of failing profiles as {@code
 * bench/real/second-reading} requires, so that a change of the playbook does not break a run that
 * takes an hour.
 */
@Tag("xla")
class SecondReadingTest {
  private static final Path SCRIPT = Path.of("bench/real/second-reading");
  private static final Pattern JUDGED =
      Pattern.compile("(?m)^ {4}\"([\\w-]+)\": \\((\\d+), \"([\\w-]+)\"\\),$");

  /**
   * From the real launcher and MaxText's release of 30 December 2025, with fewer frames and keys.
   */
  private static final Map<String, String> LOGS =
      Map.of(
          "one-rank",
          """
          1: Traceback (most recent call last):
          1:   File "site-packages/jax/_src/xla_bridge.py", line 876, in _init_backend
          1:     raise RuntimeError(
          1: RuntimeError: Backend 'lost' is not in the list of known backends: ['cpu', 'tpu'].
          1:\s
          1: During handling of the above exception, another exception occurred:
          1:\s
          1: Traceback (most recent call last):
          1:   File "/workspace/maxtext/src/MaxText/train.py", line 573, in main
          1:     config, recorder, diagnostic_config = initialize(argv)
          1: RuntimeError: Unable to initialize backend 'lost': Backend 'lost' is not in the list of known backends: ['cpu', 'tpu']. (set JAX_PLATFORMS='' to automatically choose an available backend)
          1: + _train_rc=1
          1: + exit 1
          1: NODE_EXIT host=n2 exit=1
          srun: error: n2: task 1: Exited with exit code 1
          srun: launch/slurm: _step_signal: Terminating StepId=9.3
          0: slurmstepd-n1: error: *** STEP 9.3 ON n1 CANCELLED AT 2026-11-22T22:32:41 ***
          0: [SIGTERM] Received — waiting for coredump before exit...
          0: ++ exit 143
          0: Error response from daemon: No such container: maxtext-slurm-9-node0
          0: NODE_EXIT host=n1 exit=143
          srun: error: n1: task 0: Exited with exit code 143
          == Training FAILED (exit=143, 28s) ==
            Status: FAILED (exit 1) — Training FAILED (exit=143)
          """);

  @TempDir private Path folder;

  @Test
  void theProfilesThatFailAreJudgedAsOftenAndAsWhatTheSecondReadingInsistsOn() throws Exception {
    Playbook playbook = new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read("maxtext-cuda");
    Matcher judged = JUDGED.matcher(Files.readString(SCRIPT));
    int compared = 0;
    while (judged.find()) {
      String profile = judged.group(1);
      Diagnosis found = diagnose(playbook, LOGS.getOrDefault(profile, ""));
      assertThat(found.failureClass()).as(profile).isEqualTo(judged.group(3));
      assertThat(found.quotes().getFirst().text()).as(profile).contains("lost");
      Remedy remedy = playbook.remedyFor(found.failureClass());
      int runs = remedy.then() == Remedy.Then.RESUBMIT ? 1 + remedy.limit() : 1;
      assertThat(runs).as(profile).isEqualTo(Integer.parseInt(judged.group(2)));
      compared++;
    }
    assertThat(compared).isEqualTo(LOGS.size());
  }

  /**
   * The journal contains phrases and values, from which the second reading makes the page's
   * sentences.
   */
  @Test
  void theSecondReadingSaysEachStatementAsTheReportDoes() throws Exception {
    List<Statement> all = new ArrayList<>();
    for (String key : new TreeSet<>(Phrases.EN.keys())) {
      if (key.startsWith("said.")) {
        String phrase = key.substring("said.".length());
        all.add(Statement.phrase(phrase, "1", "n2", Statement.words("a {0} b"), 3, 4, 5, 6));
        all.add(Statement.phrase(phrase, "2", Statement.phrase(phrase, 1, 2, 3, 4, 5, 6, 7)));
      }
    }
    all.add(Statement.row("; ", all.getFirst(), Statement.words("x")));
    Path file = folder.resolve("statements.json");
    Files.writeString(
        file,
        Json.mapper()
            .writerFor(
                Json.mapper().getTypeFactory().constructCollectionType(List.class, Statement.class))
            .writeValueAsString(all));
    Process python =
        new ProcessBuilder(
                "python3",
                "-c",
                "import json, sys, statements;"
                    + " json.dump(statements.sentences(json.load(open(sys.argv[1]))), sys.stdout)",
                file.toString())
            .directory(Path.of("bench/real").toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> said = new ArrayList<>();
    Json.mapper().readTree(python.getInputStream()).forEach(text -> said.add(text.asText()));
    assertThat(python.waitFor()).isZero();
    assertThat(said).isEqualTo(all.stream().map(Phrases.EN::text).toList());
  }

  private Diagnosis diagnose(Playbook playbook, String text) throws Exception {
    return new PlaybookDiagnoser(playbook.recognition(), Workloads::hearSteps)
        .diagnose(
            new AttemptId(new TrialId(1), 1),
            new JobEnd(
                JobEnd.State.FAILED, 1, Optional.empty(), Instant.EPOCH, JobEnd.Source.EXIT_RECORD),
            new JobLog(Files.writeString(folder.resolve("job.log"), text)),
            -1,
            15,
            Optional.empty());
  }
}
