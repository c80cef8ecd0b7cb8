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
 * The lines that matched patterns of failure classes. If a rank has made several steps since a
 * line, the line is not the cause of the job's end: it was a warning, or the problem was overcome.
 * The same holds for a line before its rank's first step, if the rank reported another failure
 * after this step.
 */
final class LineEvidence {
  private static final int LINES_EACH = 3;
  private static final int MOST_SUBJECTS = 200;
  private static final int MOST_RANKS = 1 << 16;

  /** The most ranks that are named for one pattern. */
  private static final int MOST_RANKS_TOLD = 200;

  /** Steps are printed late: one or two of them may have been made before the failure. */
  private static final int STEPS_TO_SURVIVE = 3;

  /**
   * @param stepsBefore number of steps that its rank had made before the line
   * @param isWarning whether its program marks it as a mere warning
   */
  private record Kept(Told told, int stepsBefore, boolean isWarning) {}

  /** Lines that a pattern matched. */
  private static final class Lines {
    private final Map<Rank, List<Kept>> kept = new LinkedHashMap<>();
    private final Set<String> subjects = new LinkedHashSet<>();
    private final Set<Rank> ranks = new LinkedHashSet<>();
  }

  private static final class RankProgress {
    private int steps;
    private int latest = -1;

    /** Whether it reported a failure after its first step. */
    private boolean hasFailedSince;
  }

  private final Rules rules;
  private final Map<Integer, Lines> lines = new HashMap<>();

  /** The keys are ranks of processes. */
  private final Map<Rank, RankProgress> progress = new HashMap<>();

  LineEvidence(Rules rules) {
    this.rules = rules;
  }

  /**
   * Records a step of the rank.
   *
   * @param index of the step, which several processes may print; empty if the line does not contain
   *     it
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

  /**
   * Records that the rank reports a failure; after its first step, this failure differs from the
   * earlier ones.
   */
  void failed(Rank rank) {
    RankProgress of = progress.get(rank.process());
    if (of != null && of.steps > 0) {
      of.hasFailedSince = true;
    }
  }

  /**
   * @param isWarning whether its program marks the line as a mere warning
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

  /** Whether the pattern matched any line, survived or not. */
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

  /** The lines of {@link #told} that are more than warnings. */
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

  /** The subjects of the pattern's lines. */
  Stream<String> subjects(int id) {
    Lines of = lines.get(id);
    return of == null || told(id).isEmpty() ? Stream.of() : of.subjects.stream();
  }

  /** The ranks with hosts as the subjects of the pattern's lines. */
  Stream<Rank> ranks(int id) {
    Lines of = lines.get(id);
    return of == null || told(id).isEmpty() ? Stream.of() : of.ranks.stream().sorted();
  }
}
