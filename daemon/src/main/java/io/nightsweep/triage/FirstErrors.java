package io.nightsweep.triage;

import io.nightsweep.joblog.Rank;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Of each rank the first error in time, whatever it says: where a failure that no class knows
 * began. What a rank says after it was told of a failure elsewhere is part of the echo.
 */
final class FirstErrors {
  private static final int MOST_RANKS = 1 << 16;

  /** At most this many errors of a rank that it may have survived are kept. */
  private static final int MOST_PLAIN = 16;

  /** What an error's line is. */
  enum Kind {
    TRACEBACK,
    RAISED,
    FATAL,
    PLAIN,
    IGNORED
  }

  /**
   * @param patterns by number, those that the line matches
   */
  record MatchedLine(Told line, List<Integer> patterns) {}

  private static final class OfRank {
    private Optional<MatchedLine> traceback = Optional.empty();
    private Optional<MatchedLine> fatal = Optional.empty();

    /** What the message that ends with a colon goes on with. */
    private Optional<MatchedLine> rest = Optional.empty();

    private final List<MatchedLine> plain = new ArrayList<>();
    private boolean isEchoing;

    /** Whether a summary told of a bad end. */
    private boolean isEnding;

    /** Whether what is raised next is ignored. */
    private boolean isIgnoring;

    /**
     * Whether the line that the rank died of ends with a colon: the next error tells the reason.
     */
    private boolean isUnfinished;

    /** A heading tells nothing where an error follows it. */
    Optional<MatchedLine> firstPlain() {
      return plain.stream()
          .filter(e -> !isHeading(e))
          .findFirst()
          .or(() -> plain.stream().findFirst());
    }

    private static boolean isHeading(MatchedLine error) {
      return error.line().quote().text().endsWith(":");
    }

    void add(MatchedLine line, Set<Kind> kinds) {
      if (kinds.contains(Kind.FATAL) || (kinds.contains(Kind.RAISED) && traceback.isPresent())) {
        fatal = Optional.of(line);
        isUnfinished = isHeading(line);
      } else if (kinds.contains(Kind.TRACEBACK)) {
        traceback = traceback.or(() -> Optional.of(line));
      } else if (kinds.contains(Kind.PLAIN) && plain.size() < MOST_PLAIN) {
        plain.add(line);
      }
    }

    /** Whether the line opens what is ignored, or is of it: a traceback and what it ends with. */
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

  private final Map<Rank, OfRank> ranks = new HashMap<>();

  /**
   * A line that looks like an error and is no echo.
   *
   * @return whether its rank raised it where what is raised is printed and ignored
   */
  boolean add(Told told, Set<Kind> kinds, List<Integer> patterns) {
    if (kinds.isEmpty() || isTooMany(told.rank())) {
      return false;
    }
    OfRank of = ranks.computeIfAbsent(told.rank(), r -> new OfRank());
    if (of.ignores(kinds)) {
      return true;
    }
    if (of.isUnfinished && !kinds.contains(Kind.TRACEBACK)) {
      of.isUnfinished = false;
      of.rest = Optional.of(new MatchedLine(told, List.copyOf(patterns)));
    }
    if (!of.isEchoing && of.fatal.isEmpty()) {
      of.add(new MatchedLine(told, List.copyOf(patterns)), kinds);
    }
    return false;
  }

  /**
   * A line that tells of a failure elsewhere; a traceback that ends with it is an echo too.
   *
   * @param isSummary whether it sums up how a job or one of its processes ended
   */
  void echo(Rank rank, boolean isSummary) {
    if (isTooMany(rank)) {
      return;
    }
    OfRank of = ranks.computeIfAbsent(rank, r -> new OfRank());
    of.traceback = Optional.empty();
    of.isUnfinished = false;
    of.isEnding |= isSummary;
    // Lines of which no rank is known are not all of one process.
    of.isEchoing |= !rank.equals(Rank.NONE) && of.fatal.isEmpty();
  }

  /** The rank went on: what it said before was survived, into whichever file it said it. */
  void survived(Rank rank) {
    rank.files().forEach(ranks::remove);
  }

  /** Whether the rank told what it dies of. */
  boolean isDying(Rank rank) {
    OfRank of = ranks.get(rank);
    return of != null && of.fatal.isPresent();
  }

  /** The errors that ranks may have died of, where no line says of which. */
  List<MatchedLine> possible() {
    return sorted(ranks.values().stream().flatMap(r -> r.plain.stream()));
  }

  /**
   * Whether a line that no step followed tells of a bad end: also a traceback that breaks off, with
   * the log, before it says what was raised.
   */
  boolean isEnding() {
    return ranks.values().stream()
        .anyMatch(r -> r.isEnding || r.fatal.isPresent() || r.traceback.isPresent());
  }

  /** What ranks died of, in the order in which it was read. */
  List<MatchedLine> fatal() {
    return sorted(
        ranks.values().stream().flatMap(r -> Stream.concat(r.fatal.stream(), r.rest.stream())));
  }

  /**
   * Of each rank the first error that may have been survived, or a traceback that breaks off before
   * it says what was raised.
   */
  List<MatchedLine> plain() {
    return sorted(
        ranks.values().stream().flatMap(r -> r.firstPlain().or(() -> r.traceback).stream()));
  }

  /**
   * The first error that an echo's rank told before it: the echo says that something failed, and
   * not what. A heading, or the line that opens a block, says neither.
   */
  Optional<Told> before(Told echo) {
    return plain().stream()
        .map(MatchedLine::line)
        .filter(t -> t.rank().equals(echo.rank()) && t.ordinal() < echo.ordinal())
        .filter(t -> !t.quote().text().matches(".*[:{\\[(]"))
        .findFirst();
  }

  private boolean isTooMany(Rank rank) {
    return ranks.size() >= MOST_RANKS && !ranks.containsKey(rank);
  }

  private static List<MatchedLine> sorted(Stream<MatchedLine> errors) {
    return errors.sorted(Comparator.comparing(MatchedLine::line, Told.IN_ORDER)).toList();
  }
}
