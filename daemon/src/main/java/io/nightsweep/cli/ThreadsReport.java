package io.nightsweep.cli;

import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Recognition;
import io.nightsweep.triage.PlaybookDiagnoser;
import io.nightsweep.triage.SampleRun;
import io.nightsweep.triage.Score;
import io.nightsweep.triage.ThreadSample;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Prints how well a playbook reads the logs of public threads, family by family. */
final class ThreadsReport {
  private final Recognition recognition;
  private final PrintWriter out;

  ThreadsReport(Recognition recognition, PrintWriter out) {
    this.recognition = recognition;
    this.out = out;
  }

  void print(List<ThreadSample> threads) throws IOException {
    Path scratch = Files.createTempDirectory("nightsweep-threads");
    SampleRun run = new SampleRun(new PlaybookDiagnoser(recognition), scratch);
    Map<String, Score> families = new TreeMap<>();
    Score seen = Score.NONE;
    Score heldOut = Score.NONE;
    for (ThreadSample thread : threads) {
      Optional<Diagnosis> diagnosis = run.run(thread.sample());
      Score score = Score.of(thread, diagnosis);
      families.merge(thread.family(), score, Score::plus);
      if (thread.isHeldOut()) {
        heldOut = heldOut.plus(score);
      } else {
        seen = seen.plus(score);
      }
      printMiss(thread, diagnosis, score);
    }
    Files.delete(scratch);
    out.println(Score.heading("threads"));
    families.forEach((family, score) -> out.println(score.row("  " + family)));
    out.println(seen.row("  read before patterns"));
    out.println(heldOut.row("  held out"));
    out.println(seen.plus(heldOut).row("  all"));
  }

  private void printMiss(ThreadSample thread, Optional<Diagnosis> diagnosis, Score score) {
    boolean isRight = SampleRun.isRight(thread.sample(), diagnosis);
    if (!isRight) {
      out.printf(
          "%s: expected %s, got %s%n",
          thread.sample().about(),
          thread.sample().expected(),
          diagnosis.map(Diagnosis::failureClass).orElse(SampleRun.HEALTHY));
    }
    if (score.quoted() < score.failures()) {
      out.printf(
          "%s: expected '%s' to be quoted first, got '%s'%n",
          thread.sample().about(),
          thread.root().orElse(""),
          diagnosis.stream()
              .flatMap(d -> d.quotes().stream())
              .map(Diagnosis.Quote::text)
              .findFirst()
              .orElse(""));
    }
  }
}
