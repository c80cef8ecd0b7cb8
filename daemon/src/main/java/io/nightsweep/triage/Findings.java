package io.nightsweep.triage;

import com.google.re2j.Matcher;
import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.LogListener;
import io.nightsweep.joblog.PatternSet;
import io.nightsweep.joblog.Rank;
import io.nightsweep.joblog.Step;
import io.nightsweep.sweep.Diagnosis.Quote;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What has been found so far in one attempt's log; its size is bounded, however long the log is.
 */
final class Findings implements LogListener {
  private static final int MOST_RANKS = 1 << 16;

  /**
   * This many error lines of each rank are judged, whatever other ranks print: if thousands of
   * ranks echo a failure, the one with the cause may print last.
   */
  private static final int FIRST_OF_A_RANK = 4;

  /**
   * At most this many lines per pattern are judged. Further repetitions of a failure add no
   * information, and a log that is flooded with them must not take longer than others.
   */
  static final int MOST_JUDGED = 1000;

  /** Marks are not searched for behind this many characters of a line. */
  private static final int LONG_LINE = 4096;

  /** At most this many lines are compared with the benign patterns and found to be benign. */
  private static final int MOST_BENIGN = 50_000;

  /**
   * After this many matches without use, their patterns are no longer searched for: by then they
   * have taken as long as compiling the other patterns.
   */
  static final int MOST_IN_VAIN = 200_000;

  /**
   * Lines of one kind that are counted before its pattern is dropped: lines of a mark without an
   * end among them, or lines with the host of a known rank. By then, all ranks have printed theirs.
   */
  private static final int MOST_MARKED = 1 << 17;

  /** Behind the percentage, as tqdm draws it. */
  private static final String PROGRESS_BAR = "%|";

  private static final String FULL_BAR = "100%|";

  /** At most this many steps of a flood are read behind errors. */
  private static final int MOST_STEPS_READ = 20_000;

  /** Errors that a step has survived are dropped for later errors at most this many times. */
  private static final int MOST_REVIVALS = 64;

  private final Rules rules;
  private final int[] judged;

  /**
   * For each mark pattern that is also a sign of a failure: the number of lines that may be a
   * failure.
   */
  private final int[] failing;

  /** For each mark pattern that is also a sign of a failure: the number of harmless lines. */
  private final int[] harmless;

  /** Patterns with no further lines to be judged. */
  private final BitSet spent = new BitSet();

  /** The patterns to search for, and the spent patterns that they leave out. */
  private PatternSet patterns;

  private BitSet leftOut = new BitSet();
  private boolean wantsMore;
  private int inVain;
  private boolean areMarksSpent;
  private int revivals;
  private int stepsRead;
  private final Map<RankPattern, Integer> firstOfRanks = new HashMap<>();
  private String lastBody = "";
  private boolean isLastBenign;
  private final LineEvidence evidence;
  private final Marks marks;
  private final FirstErrors errors = new FirstErrors();
  private final JobFacts facts = new JobFacts();
  private int step = -1;

  /** The highest step number from a mark, for steps that no workload reads. */
  private int station = -1;

  private final StepPace pace = new StepPace();
  private Optional<Line> lastStep = Optional.empty();

  private record RankPattern(Rank rank, int pattern) {}

  Findings(Rules rules) {
    this.rules = rules;
    this.marks = new Marks(rules);
    this.evidence = new LineEvidence(rules);
    this.patterns = rules.patterns(spent);
    this.judged = new int[rules.expressions().size()];
    this.failing = new int[judged.length];
    this.harmless = new int[judged.length];
  }

  @Override
  public PatternSet patterns() {
    if (inVain > MOST_IN_VAIN || wantsMore) {
      leftOut = wantsMore ? new BitSet() : (BitSet) spent.clone();
      patterns = rules.patterns(leftOut);
      inVain = 0;
      wantsMore = false;
    }
    return patterns;
  }

  @Override
  public boolean wantsMore() {
    return wantsMore;
  }

  @Override
  public boolean wants(int[] candidates) {
    int left = 0;
    for (int id : candidates) {
      left += spent.get(id) ? 0 : 1;
    }
    inVain += candidates.length - left;
    return left > 0;
  }

  @Override
  public void line(Line line, int[] candidates) {
    List<Integer> left = new ArrayList<>(candidates.length);
    boolean mayFail = false;
    for (int id : candidates) {
      if (!spent.get(id)) {
        left.add(id);
        mayFail |= mayFail(id);
      }
    }
    boolean benign = mayFail && isBenign(line.body());
    for (int id : left) {
      if (mayFail && rules.isMark(id)) {
        (benign ? harmless : failing)[id]++;
      }
    }
    add(line, left, mayFail, benign);
  }

