package io.nightsweep.engine;

import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.Trial;
import io.nightsweep.workload.Workload;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Reads what a profiled attempt left, or which program another attempt compiled. This can take
 * minutes and runs beside the tick.
 */
public interface EvidenceReader {
  /**
   * The future always completes with at least one finding; unreadable evidence gives a finding too.
   */
  CompletableFuture<List<Finding>> begin(
      Workload workload, Workload.LaunchRequest request, JobId job);

  /** Reads the files in a separate process; a separate thread waits for it. */
  static EvidenceReader ofFiles() {
    return (workload, request, job) ->
        CompletableFuture.supplyAsync(
            () ->
                EvidenceChild.read(
                    new EvidenceChild.Order(
                        request.attempt(),
                        job.value(),
                        workload.evidence(request, job).stream()
                            .map(root -> root.toAbsolutePath().toString())
                            .toList(),
                        request.spec().everyProfile(),
                        request.spec().cell().nodes().size(),
                        request.trial().purpose() == Trial.Purpose.EVIDENCE
                            ? EvidenceChild.Wanted.ALL
                            : EvidenceChild.Wanted.PROGRAM)),
            task -> Thread.ofPlatform().daemon().name("evidence").start(task));
  }

  /** For a night with jobs that leave no files. */
  static EvidenceReader nothing() {
    return (workload, request, job) ->
        CompletableFuture.completedFuture(
            List.of(
                new Finding(
                    request.attempt(),
                    Finding.UNREADABLE,
                    Statement.phrase("no-evidence-here"),
                    List.of())));
  }
}
