package io.nightsweep.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Recognition;
import io.nightsweep.triage.LeaveOneOut;
import io.nightsweep.triage.Sample;
import io.nightsweep.triage.SampleRun;
import io.nightsweep.triage.Score;
import io.nightsweep.triage.ThreadRun;
import io.nightsweep.triage.ThreadSample;
import io.nightsweep.workload.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Prints how well a playbook recognises logs from public threads, by family. */
final class ThreadsReport {
  private final Recognition recognition;
  private final PrintWriter out;

  ThreadsReport(Recognition recognition, PrintWriter out) {
    this.recognition = recognition;
    this.out = out;
  }

  void print(List<ThreadSample> threads) throws IOException {
    Path scratch = Files.createTempDirectory("nightsweep-threads");
    ThreadRun run = new ThreadRun(recognition, Workloads::hearSteps, scratch);
    Map<String, Score> families = new TreeMap<>();
    Score seen = Score.NONE;
    Score heldOut = Score.NONE;
    for (ThreadSample thread : threads) {
      Optional<Diagnosis> diagnosis = run.run(thread);
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

  /** Results for each family as if the patterns had been written without having seen it. */
  void printLeftOut(List<ThreadSample> threads, List<Sample> samples) throws IOException {
    LeaveOneOut playbooks = new LeaveOneOut(recognition, threads, samples);
    Map<String, List<ThreadSample>> families =
        threads.stream().collect(groupingBy(ThreadSample::family, TreeMap::new, toList()));
    Path scratch = Files.createTempDirectory("nightsweep-threads");
    Score all = Score.NONE;
    out.println(Score.heading("left out"));
    for (Map.Entry<String, List<ThreadSample>> family : families.entrySet()) {
      ThreadRun run =
          new ThreadRun(playbooks.without(family.getKey()), Workloads::hearSteps, scratch);
      Score score = Score.NONE;
      for (ThreadSample thread : family.getValue()) {
        Optional<Diagnosis> diagnosis = run.run(thread);
        Score one = Score.of(thread, diagnosis);
        printMiss(thread, diagnosis, one);
        score = score.plus(one);
      }
      out.println(score.row("  " + family.getKey()));
      all = all.plus(score);
    }
    Files.delete(scratch);
    out.println(all.row("  all"));
  }

  private void printMiss(ThreadSample thread, Optional<Diagnosis> diagnosis, Score score) {
    if (!thread.isRight(diagnosis)) {
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
