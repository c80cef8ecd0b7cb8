package io.nightsweep.engine;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.workload.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/**
 * Starts one reading of the evidence of each profiled attempt, and of the program that other
 * attempts leave, and collects the results.
 */
final class EvidenceDesk {
  private final EvidenceReader reader;
  private final Workload workload;
  private final SweepDirectory directory;
  private final Map<AttemptId, CompletableFuture<List<Finding>>> reading = new HashMap<>();

  /** Attempts with jobs that were not set up to leave anything to read. */
  private final Set<AttemptId> leftNothing = new HashSet<>();

  EvidenceDesk(EvidenceReader reader, Workload workload, SweepDirectory directory) {
    this.reader = reader;
    this.workload = workload;
    this.directory = directory;
  }

  /** New findings; after a crash the files are read again. */
  List<Event> collect(SweepState s) {
    List<Event> events = new ArrayList<>();
    for (AttemptState a : unread(s)) {
      CompletableFuture<List<Finding>> future = reading.computeIfAbsent(a.id(), id -> begin(s, a));
      if (future.isDone()) {
        reading.remove(a.id());
        findings(a, future).forEach(f -> events.add(new Event.FindingMade(f)));
      }
    }
    return events;
  }

  private CompletableFuture<List<Finding>> begin(SweepState s, AttemptState a) {
    return reader.begin(workload, directory.request(s, a.id()), a.job().orElseThrow());
  }

  private List<AttemptState> unread(SweepState s) {
    Set<AttemptId> read =
        s.findings().stream()
            .filter(f -> !f.is(Finding.CHANGED))
            .map(Finding::attempt)
            .collect(Collectors.toSet());
    return s.attempts()
        .filter(a -> a.job().isPresent() && a.hasSucceeded())
        .filter(a -> !read.contains(a.id()) && isToBeRead(s, a))
        .toList();
  }

  private boolean isToBeRead(SweepState s, AttemptState a) {
    if (leftNothing.contains(a.id())) {
      return false;
    }
    Trial trial = s.trialOf(a.id());
    boolean leaves =
        trial.purpose() == Trial.Purpose.EVIDENCE
            || (s.spec().tellsProgram(trial, s.profile(trial.profile()))
                && workload.leavesProgram(directory.request(s, a.id())));
    if (!leaves) {
      leftNothing.add(a.id());
    }
    return leaves;
  }

  /** A defect in a reader loses the evidence but must not stop the sweep. */
  private static List<Finding> findings(AttemptState a, CompletableFuture<List<Finding>> future) {
    try {
      List<Finding> found = future.join();
      return found.isEmpty()
          ? List.of(unreadable(a.id(), Statement.phrase("shows-nothing")))
          : found;
    } catch (CompletionException e) {
      return List.of(unreadable(a.id(), Statement.words(String.valueOf(e.getCause()))));
    }
  }

  static Finding unreadable(AttemptId attempt, Statement why) {
    return new Finding(attempt, Finding.UNREADABLE, Statement.phrase("unreadable", why), List.of());
  }
}
