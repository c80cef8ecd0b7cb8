package io.nightsweep.triage;

import com.google.re2j.Pattern;
import io.nightsweep.joblog.Rank;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Keeps the first error of each rank, whatever it says: the beginning of a failure that matches no
 * class. What a rank prints after a line about a failure elsewhere belongs to the echo.
 */
final class FirstErrors {
  private static final int MOST_RANKS = 1 << 16;

  /** At most this many errors per rank are kept that the rank may have survived. */
  private static final int MOST_PLAIN = 16;

  /** An error is survived by this many further steps of a progress bar. */
  private static final int STEPS_TO_SURVIVE = 2;

  /** C++'s words for an exception whose type says nothing; its message is on the next line. */
  private static final Pattern THROWN =
      Pattern.compile(
          "terminate called after throwing an instance of"
              + " '(?:std::(?:runtime_error|logic_error|exception|system_error)"
              + "|\\w+::\\w*(?:Error|Exception))'");

  /**
   * Lines that announce an error and leave its reason to the rank's next error: nothing but a word
   * for an error between ornaments, as CP2K and WRF print it, PyTorch's exception for NCCL with
   * NCCL's name for it and for the ranks of a checkpoint, headings of OpenFOAM and Quantum
   * ESPRESSO, Ray's exception for an actor, a shell's word for a killed command, a build that
   * stopped.
   */
  private static final Pattern ANNOUNCED =
      Pattern.compile(
          "(?i:^[\\W_]*(?:fatal |internal )?(?:error|abort|fatal|failure|failed|exception)[\\W_]*$)"
              + "|\\bFATAL CALLED FROM FILE:|\\bDistBackendError: NCCL error in: "
              + "|\\bnccl(?:UnhandledCuda|System|Internal|InvalidUsage|InvalidArgument|Remote)(?:Error)?: "
              + "|\\bFOAM FATAL (?:IO )?ERROR\\b|\\bError in routine +\\w+ +\\(-?\\d+\\)"
              + "|\\bCheckpointException ranks:|\\bActor(?:Died)?Error: The actor died unexpectedly before finishing this task"
              + "|: line \\d+: +\\d+ Killed "
              + "|\\bError building extension '|^FAILED: \\S+\\s*$"
              + "|\\bDataLoader worker \\(pid\\S* [\\d, ]+\\) is killed by signal: Killed"
              + "|\\bCaught \\w+ in DataLoader worker process|\\bHTTPError: 40[13] Client Error: "
              + "|\\*\\*\\* An error occurred in MPI_"
              + "|\\bHeartbeat monitor timed out! Process will be terminated");

  /** The kind of an error line. */
  enum Kind {
    TRACEBACK,
    RAISED,
    FATAL,
    PLAIN,
    IGNORED
  }

  /**
   * @param patterns numbers of the patterns that match the line
   */
  record MatchedLine(Told line, List<Integer> patterns) {}

  /** The two latest steps of a process's progress bars, of which it may draw two. */
  private record LatestSteps(int last, int other) {
    private static final LatestSteps NONE = new LatestSteps(-1, -1);

    boolean contains(int step) {
      return step == last || step == other;
    }

    LatestSteps then(int step) {
      return contains(step) ? this : new LatestSteps(step, last);
    }
  }

  private static final class RankErrors {
    private Optional<MatchedLine> traceback = Optional.empty();
    private Optional<MatchedLine> fatal = Optional.empty();

    /** The lines that continue a heading, up to the one that contains the reason. */
    private final List<MatchedLine> rest = new ArrayList<>();

    private final List<MatchedLine> plain = new ArrayList<>();
    private boolean isEchoing;

    /** Whether a summary reported a bad end. */
    private boolean isEnding;

    /** Whether the next exception is ignored. */
    private boolean isIgnoring;

    /** Whether the fatal line is a heading, so that the next error contains the reason. */
    private boolean isUnfinished;

    /** What the rank's progress bars showed when it printed its first error. */
    private final LatestSteps stepsBefore;

