package io.nightsweep.cli;

import io.nightsweep.advisor.Priors;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.report.EarlierCells;
import io.nightsweep.report.EarlierNights;
import io.nightsweep.sim.Assumptions;
import io.nightsweep.sim.Rehearsal;
import io.nightsweep.sim.Rehearsed;
import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Sets up rehearsals with results of earlier sweeps. */
final class Rehearsing {
  /** A limit, since a state directory may hold hundreds. */
  private static final int SWEEPS_READ = 5;

  /** Nights that a start simulates; a full rehearsal begins with the same ones. */
  static final int QUICK_NIGHTS = 2 * Rehearsal.FEWEST_NIGHTS;

  /** Time limit of a forecast, including the search for a budget that suffices for the plan. */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private static final int MOST_DOUBLINGS = 5;

  /** Finds the budget's limits in a starting file, where each limit has a line of its own. */
  private static final Pattern BUDGET = Pattern.compile("(?m)^(  (?:jobs|hours): )([0-9.]+)");

  private Rehearsing() {}

  /**
   * Earlier sweeps, the latest first: up to the limit from the same cell, and up to the limit from
   * all cells.
   */
  static List<SweepState> earlier(StateDirectory state, Cell cell) throws IOException {
    List<SweepDirectory> all =
        state.all().stream()
            .sorted(Comparator.comparingLong(Rehearsing::modified).reversed())
            .toList();
    String id = StateDirectory.folder(StateDirectory.nameOf(cell));
    Set<SweepDirectory> read =
        all.stream().limit(SWEEPS_READ).collect(Collectors.toCollection(HashSet::new));
    all.stream()
        .filter(sweep -> sweep.id().matches(Pattern.quote(id) + "(-\\d+)?"))
        .limit(SWEEPS_READ)
        .forEach(read::add);
    List<SweepDirectory> latest = all.stream().filter(read::contains).toList();
    List<SweepState> states = new ArrayList<>();
    for (SweepDirectory sweep : latest) {
      try {
        states.add(JournalReader.fold(sweep.journal()));
      } catch (IOException e) {
        // An unreadable sweep is skipped; 'status' reports what is wrong with it.
      }
    }
    return states;
  }

  /**
   * The sweep exactly as a start would run it; otherwise the rehearsal would forecast another
   * night.
   *
   * @param checks adds the checks of the nodes
   */
  static SweepSpec planned(SweepSpec read, UnaryOperator<SweepSpec> checks, StateDirectory state)
      throws IOException {
    List<SweepState> earlier = earlier(state, read.cell());
    Workload workload = Places.parts().workload(read.workload());
    Map<String, Double> gains =
        new HashMap<>(EarlierCells.logGains(state.modelReports(), read.cell()));
    // The cell's own results take precedence over those of other cells.
    gains.putAll(EarlierNights.logGains(read, workload.inventory(read), earlier));
    return Priors.order(
        checks.apply(Assumptions.expecting(read, earlier)), gains, workload.namedBefore(read));
  }

  /** Gains beyond the plausibility limit that were verified in earlier sweeps. */
  static SortedMap<String, Double> knownGains(SweepSpec sweep, StateDirectory state)
      throws IOException {
    return EarlierNights.beyondBelief(
        sweep,
        Places.parts().workload(sweep.workload()).inventory(sweep),
        earlier(state, sweep.cell()));
  }

  /**
   * The forecast for a sweep that starts.
   *
   * @param lines one summary line, then the schedule table; empty where there is no forecast
   * @param whyNot why there are no lines
   * @param hopeless what to do if the nights find nothing
   */
  record Foretold(List<String> lines, Optional<String> whyNot, Optional<String> hopeless) {
    static Foretold unasked() {
      return new Foretold(List.of(), Optional.empty(), Optional.empty());
    }

    private static Foretold nothing(String why) {
      return new Foretold(List.of(), Optional.of(why), Optional.empty());
    }
  }

  /** The forecast from the latest rehearsal of the plan, else from a few simulated nights. */
  static Foretold foretold(SweepSpec spec, StateDirectory state) {
    long now = System.nanoTime();
    CompletableFuture<Foretold> told = CompletableFuture.supplyAsync(() -> quick(spec, state, now));
    return told.completeOnTimeout(
            Foretold.nothing(
                "this machine has too little time for it now; 'nightsweep rehearse' waits"),
            2 * LONGEST.toMillis(),
            TimeUnit.MILLISECONDS)
        .exceptionally(e -> Foretold.nothing(e.toString()))
        .join();
  }

