package io.nightsweep.engine;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.files.OwnFile;
import io.nightsweep.sweep.Command;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts sweeps and gives them the commands that people send, or says why not. */
final class RequestDesk {
  private static final Logger log = LoggerFactory.getLogger(RequestDesk.class);

  /** A client waits longer for its answer. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final HostedSweep.Surroundings surroundings;
  private final DrivenSweeps sweeps;
  private final Map<String, String> broken;
  private final TickScheduler ticks;

  /**
   * @param broken why sweeps could not be taken up, by their ids
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
  }

  Reply start(Request.Start request) throws IOException, InterruptedException {
    SweepDirectory directory = newDirectory(request.name());
    boolean hasStarted = false;
    try (DrivenSweeps.Hold hold = hold(directory.id())) {
      Optional<String> refusal =
          hold.pin(
              new DrivenSweeps.Pins(
                  directory.id(),
                  request.origin().night(),
                  request.origin().cluster(),
                  request.spec().cell().nodes()));
      if (refusal.isPresent()) {
        return new Reply.Refused(refusal.get());
      }
      OwnFile.write(directory.sweepFile(), request.sweepFile().getBytes(StandardCharsets.UTF_8));
      drive(
          HostedSweep.start(
              directory,
              request.origin(),
              request.spec(),
              new SecureRandom().nextLong(),
              surroundings));
      hasStarted = true;
      return new Reply.Started(directory.id());
    } finally {
      if (!hasStarted) {
        removeUnstarted(directory);
      }
    }
  }

  private void drive(HostedSweep sweep) {
    sweeps.add(sweep);
    ticks.start(sweep.id());
  }

  private DrivenSweeps.Hold hold(String sweep) throws IOException, InterruptedException {
    return sweeps
        .hold(sweep, PATIENCE)
        .orElseThrow(
            () ->
                new SweepEngine.BusyException(
                    "another request to sweep " + sweep + " has no end yet"));
  }

  private SweepDirectory newDirectory(String name) throws IOException {
    String clean = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]+", "-");
    for (int n = 1; ; n++) {
      SweepDirectory directory = surroundings.state().sweep(n == 1 ? clean : clean + "-" + n);
      try {
        Files.createDirectory(directory.root());
        return directory;
      } catch (FileAlreadyExistsException e) {
        // Taken by an earlier sweep: the next number.
      }
    }
  }

  /**
   * Removes the directory of a start that was refused or failed before its first event, for
   * instance on a full disk.
   */
  private static void removeUnstarted(SweepDirectory directory) {
    try (Stream<Path> files = Files.walk(directory.root())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      log.warn(
          "what is left of {}, which did not start, stays: {}", directory.id(), e.getMessage());
    }
  }

  Reply tell(Request.Tell request) throws IOException, InterruptedException {
    try {
      Optional<String> refusal;
      if (request.command() instanceof Command.Validate) {
        refusal = validate(request);
      } else if (request.command() instanceof Command.Resume resume
          && resume.nodelist().isPresent()) {
        refusal = move(request, resume.nodelist().get());
      } else {
        Optional<HostedSweep> sweep = sweeps.find(request.sweep());
        refusal = sweep.isEmpty() ? notDriven(request.sweep()) : admit(sweep.get(), request);
      }
      return refusal.<Reply>map(Reply.Refused::new).orElseGet(Reply.Accepted::new);
    } catch (SweepEngine.BusyException e) {
      return new Reply.Refused(e.getMessage() + "; nothing was done, so ask again");
    }
  }

  private Optional<String> notDriven(String sweep) {
    String why = broken.get(sweep);
    return Optional.of(
        why == null
            ? "no unfinished sweep " + sweep
            : "sweep " + sweep + " could not be taken up: " + why);
  }

  /** Who is refused as the sweep stands is told so at once, however long a look takes. */
  private Optional<String> admit(HostedSweep sweep, Request.Tell request)
      throws IOException, InterruptedException {
    Optional<String> refusal = refusal(sweep, request);
    if (refusal.isEmpty()) {
      // What held a moment ago need not hold once a look has ended.
      refusal = sweep.admit(request.command(), request.origin());
      ticks.soon(sweep.id());
    }
    return refusal;
  }

  private static Optional<String> refusal(HostedSweep sweep, Request.Tell request) {
    return Admission.refusal(sweep.state(), request.command(), request.origin().door());
  }

  /** Goes on with a sweep on other nodes. */
  private Optional<String> move(Request.Tell request, List<String> nodes)
      throws IOException, InterruptedException {
    try (DrivenSweeps.Hold hold = hold(request.sweep())) {
      Optional<HostedSweep> driven = sweeps.find(request.sweep());
      if (driven.isEmpty()) {
        return notDriven(request.sweep());
      }
      HostedSweep sweep = driven.get();
      Optional<String> refusal = refusal(sweep, request);
      if (refusal.isEmpty()) {
        refusal = refusalToMove(sweep, nodes);
      }
      if (refusal.isEmpty()) {
        refusal = hold.pin(DrivenSweeps.Pins.alone(sweep, nodes));
      }
      return refusal.isPresent() ? refusal : admit(sweep, request);
    }
  }

  private static Optional<String> refusalToMove(HostedSweep sweep, List<String> nodes)
      throws InterruptedException {
    if (sweep.state().night().isPresent()) {
      return Optional.of(
          "it shares its nodes with other sweeps of the night "
              + sweep.state().night().get().name()
              + "; end it with 'nightsweep stop', and start it on its own");
    }
    try {
      List<String> unknown = sweep.unknownNodes(nodes);
      return nodes.isEmpty() || !unknown.isEmpty()
          ? Optional.of("the cluster has no node " + String.join(", ", unknown))
          : Optional.empty();
    } catch (ClusterUnreachableException e) {
      return Optional.of(
          "the cluster gives no answer, so the nodes cannot be checked: " + e.getMessage());
    }
  }

  private Optional<String> validate(Request.Tell request) throws IOException, InterruptedException {
    try (DrivenSweeps.Hold hold = hold(request.sweep())) {
      Optional<HostedSweep> driven = sweeps.find(request.sweep());
      return driven.isPresent()
          ? validate(driven.get(), hold, request)
          : validateFinished(hold, request);
    }
  }

  /** A run on real data waits for no turn of a shared night. */
  private Optional<String> validate(HostedSweep sweep, DrivenSweeps.Hold hold, Request.Tell request)
      throws IOException, InterruptedException {
    Optional<String> refusal = refusal(sweep, request);
    if (refusal.isEmpty()) {
      refusal = hold.pin(DrivenSweeps.Pins.alone(sweep, sweep.state().cell().nodes()));
    }
    return refusal.isPresent() ? refusal : admit(sweep, request);
  }

  /** A finished sweep is driven again for as long as its run on real data takes. */
  private Optional<String> validateFinished(DrivenSweeps.Hold hold, Request.Tell request)
      throws IOException, InterruptedException {
    Optional<SweepDirectory> directory =
        surroundings.state().all().stream().filter(d -> d.id().equals(request.sweep())).findFirst();
    Optional<HostedSweep> taken =
        directory.isEmpty() || broken.containsKey(request.sweep())
            ? Optional.empty()
            : HostedSweep.resume(directory.get(), finished -> true, surroundings);
    if (taken.isEmpty()) {
      return Optional.of("no sweep " + request.sweep() + " that could be taken up");
    }
    HostedSweep sweep = taken.get();
    boolean isDriven = false;
    try {
      Optional<String> refusal = validate(sweep, hold, request);
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