    private final Set<Integer> stepsSince = new HashSet<>();

    RankErrors(LatestSteps stepsBefore) {
      this.stepsBefore = stepsBefore;
    }

    /** Whether the rank has survived these errors now that its progress bar shows this step. */
    boolean isSurvived(int step) {
      if (stepsBefore.contains(step)) {
        return false;
      }
      isEchoing = false;
      stepsSince.add(step);
      return stepsSince.size() >= STEPS_TO_SURVIVE;
    }

    /** A heading says nothing if another error follows it. */
    Optional<MatchedLine> firstPlain() {
      return plain.stream()
          .filter(e -> !isHeading(e.line().quote().text()))
          .findFirst()
          .or(() -> plain.stream().findFirst());
    }

    /** The exception's message is an echo, so the exception is an echo too. */
    void echoesWhatWasThrown() {
      fatal
          .filter(f -> isUnfinished && isThrown(f.line().quote().text()))
          .ifPresent(
              f -> {
                fatal = Optional.empty();
                plain.addLast(f);
              });
    }

    void add(MatchedLine line, Set<Kind> kinds) {
      if (kinds.contains(Kind.FATAL) || (kinds.contains(Kind.RAISED) && traceback.isPresent())) {
        fatal = Optional.of(line);
        isUnfinished = isHeading(line.line().quote().text());
      } else if (kinds.contains(Kind.TRACEBACK)) {
        traceback = traceback.or(() -> Optional.of(line));
      } else if (kinds.contains(Kind.PLAIN) && plain.size() < MOST_PLAIN) {
        plain.add(line);
      }
    }

    /**
     * Whether the line opens an ignored block or belongs to one: its traceback and the exception at
     * its end.
     */
    boolean ignores(Set<Kind> kinds) {
      if (kinds.contains(Kind.IGNORED)) {
        isIgnoring = true;
        return true;
      }
      if (isIgnoring && (kinds.contains(Kind.TRACEBACK) || kinds.contains(Kind.RAISED))) {
        isIgnoring = kinds.contains(Kind.TRACEBACK);
        return true;
      }
      return false;
    }
  }

  private final Map<Rank, RankErrors> ranks = new HashMap<>();

  private final Map<Rank, LatestSteps> latestSteps = new HashMap<>();

  /**
   * Adds a line that looks like an error and is not an echo.
   *
   * @return whether the line belongs to an exception that its rank prints and ignores
   */
  boolean add(Told told, Set<Kind> kinds, List<Integer> patterns) {
    if (kinds.isEmpty() || isTooMany(told.rank())) {
      return false;
    }
    RankErrors of = errorsOf(told.rank());
    if (of.ignores(kinds)) {
      return true;
    }
    if (of.isUnfinished && !kinds.contains(Kind.TRACEBACK)) {
      of.isUnfinished = isHeading(told.quote().text()) && of.rest.size() < MOST_PLAIN;
      of.rest.add(new MatchedLine(told, List.copyOf(patterns)));
    }
    if (!of.isEchoing && of.fatal.isEmpty()) {
      of.add(new MatchedLine(told, List.copyOf(patterns)), kinds);
    }
    return false;
  }

  /**
   * Adds a line about a failure elsewhere; a traceback that ends with it is an echo too.
   *
   * @param isSummary whether it summarises how a job or one of its processes ended
   */
  void echo(Rank rank, boolean isSummary) {
    if (isTooMany(rank)) {
      return;
    }
    RankErrors of = errorsOf(rank);
    of.echoesWhatWasThrown();
    of.traceback = Optional.empty();
    of.isUnfinished = false;
    of.isEnding |= isSummary;
    // Lines without a known rank may come from different processes.
    of.isEchoing |= !rank.equals(Rank.NONE) && of.fatal.isEmpty();
  }

  private RankErrors errorsOf(Rank rank) {
    return ranks.computeIfAbsent(
        rank, r -> new RankErrors(latestSteps.getOrDefault(r.process(), LatestSteps.NONE)));
  }