  /** A repeated line is compared with the patterns only once. */
  private boolean isBenign(String body) {
    if (!body.equals(lastBody)) {
      lastBody = body;
      isLastBenign = rules.isBenign(body);
    }
    return isLastBenign;
  }

  /**
   * Whether a line of the pattern may still be judged as a failure. All lines of a mark are
   * counted, but no more of them are judged than of other patterns.
   */
  private boolean mayFail(int id) {
    return rules.isOfAFailure(id) && failing[id] < MOST_JUDGED && harmless[id] < MOST_BENIGN;
  }

  private boolean isAmongTheFirst(int id, Rank rank) {
    if (rules.errorKinds(id).isEmpty()) {
      return false;
    }
    RankPattern of = new RankPattern(rank, id);
    int before = firstOfRanks.getOrDefault(of, 0);
    if (before >= FIRST_OF_A_RANK || firstOfRanks.size() >= MOST_RANKS) {
      return false;
    }
    firstOfRanks.put(of, before + 1);
    return true;
  }

  /** A line that is as long as several counts as several. */
  private void count(int id, Line line, int most) {
    judged[id] += 1 + line.body().length() / LONG_LINE;
    if (judged[id] >= most && (most == MOST_MARKED || !rules.isEndless(id))) {
      spent.set(id);
      areMarksSpent |= rules.isMark(id);
    }
  }

  private void add(Line line, List<Integer> candidates, boolean mayFail, boolean benign) {
    List<Integer> matched = new ArrayList<>();
    boolean isOfMarks = false;
    for (int id : candidates) {
      boolean isTakenOnTrust = judged[id] >= MOST_JUDGED || line.body().length() > LONG_LINE;
      if (isTakenOnTrust && !mayFail && rules.isCounted(id)) {
        // Every line of a mark counts. In a flood, the engine's match is accepted after this many
        // lines without checking each line, and in a line that is as long as a flood.
        matched.add(id);
        isOfMarks = true;
        count(id, line, MOST_MARKED);
      } else if (isKnown(id, line.rank())) {
        count(id, line, MOST_MARKED);
      } else if (!rules.isTold(id, benign)) {
        count(id, line, MOST_BENIGN);
      } else if (matches(id, line)) {
        matched.add(id);
        isOfMarks |= rules.isMark(id);
        if (!isAmongTheFirst(id, line.rank())) {
          count(id, line, MOST_JUDGED);
        }
      }
    }
    if (isOfMarks) {
      if (marks.add(line, matched)) {
        lookForMarksAgain();
      }
      for (int id : matched) {
        if (rules.isStation(id)) {
          wentOn(id, line);
        }
      }
    }
    if (!benign && mayFail) {
      if (matched.stream().anyMatch(id -> !rules.errorKinds(id).isEmpty())) {
        matched.addAll(rules.deaths(line.body()));
      }
      boolean isIgnored = error(line, matched);
      if (!isIgnored && (errors.isDying(line.rank()) || rules.isFailure(matched, line.body()))) {
        evidence.failed(line.rank());
      }
      for (int id : matched) {
        if (!isIgnored && rules.isEvidence(id) && !rules.isOutshone(id, matched)) {
          evidence.add(id, line, rules.isWarningBesides(id, line.body()));
        }
      }
    }
  }

  /**
   * The rank went on, so it survived everything that it printed before. A repeated step counts
   * once.
   */
  @Override
  public void step(Line line, Step told) {
    errors.survived(line.rank());
    evidence.wentOn(line.rank(), OptionalInt.of(told.index()));
    marks.step(line.rank());
    if (told.index() > step) {
      lookForMarksAgain();
      lookForErrorsAgain();
      step = told.index();
      lastStep = Optional.of(line);
      pace.add(told.seconds());
    }
  }

  /** Whether the pattern matches the line; if so, its figures are read. */
  private boolean matches(int id, Line line) {
    Matcher m = rules.pattern(id).matcher(line.body());
    boolean isFound = m.find();
    if (isFound && !rules.readings(id).isEmpty()) {
      String group = m.groupCount() > 0 ? m.group(1) : m.group();
      rules.readings(id).forEach(reading -> facts.read(reading, line, m.start(), group));
    }
    return isFound;
  }

