package io.nightsweep.triage;

import com.google.re2j.Matcher;
import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.FailureClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The lines that patterns of failure classes matched. A line whose rank has made several steps
 * since is no cause of the job's end: it was a warning, or what it tells of was overcome. Nor is
 * one from before its rank's first step, where the rank told of another failure after that step.
 */
final class LineEvidence {
  private static final int LINES_EACH = 3;
  private static final int MOST_SUBJECTS = 200;
  private static final int MOST_RANKS = 1 << 16;

  /** How many ranks are named for one pattern. */
  private static final int MOST_RANKS_TOLD = 200;

  /** Steps are printed late: one or two of them may have been made before the failure. */
  private static final int STEPS_TO_SURVIVE = 3;

  /**
   * @param stepsBefore how many steps its rank had made by then
   * @param isWarning whether its program calls it no more than a warning
   */
  private record Kept(Told told, int stepsBefore, boolean isWarning) {}

  /** Lines that a pattern matched. */
  private static final class Lines {
    private final Map<Rank, List<Kept>> kept = new LinkedHashMap<>();
    private final Set<String> subjects = new LinkedHashSet<>();
    private final Set<Rank> ranks = new LinkedHashSet<>();
  }

  /** How far a rank has come. */
  private static final class RankProgress {
    private int steps;
    private int latest = -1;

    /** Whether it told of a failure after its first step. */
    private boolean hasFailedSince;
  }

  private final Rules rules;
  private final Map<Integer, Lines> lines = new HashMap<>();

  /** Of processes. */
  private final Map<Rank, RankProgress> progress = new HashMap<>();

  LineEvidence(Rules rules) {
    this.rules = rules;
  }

  /**
   * The rank made a step.
   *
   * @param index of the step, which several processes may print; empty where the line does not say
   */
  void wentOn(Rank rank, OptionalInt index) {
    Rank process = rank.process();
    if (progress.size() >= MOST_RANKS && !progress.containsKey(process)) {
      return;
    }
    RankProgress of = progress.computeIfAbsent(process, r -> new RankProgress());
    if (index.isEmpty() || index.getAsInt() > of.latest) {
      of.latest = index.orElse(of.latest);
      of.steps++;
    }
  }

  /** The rank tells of a failure; after its first step this is another one than those before. */
  void failed(Rank rank) {
    RankProgress of = progress.get(rank.process());
    if (of != null && of.steps > 0) {
      of.hasFailedSince = true;
    }
  }

  /**
   * @param isWarning whether its program calls the line no more than a warning
   */
  void add(int id, Line line, boolean isWarning) {
    Lines of = lines.computeIfAbsent(id, k -> new Lines());
    of.kept.values().removeIf(kept -> kept.stream().allMatch(k -> isSurvived(id, k)));
    if (of.kept.isEmpty()) {
      of.subjects.clear();
      of.ranks.clear();
    }
    Rank rank = line.rank();
    if (of.kept.size() < MOST_RANKS_TOLD || of.kept.containsKey(rank)) {
      List<Kept> kept = of.kept.computeIfAbsent(rank, r -> new ArrayList<>());
      kept.removeIf(k -> isSurvived(id, k));
      if (kept.size() < LINES_EACH) {
        Matcher m = rules.pattern(id).matcher(line.body());
        kept.add(new Kept(Told.of(line, m.find() ? m.start() : 0), steps(rank), isWarning));
      }
    }
    addSubjects(id, line, of);
  }

  private void addSubjects(int id, Line line, Lines of) {
    for (String subject : rules.subjects(id)) {
      if (subject.equals(FailureClass.HOST_OF_RANK)) {
        if (of.ranks.size() < MOST_SUBJECTS) {
          of.ranks.add(line.rank());
        }
      } else {
        Matcher m = rules.subjectPattern(subject).matcher(line.body());
        while (of.subjects.size() < MOST_SUBJECTS && m.find()) {
          of.subjects.add(m.groupCount() > 0 && m.group(1) != null ? m.group(1) : m.group());
        }
      }
    }
  }

  private int steps(Rank rank) {
    RankProgress of = progress.get(rank.process());
    return of == null ? 0 : of.steps;
  }

  private boolean isSurvived(int id, Kept kept) {
    RankProgress of = progress.get(kept.told().rank().process());
    return of != null
        && !rules.isLasting(id)
        && (of.steps - kept.stepsBefore() >= STEPS_TO_SURVIVE
            || (kept.stepsBefore() == 0 && of.hasFailedSince));
  }

  /** Whether the pattern matched any line, be it survived or not. */
  boolean has(int id) {
    return lines.containsKey(id);
  }

  /**
   * The first lines of each rank that the pattern matched, without those that the rank has
   * survived.
   */
  List<Told> told(int id) {
    return told(id, k -> true);
  }

  /** Those of {@link #told} that are more than warnings. */
  List<Told> toldInEarnest(int id) {
    return told(id, k -> !k.isWarning());
  }

  private List<Told> told(int id, Predicate<Kept> which) {
    Lines of = lines.get(id);
    return of == null
        ? List.of()
        : of.kept.values().stream()
            .flatMap(List::stream)
            .filter(k -> !isSurvived(id, k))
            .filter(which)
            .map(Kept::told)
            .sorted(Told.IN_ORDER)
            .toList();
  }

  /** What the pattern's lines are about. */
  Stream<String> subjects(int id) {
    Lines of = lines.get(id);
    return of == null || told(id).isEmpty() ? Stream.of() : of.subjects.stream();
  }

  /** The ranks whose hosts the pattern's lines are about. */
  Stream<Rank> ranks(int id) {
    Lines of = lines.get(id);
    return of == null || told(id).isEmpty() ? Stream.of() : of.ranks.stream().sorted();
  }
}