  private static Foretold quick(SweepSpec spec, StateDirectory state, long began) {
    try {
      Assumptions assumptions =
          Assumptions.of(spec, earlier(state, spec.cell()), Optional.empty(), Optional.empty());
      Rehearsal rehearsal = new Rehearsal(spec, assumptions, Instant.now(), 1);
      Optional<LatestRehearsal> whole = LatestRehearsal.latest(state, spec, assumptions);
      Rehearsed rehearsed =
          whole
              .map(LatestRehearsal::rehearsed)
              .orElseGet(() -> rehearsal.quickly(QUICK_NIGHTS, nights -> isLate(began)));
      double smallestGain =
          whole.isPresent() ? rehearsed.smallestGain() : rehearsal.expectedSmallestGain();
      Optional<Rehearsal.Sought> enough =
          whole
              .flatMap(LatestRehearsal::enough)
              .or(() -> enough(rehearsal, rehearsed, () -> isLate(began)));
      List<String> lines = new ArrayList<>();
      lines.add(RehearsalText.line(rehearsed, smallestGain));
      lines.addAll(
          PacingText.lines(spec, rehearsed, ZonedDateTime.now(ZoneId.systemDefault()), enough));
      if (enough.filter(Rehearsal.Sought.Unfinished.class::isInstance).isPresent()) {
        lines.add("'nightsweep rehearse' looks longer");
      }
      RehearsalText.assumed(rehearsal, assumptions, smallestGain).ifPresent(lines::add);
      return new Foretold(
          lines,
          Optional.empty(),
          Double.isFinite(smallestGain)
              ? Optional.empty()
              : Optional.of(RehearsalText.hopeless(enough)));
    } catch (IOException | IllegalArgumentException e) {
      return Foretold.nothing(String.valueOf(e.getMessage()));
    }
  }

  /**
   * A starting file with a budget that completes its plan in most simulated nights; the budget is
   * doubled until it does.
   *
   * @param out receives the forecast, and a note if the budget was raised
   */
  static String carried(String text, StateDirectory state, PrintWriter out) throws IOException {
    String file = text;
    for (int i = 0; i < MOST_DOUBLINGS; i++) {
      try {
        SweepSpec spec =
            SweepFile.parse("sweep.yaml", file, Resources.beside(Path.of("sweep.yaml")))
                .onPaper(ZonedDateTime.now(ZoneId.systemDefault()));
        Assumptions assumptions =
            Assumptions.of(spec, earlier(state, spec.cell()), Optional.empty(), Optional.empty());
        Rehearsal rehearsal = new Rehearsal(spec, assumptions, Instant.now(), 1);
        long began = System.nanoTime();
        Rehearsed rehearsed = rehearsal.quickly(QUICK_NIGHTS, nights -> isLate(began));
        if (rehearsal.isEnough(rehearsed)) {
          if (i > 0) {
            out.println(
                "the requested budget is too small for the plan; the file gives it "
                    + PacingText.budget(spec.budget()));
          }
          out.println(
              "rehearsed: " + RehearsalText.line(rehearsed, rehearsal.expectedSmallestGain()));
          return file;
        }
      } catch (InvalidInputException | IllegalArgumentException e) {
        // The budget may be too small for a single job.
        if (i + 1 == MOST_DOUBLINGS) {
          out.println("not rehearsed: " + e.getMessage());
          return text;
        }
      }
      file = doubled(file);
    }
    return file;
  }

  private static String doubled(String file) {
    return BUDGET
        .matcher(file)
        .replaceAll(
            m ->
                m.group(1)
                    + new BigDecimal(m.group(2))
                        .multiply(BigDecimal.TWO)
                        .stripTrailingZeros()
                        .toPlainString());
  }

  /** Searches for a sufficient budget if the given one does not suffice. */
  static Optional<Rehearsal.Sought> enough(
      Rehearsal rehearsal, Rehearsed rehearsed, BooleanSupplier late) {
    return rehearsal.isEnough(rehearsed) ? Optional.empty() : Optional.of(rehearsal.enough(late));
  }

  private static boolean isLate(long began) {
    return System.nanoTime() - began > LONGEST.toNanos();
  }

  private static long modified(SweepDirectory sweep) {
    try {
      return Files.getLastModifiedTime(sweep.journal()).toMillis();
    } catch (IOException e) {
      return 0;
    }
  }
}
