package io.nightsweep.workload;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.JobFiles;
import io.nightsweep.cluster.JobScript;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.LogFile;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.NodeFigures;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A workload with a separate job that checks its nodes, and with each node watched while its jobs
 * run.
 *
 * @param own what the sweep tunes
 * @param gate the job of trials that check nodes
 */
public record CheckedWorkload(Workload own, Workload gate) implements Workload {
  private static final Logger log = LoggerFactory.getLogger(CheckedWorkload.class);

  private Workload of(LaunchRequest request) {
    return request.trial().purpose() == Trial.Purpose.NODE_GATE ? gate : own;
  }

  /** Failing to set up the watch is ignored: the job is still useful. */
  private static void watch(Path output) {
    try {
      JobScript.watch(new JobFiles(Objects.requireNonNull(output.getParent())));
    } catch (IOException e) {
      log.warn("the nodes are not watched: {}", e.getMessage());
    }
  }

  @Override
  public Launch launch(LaunchRequest request) throws UnsupportedTrialException {
    if (request.spec().plan().checksNodes()) {
      watch(request.outputDirectory());
    }
    return of(request).launch(request);
  }

  @Override
  public boolean needsSlurm() {
    return own.needsSlurm();
  }

  @Override
  public Optional<Statement> changedSince(LaunchRequest request) {
    return of(request).changedSince(request);
  }

  @Override
  public void attend(LaunchRequest request, JobLog log) {
    of(request).attend(request, log);
  }

  @Override
  public WorkloadReading read(LaunchRequest request, JobLog log) {
    return of(request).read(request, log);
  }

  @Override
  public List<Measurement.MeasuredStep> shown(LaunchRequest request, JobLog log) {
    return of(request).shown(request, log);
  }

  @Override
  public Optional<Diagnosis> unmeasured(LaunchRequest request, JobLog log, boolean endedWell) {
    return of(request).unmeasured(request, log, endedWell);
  }

  @Override
  public Path log(LaunchRequest request, Optional<JobId> job, Path jobLog) {
    return of(request).log(request, job, jobLog);
  }

  @Override
  public List<LogFile> logs(LaunchRequest request, Optional<JobId> job, Path jobLog) {
    return of(request).logs(request, job, jobLog);
  }

  @Override
  public List<NodeFigures> nodeFigures(LaunchRequest request) {
    return of(request).nodeFigures(request);
  }

  @Override
  public List<Path> evidence(LaunchRequest request, JobId job) {
    return of(request).evidence(request, job);
  }

  @Override
  public boolean leavesProgram(LaunchRequest request) {
    return of(request).leavesProgram(request);
  }

  @Override
  public List<Fact> inventory(SweepSpec spec) {
    return own.inventory(spec);
  }

  @Override
  public List<SetupProblem> preflight(SweepSpec spec) {
    return own.preflight(spec);
  }

  @Override
  public List<SetupProblem> preflight(SweepSpec spec, CommandRunner submitHost)
      throws InterruptedException {
    return own.preflight(spec, submitHost);
  }

  @Override
  public List<SetupProblem> missingPrograms(SweepSpec spec, boolean runsHere) {
    return own.missingPrograms(spec, runsHere);
  }

  @Override
  public Optional<List<SetupProblem>> unknownSettings(
      SweepSpec spec, List<Fact> inventory, Set<String> known, String whose) {
    return own.unknownSettings(spec, inventory, known, whose);
  }

  @Override
  public Set<String> namedBefore(SweepSpec spec) {
    return own.namedBefore(spec);
  }

  @Override
  public Optional<Path> deliverTo(SweepSpec spec) {
    return own.deliverTo(spec);
  }
}