  /** The rank went on, so it survived everything it printed before, in each of its files. */
  void survived(Rank rank) {
    rank.files().forEach(ranks::remove);
  }

  /**
   * The rank drew a progress bar with this step. The bar is drawn once more when its program dies:
   * a step from before the error does not count, and only the second one after it shows that the
   * rank went on.
   */
  void drew(Rank rank, int step) {
    rank.files()
        .forEach(file -> ranks.computeIfPresent(file, (r, of) -> of.isSurvived(step) ? null : of));
    Rank process = rank.process();
    if (latestSteps.size() < MOST_RANKS || latestSteps.containsKey(process)) {
      latestSteps.merge(process, new LatestSteps(step, step), (before, now) -> before.then(step));
    }
  }

  /** Whether the rank, in any of its files, printed errors that it may have survived. */
  boolean mayBeSurvived(Rank rank) {
    return rank.files().stream().anyMatch(ranks::containsKey);
  }

  /** Whether the rank printed a fatal error. */
  boolean isDying(Rank rank) {
    RankErrors of = ranks.get(rank);
    return of != null && of.fatal.isPresent();
  }

  /** The errors that ranks may have died of, if no line is fatal. */
  List<MatchedLine> possible() {
    return sorted(ranks.values().stream().flatMap(r -> r.plain.stream()));
  }

  /**
   * Whether a line without a later step reports a bad end, or a traceback breaks off at the end of
   * the log before its exception.
   */
  boolean isEnding() {
    return ranks.values().stream()
        .anyMatch(r -> r.isEnding || r.fatal.isPresent() || r.traceback.isPresent());
  }

  /** The fatal lines of all ranks, in the order in which they were read. */
  List<MatchedLine> fatal() {
    return sorted(
        ranks.values().stream().flatMap(r -> Stream.concat(r.fatal.stream(), r.rest.stream())));
  }

  /**
   * For each rank, the first error that it may have survived, or a traceback that breaks off before
   * its exception.
   */
  List<MatchedLine> plain() {
    return sorted(
        ranks.values().stream().flatMap(r -> r.firstPlain().or(() -> r.traceback).stream()));
  }

  /**
   * The first error that the echo's rank printed before the echo: an echo reports that something
   * failed, but not what. A heading or the first line of a block reports neither.
   */
  Optional<Told> before(Told echo) {
    return plain().stream()
        .map(MatchedLine::line)
        .filter(t -> t.rank().equals(echo.rank()) && t.ordinal() < echo.ordinal())
        .filter(t -> !t.quote().text().matches(".*[:{\\[(]"))
        .findFirst();
  }

  /** The first error behind a heading that its rank printed and that is no heading itself. */
  Optional<Told> reasonBehind(Told heading) {
    return Optional.ofNullable(ranks.get(heading.rank())).stream()
        .flatMap(
            r -> Stream.of(r.fatal.stream(), r.rest.stream(), r.plain.stream()).flatMap(s -> s))
        .map(MatchedLine::line)
        .filter(t -> t.ordinal() > heading.ordinal())
        .filter(t -> !isHeading(t.quote().text()) && !t.quote().text().contains("Traceback "))
        .min(Told.IN_ORDER);
  }

  /** Whether a later line contains the reason. */
  static boolean isHeading(String line) {
    return (line.endsWith(":") && !line.endsWith("::")) || isAnnounced(line);
  }

  /** Whether the line says no more than that an error follows. */
  static boolean isAnnounced(String line) {
    return isThrown(line) || ANNOUNCED.matcher(line).find();
  }

  private static boolean isThrown(String line) {
    return THROWN.matcher(line).find();
  }

  private boolean isTooMany(Rank rank) {
    return ranks.size() >= MOST_RANKS && !ranks.containsKey(rank);
  }

  private static List<MatchedLine> sorted(Stream<MatchedLine> errors) {
    return errors.sorted(Comparator.comparing(MatchedLine::line, Told.IN_ORDER)).toList();
  }
}
