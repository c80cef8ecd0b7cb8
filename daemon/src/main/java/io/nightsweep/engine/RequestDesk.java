package io.nightsweep.engine;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.files.OwnFile;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts sweeps and passes people's commands to them, or says why not. */
final class RequestDesk {
  private static final Logger log = LoggerFactory.getLogger(RequestDesk.class);

  private final HostedSweep.Surroundings surroundings;
  private final DrivenSweeps sweeps;
  private final Map<String, String> broken;
  private final TickScheduler ticks;
  private final Patience patience;

  /**
   * @param broken why sweeps could not be resumed, by their ids
   */
  RequestDesk(
      HostedSweep.Surroundings surroundings,
      DrivenSweeps sweeps,
      Map<String, String> broken,
      TickScheduler ticks) {
    this.surroundings = surroundings;
    this.sweeps = sweeps;
    this.broken = broken;
    this.ticks = ticks;
    patience = surroundings.parts().patience();
  }

  Reply start(Request.Start request) throws IOException, InterruptedException {
    Deadline deadline = Deadline.in(patience.start());
    SweepDirectory directory = newDirectory(request.name());
    boolean hasStarted = false;
    try (DrivenSweeps.Hold hold = sweeps.hold(directory.id(), deadline)) {
      Optional<Statement> refusal =
          hold.pin(DrivenSweeps.Pins.starting(directory.id(), request.origin(), request.spec()));
      if (refusal.isPresent()) {
        return new Reply.Refused(Phrases.EN.text(refusal.get()));
      }
      OwnFile.write(directory.sweepFile(), request.sweepFile().getBytes(StandardCharsets.UTF_8));
      drive(
          HostedSweep.start(
              directory, request, new SecureRandom().nextLong(), surroundings, deadline));
      hasStarted = true;
      return new Reply.Started(directory.id());
    } catch (SweepEngine.BusyException e) {
      return new Reply.Refused(Phrases.EN.text(e.said()));
    } finally {
      if (!hasStarted) {
        removeUnstarted(directory);
      }
    }
  }

  private void drive(HostedSweep sweep) throws IOException {
    if (sweeps.add(sweep)) {
      ticks.start(sweep.id());
    } else {
      sweep.close();
    }
  }

  private SweepDirectory newDirectory(String name) throws IOException {
    String clean = StateDirectory.folder(name);
    for (int n = 1; ; n++) {
      SweepDirectory directory = surroundings.state().sweep(n == 1 ? clean : clean + "-" + n);
      try {
        Files.createDirectory(directory.root());
        return directory;
      } catch (FileAlreadyExistsException e) {
        // An earlier sweep has this name: try the next number.
      }
    }
  }

  /**
   * Removes the directory of a start that was refused or failed before its first event, for example
   * on a full disk.
   */
  private static void removeUnstarted(SweepDirectory directory) {
    try (Stream<Path> files = Files.walk(directory.root())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      log.warn(
          "the files of {}, which did not start, could not be removed: {}",
          directory.id(),
          e.getMessage());
    }
  }

  /** Passes on the command, or says why not. */
  Optional<Statement> tell(Request.Tell request) throws IOException, InterruptedException {
    Deadline deadline = Deadline.in(patience.command());
    try {
      if (request.command() instanceof Command.Validate) {
        return validate(request, deadline);
      }
      if (request.command() instanceof Command.Resume resume && resume.nodelist().isPresent()) {
        return move(request, resume.nodelist().get(), deadline);
      }
      Optional<HostedSweep> sweep = sweeps.find(request.sweep());
      return sweep.isEmpty() ? notDriven(request.sweep()) : admit(sweep.get(), request, deadline);
    } catch (SweepEngine.BusyException e) {
      return Optional.of(e.said());
    }
  }

  private Optional<Statement> notDriven(String sweep) {
    if (sweeps.isStarting(sweep)) {
      return Optional.of(Statement.phrase("refusal-starting", sweep, patience.start().toSeconds()));
    }
    String why = broken.get(sweep);
    return Optional.of(
        why == null
            ? Statement.phrase("refusal-not-driven", sweep)
            : Statement.phrase("refusal-not-taken-up", sweep, why));
  }

  /**
   * Checks the command against the present state first, so that a refusal comes at once, however
   * long a tick takes.
   */
  private Optional<Statement> admit(HostedSweep sweep, Request.Tell request, Deadline deadline)
      throws IOException, InterruptedException {
    Optional<Statement> refusal = refusal(sweep, request);
    if (refusal.isEmpty()) {
      // The state may have changed by the end of a tick, so the check is repeated.
      refusal = sweep.admit(request.command(), request.origin(), deadline);
      ticks.soon(sweep.id());
    }
    return refusal;
  }

