package io.nightsweep.triage;

import com.google.re2j.Pattern;
import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.Diagnosis.Quote;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What lines say about their job, whether it failed or not: the hosts of its ranks, its number of
 * steps, and how it ended.
 */
final class JobFacts {
  private static final int MOST_RANKS = 1 << 16;

  /** What a summary says of an end: that of srun's tasks, or an exit code. */
  private static final Pattern ENDED =
      Pattern.compile("\\btasks? [0-9,-]+: [A-Z]|(?i)\\bexit\\w*(?: \\w+){0,3}[ =:]+\\d");

  private final Map<Rank, String> hosts = new HashMap<>();
  private final TreeMap<Rank, Integer> stepsTotal = new TreeMap<>();
  private final TreeMap<Rank, Integer> exits = new TreeMap<>();
  private Optional<Quote> exitQuote = Optional.empty();
  private Optional<Quote> lastSummary = Optional.empty();

  /**
   * @param at where the line says it
   * @param group what it says
   */
  void read(Rules.FirstGroup reading, Line line, int at, String group) {
    switch (reading) {
      case STEPS_TOTAL -> number(group).ifPresent(n -> keep(stepsTotal, line.rank(), n));
      case EXIT -> {
        number(group).ifPresent(n -> keep(exits, line.rank(), n));
        exitQuote = Optional.of(line.quote(at));
      }
      case HOST -> {
        if (hosts.size() < MOST_RANKS) {
          hosts.putIfAbsent(line.rank().process(), group);
        }
      }
    }
  }

  void summary(Line line) {
    if (ENDED.matcher(line.body()).find()) {
      lastSummary = Optional.of(line.quote(0));
    }
  }

  /** Limits the map, since a job may print any number of ranks. */
  private static void keep(Map<Rank, Integer> known, Rank rank, int value) {
    if (known.size() < MOST_RANKS || known.containsKey(rank)) {
      known.put(rank, value);
    }
  }

  static OptionalInt number(String digits) {
    try {
      return OptionalInt.of(Integer.parseInt(digits));
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  /** Whether no further line can change the rank's host: only the first one counts. */
  boolean isHostSettled(Rank rank) {
    return hosts.containsKey(rank.process()) || hosts.size() >= MOST_RANKS;
  }

  /** The host of the rank, if the log shows it. */
  Optional<String> host(Rank rank) {
    return Optional.ofNullable(hosts.get(rank.process()));
  }

  /** 0 if no line contains it. */
  int stepsTotal() {
    return stepsTotal.isEmpty() ? 0 : stepsTotal.firstEntry().getValue();
  }

  /** The exit code in the job's own summary. */
  OptionalInt exit() {
    return exits.isEmpty() ? OptionalInt.empty() : OptionalInt.of(exits.firstEntry().getValue());
  }

  Optional<Quote> exitQuote() {
    return exitQuote;
  }

  /** The last summary that tells how the job or one of its processes ended. */
  Optional<Quote> lastSummary() {
    return lastSummary;
  }
}