  /** Whether the line belongs to an exception that its program ignores. */
  private boolean error(Line line, List<Integer> matched) {
    if (matched.stream().anyMatch(rules::isEcho)) {
      boolean isSummary = matched.stream().anyMatch(rules::isSummary);
      errors.echo(line.rank(), isSummary);
      if (isSummary) {
        facts.summary(line);
      }
      return false;
    }
    Set<FirstErrors.Kind> kinds = EnumSet.noneOf(FirstErrors.Kind.class);
    matched.forEach(id -> kinds.addAll(rules.errorKinds(id)));
    boolean opensIgnored = kinds.contains(FirstErrors.Kind.IGNORED);
    return !kinds.isEmpty()
        && (opensIgnored || !rules.weight().isWarning(line.body()))
        && errors.add(Told.of(line, 0), kinds, matched);
  }

  /** A station's pattern with a group reports a step, with the group as its number. */
  private void wentOn(int id, Line line) {
    String body = line.body();
    Matcher m = rules.pattern(id).matcher(body.substring(0, Math.min(LONG_LINE, body.length())));
    OptionalInt index = OptionalInt.empty();
    if (m.groupCount() > 0) {
      boolean isRead = isStepRead(id, line.rank()) && m.find() && m.group(1) != null;
      index = isRead ? JobFacts.number(m.group(1)) : OptionalInt.empty();
      evidence.wentOn(line.rank(), index);
    }
    if (index.isPresent() && isPartOfABar(body)) {
      errors.drew(line.rank(), index.getAsInt());
    } else {
      errors.survived(line.rank());
    }
    if (index.isEmpty() || index.getAsInt() > station) {
      lookForErrorsAgain();
      station = index.orElse(station);
    }
  }

  private static boolean isPartOfABar(String body) {
    return body.contains(PROGRESS_BAR) && !body.contains(FULL_BAR);
  }

  /**
   * In a flood of steps, their numbers are read only while they may show that errors are survived.
   */
  private boolean isStepRead(int id, Rank rank) {
    return judged[id] < MOST_JUDGED
        || (errors.mayBeSurvived(rank) && stepsRead++ < MOST_STEPS_READ);
  }

  /**
   * Ranks survived the errors before a step, but may die of the same errors after it. So errors
   * that were no longer searched for are searched for again.
   */
  private void lookForErrorsAgain() {
    if (revivals < MOST_REVIVALS && spent.stream().anyMatch(this::isOfAnError)) {
      revivals++;
      lookAgainFor(spent.stream().filter(this::isOfAnError), 0);
    }
  }

  private boolean isOfAnError(int id) {
    return rules.isOfAFailure(id) && !rules.isEndless(id);
  }

  /** After a new step, or a line that begins or ends a mark, each mark may begin or end again. */
  private void lookForMarksAgain() {
    if (areMarksSpent) {
      areMarksSpent = false;
      lookAgainFor(rules.markPatterns().filter(spent::get), MOST_JUDGED);
    }
  }

  /**
   * @param countedAs how many lines of each pattern count as judged already
   */
  private void lookAgainFor(IntStream ids, int countedAs) {
    for (int id : ids.toArray()) {
      spent.clear(id);
      judged[id] = countedAs;
      wantsMore |= leftOut.get(id);
    }
  }

  /**
   * Whether the pattern can add nothing new: only the first line with a rank's host counts. For
   * other readings the last line counts, so each line may change them.
   */
  private boolean isKnown(int id, Rank rank) {
    return rules.isOfHostsAlone(id) && facts.isHostSettled(rank);
  }

  /** The lines that support the failure classes. */
  LineEvidence evidence() {
    return evidence;
  }

  Stream<String> subjects(int id) {
    return Stream.concat(evidence.subjects(id), evidence.ranks(id).flatMap(this::hostOrTask));
  }

  private Stream<String> hostOrTask(Rank rank) {
    return facts
        .host(rank)
        .or(() -> rank.number() < 0 ? Optional.empty() : Optional.of("task:" + rank.number()))
        .stream();
  }

  JobFacts facts() {
    return facts;
  }

  Marks marks() {
    return marks;
  }

  FirstErrors errors() {
    return errors;
  }

  int step() {
    return step;
  }

  /** The highest step that any program printed; -1 if none did. */
  int anyStep() {
    return Math.max(step, station);
  }

  /** How long the steps of this run take. */
  StepPace pace() {
    return pace;
  }

  Optional<Quote> lastStep() {
    return lastStep.map(line -> line.quote(0));
  }
}