  private static Optional<Statement> refusal(HostedSweep sweep, Request.Tell request) {
    return Admission.refusal(sweep.state(), request.command(), request.origin().door());
  }

  /** Continues a sweep on other nodes. */
  private Optional<Statement> move(Request.Tell request, List<String> nodes, Deadline deadline)
      throws IOException, InterruptedException {
    try (DrivenSweeps.Hold hold = sweeps.hold(request.sweep(), deadline)) {
      Optional<HostedSweep> driven = sweeps.find(request.sweep());
      if (driven.isEmpty()) {
        return notDriven(request.sweep());
      }
      HostedSweep sweep = driven.get();
      Optional<Statement> refusal = refusal(sweep, request);
      if (refusal.isEmpty()) {
        refusal = refusalToMove(sweep, nodes, deadline);
      }
      if (refusal.isEmpty()) {
        refusal = hold.pin(DrivenSweeps.Pins.alone(sweep, nodes));
      }
      return refusal.isPresent() ? refusal : admit(sweep, request, deadline);
    }
  }

  private static Optional<Statement> refusalToMove(
      HostedSweep sweep, List<String> nodes, Deadline deadline)
      throws SweepEngine.BusyException, InterruptedException {
    if (sweep.state().night().isPresent()) {
      return Optional.of(
          Statement.phrase("refusal-shared-night", sweep.state().night().get().name()));
    }
    return deadline
        .ask("nodes of " + sweep.id(), () -> unknownNodes(sweep, nodes))
        .orElseThrow(() -> new SweepEngine.BusyException(Statement.phrase("busy-cluster")));
  }

  private static Optional<Statement> unknownNodes(HostedSweep sweep, List<String> nodes)
      throws InterruptedException {
    try {
      List<String> unknown = sweep.unknownNodes(nodes);
      return nodes.isEmpty() || !unknown.isEmpty()
          ? Optional.of(Statement.phrase("refusal-no-node", String.join(", ", unknown)))
          : Optional.empty();
    } catch (ClusterUnreachableException e) {
      return Optional.of(
          Statement.phrase("refusal-nodes-unchecked", String.valueOf(e.getMessage())));
    }
  }

  private Optional<Statement> validate(Request.Tell request, Deadline deadline)
      throws IOException, InterruptedException {
    try (DrivenSweeps.Hold hold = sweeps.hold(request.sweep(), deadline)) {
      Optional<HostedSweep> driven = sweeps.find(request.sweep());
      return driven.isPresent()
          ? validate(driven.get(), hold, request, deadline)
          : validateFinished(hold, request, deadline);
    }
  }

  /** A run on real data does not wait for a turn of a shared night. */
  private Optional<Statement> validate(
      HostedSweep sweep, DrivenSweeps.Hold hold, Request.Tell request, Deadline deadline)
      throws IOException, InterruptedException {
    Optional<Statement> refusal = refusal(sweep, request);
    if (refusal.isEmpty()) {
      refusal = hold.pin(DrivenSweeps.Pins.alone(sweep, sweep.state().cell().nodes()));
    }
    return refusal.isPresent() ? refusal : admit(sweep, request, deadline);
  }

  /** Drives a finished sweep again for the duration of its run on real data. */
  private Optional<Statement> validateFinished(
      DrivenSweeps.Hold hold, Request.Tell request, Deadline deadline)
      throws IOException, InterruptedException {
    Optional<SweepDirectory> directory =
        surroundings.state().all().stream().filter(d -> d.id().equals(request.sweep())).findFirst();
    Optional<HostedSweep> taken =
        directory.isEmpty() || broken.containsKey(request.sweep())
            ? Optional.empty()
            : HostedSweep.resume(directory.get(), finished -> true, surroundings);
    if (taken.isEmpty()) {
      return Optional.of(Statement.phrase("refusal-no-sweep", request.sweep()));
    }
    HostedSweep sweep = taken.get();
    boolean isDriven = false;
    try {
      Optional<Statement> refusal = validate(sweep, hold, request, deadline);
      if (refusal.isEmpty()) {
        drive(sweep);
        isDriven = true;
      }
      return refusal;
    } finally {
      if (!isDriven) {
        sweep.close();
      }
    }
  }
}
