package io.nightsweep.evidence;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the files of a profiled attempt and reports what they show. */
public final class Evidence {
  /** Limit on hosts with profiles to read; the devices of all hosts are alike. */
  private static final int MOST_PROFILES = 4;

  private Evidence() {}

  /**
   * @param job the cluster's id of the attempt's job, cited with every source
   * @param roots the directories to search
   * @param candidates profiles with thresholds to compare with the collectives
   * @param nodes of the attempt
   * @return at least one finding, {@link Finding#UNREADABLE} where there is nothing to read
   */
  public static List<Finding> of(
      AttemptId attempt, String job, List<Path> roots, List<Profile> candidates, int nodes) {
    List<Finding> unreadable = new ArrayList<>();
    EvidenceFiles files;
    try {
      files = EvidenceFiles.below(roots);
    } catch (IOException e) {
      return List.of(
          new Finding(attempt, Finding.UNREADABLE, Statement.phrase("unlookable", e), List.of()));
    }
    Citation cite = new Citation(attempt, job, roots);
    if (files.isEmpty()) {
      return List.of(
          cite.finding(
              Finding.UNREADABLE, Statement.phrase("no-evidence"), roots, new TreeMap<>()));
    }
    Optional<HloReading> module =
        files.module().flatMap(m -> whole(HloReader.read(m, nodes), cite, unreadable));
    HloReading.Names names = module.map(HloReading::names).orElse(HloReading.Names.none());
    List<TraceReading> traces = new ArrayList<>();
    files.profiles().stream()
        .limit(MOST_PROFILES)
        .forEach(p -> whole(XplaneReader.read(p, names), cite, unreadable).ifPresent(traces::add));
    if (traces.isEmpty()) {
      files.traces().stream()
          .limit(MOST_PROFILES)
          .forEach(
              t -> whole(TraceJsonReader.read(t, names), cite, unreadable).ifPresent(traces::add));
    }
    Optional<SortedMap<String, String>> options =
        files.options().flatMap(o -> whole(CompilerOptions.read(o), cite, unreadable));
    List<Finding> findings = new ArrayList<>();
    module.ifPresent(m -> findings.add(program(m.file(), cite)));
    module.ifPresent(m -> findings.addAll(HloRules.of(m, options, candidates, cite)));
    findings.addAll(TraceRules.of(traces, cite));
    options.ifPresent(o -> findings.add(HloRules.flags(o, files.options().orElseThrow(), cite)));
    findings.addAll(unreadable);
    return findings;
  }

  /**
   * The program that a job compiled without profiling.
   *
   * @return one finding, {@link Finding#PROGRAM}, without figures where its text is missing
   */
  public static Finding programOf(AttemptId attempt, String job, List<Path> roots) {
    Citation cite = new Citation(attempt, job, roots);
    try {
      return EvidenceFiles.below(roots)
          .module()
          .map(module -> program(module, cite))
          .orElseGet(() -> unknown(Statement.phrase("no-program"), roots, cite));
    } catch (IOException e) {
      return unknown(Statement.phrase("program-unlookable", e), roots, cite);
    }
  }

  private static Finding program(Path module, Citation cite) {
    return switch (HloProgram.of(module)) {
      case Outcome.Whole<HloProgram> w ->
          cite.finding(
              Finding.PROGRAM,
              Statement.phrase("program", w.value().hash()),
              List.of(module),
              Map.of(w.value().hash(), (double) w.value().instructions()));
      case Outcome.Unreadable<HloProgram> u ->
          unknown(Statement.row(": ", name(module), u.found()), List.of(module), cite);
    };
  }

  private static Statement name(Path file) {
    return Statement.words(String.valueOf(file.getFileName()));
  }

  private static Finding unknown(Statement why, List<Path> files, Citation cite) {
    return cite.finding(Finding.PROGRAM, why, files, Map.of());
  }

  private static <T> Optional<T> whole(
      Outcome<T> outcome, Citation cite, List<Finding> unreadable) {
    return switch (outcome) {
      case Outcome.Whole<T> w -> Optional.of(w.value());
      case Outcome.Unreadable<T> u -> {
        unreadable.add(
            cite.finding(
                Finding.UNREADABLE,
                Statement.phrase("bad-file", name(u.file()), u.found(), u.expected()),
                List.of(u.file()),
                new TreeMap<>()));
        yield Optional.empty();
      }
    };
  }
}
