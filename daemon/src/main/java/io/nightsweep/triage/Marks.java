package io.nightsweep.triage;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.Diagnosis.Quote;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Tracks which of a playbook's marks have begun and not ended. Each rank is tracked separately, so
 * the order of lines of different ranks does not matter.
 */
final class Marks {
  private static final int MOST_RANKS = 1 << 16;

  private static final class RankMarks {
    private long open;
    private boolean cleared;
  }

  private static final class MarksSoFar {
    private final Map<Rank, RankMarks> ranks = new HashMap<>();
    private boolean seen;
    private boolean cleared;

    /** Whether it began after it last ended on any rank. */
    private boolean isBegun;

    private Optional<Line> latest = Optional.empty();
  }

  private final Rules rules;
  private final Map<String, MarksSoFar> states = new HashMap<>();

  Marks(Rules rules) {
    this.rules = rules;
    rules.marks().keySet().forEach(name -> states.put(name, new MarksSoFar()));
  }

  /** Whether a mark began or ended with the line; a repetition changes nothing. */
  boolean add(Line line, List<Integer> matched) {
    boolean isChange = false;
    for (String name : rules.marksOf(matched)) {
      isChange |=
          add(
              Objects.requireNonNull(states.get(name)),
              Objects.requireNonNull(rules.marks().get(name)),
              matched,
              line);
    }
    return isChange;
  }

  private static boolean add(
      MarksSoFar state, Rules.MarkIds ids, List<Integer> matched, Line line) {
    boolean clears = !Collections.disjoint(matched, ids.clears());
    boolean ends = !Collections.disjoint(matched, ids.ends());
    boolean begins = !Collections.disjoint(matched, ids.begins());
    if (!clears && !ends && !begins) {
      return false;
    }
    boolean wasBegun = state.isBegun;
    RankMarks of = ofRank(state, line.rank());
    if (clears) {
      clear(state, of);
    }
    if (ends) {
      of.open = Math.max(0, of.open - 1);
      state.isBegun = false;
    }
    if (begins) {
      of.open++;
      state.seen = true;
      state.isBegun = true;
    }
    state.latest = Optional.of(line);
    return state.isBegun != wasBegun;
  }

  /** A step ends all marks that began before it. */
  void step(Rank rank) {
    for (MarksSoFar state : states.values()) {
      clear(state, ofRank(state, rank));
    }
  }

  private static RankMarks ofRank(MarksSoFar state, Rank rank) {
    Rank known =
        state.ranks.size() < MOST_RANKS || state.ranks.containsKey(rank) ? rank : Rank.NONE;
    return state.ranks.computeIfAbsent(known, r -> new RankMarks());
  }

  private static void clear(MarksSoFar state, RankMarks of) {
    of.open = 0;
    of.cleared = true;
    state.cleared = true;
    state.isBegun = false;
  }

  boolean seen(String mark) {
    MarksSoFar state = states.get(mark);
    return state != null && state.seen;
  }

  /**
   * Whether the mark is open on some rank. If one rank clears it, it is also cleared on all ranks
   * that never clear it themselves, since often only one rank prints the steps.
   */
  boolean isOpen(String mark) {
    MarksSoFar state = states.get(mark);
    return state != null
        && state.ranks.values().stream().anyMatch(r -> r.open > 0 && r.cleared == state.cleared);
  }

  Optional<Quote> latest(String mark) {
    MarksSoFar state = states.get(mark);
    return state == null ? Optional.empty() : state.latest.map(line -> line.quote(0));
  }
}
