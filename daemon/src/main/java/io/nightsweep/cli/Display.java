package io.nightsweep.cli;

import io.nightsweep.report.ComparedRuns;
import io.nightsweep.report.Figures;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Progress;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A sweep's progress as lines of text. */
final class Display {
  private static final String UNCONFIRMED = "not confirmed: the plan has no wave that confirms";

  /** Shown instead of the phase of a sweep that needs a daemon and has none. */
  static final String NO_DAEMON = "NO DAEMON";

  private static final int BAR = 20;

  /** How many profiles a line of failures names. */
  static final int NAMED = 4;

  static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneId.systemDefault());

  private static final DateTimeFormatter DAY_AND_CLOCK =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

  /** A halted sweep keeps the copy of its file from the start. */
  static final String AFTER_A_HALT =
      " (nightsweep resume goes on with the sweep file as it was started; to change the file:"
          + " nightsweep stop, then start)";

  private Display() {}

  /** In the zone of the person who reads it, as all times of a terminal. */
  static String moment(Instant at) {
    return DAY_AND_CLOCK.format(at);
  }

  static String line(ComparedRuns.ComparedRun run) {
    return moment(run.at()) + "  " + run.words();
  }

  static List<String> lines(Progress p, Instant now) {
    return lines(p, Optional.empty(), new DaemonWord.Word(DaemonWord.Care.DRIVEN, List.of()), now);
  }

  /**
   * @param place of the log line that caused a halt, shown beside the cause
   * @param daemon shown first where there is no daemon
   */
  static List<String> lines(
      Progress p, Optional<String> place, DaemonWord.Word daemon, Instant now) {
    boolean isDriven = !daemon.isWithoutDaemon();
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s  %s %s on %s"
            .formatted(
                p.sweep(),
                p.cell().model(),
                p.cell().parallelism(),
                String.join(",", p.cell().nodes())));
    lines.add(
        "%s %s  jobs %d%s%s, %s for %s%s"
            .formatted(
                bar(p.fractionDone()),
                isDriven || !isMoving(p.phase()) ? word(p.phase()) : NO_DAEMON,
                p.jobs(),
                p.jobsLimit().map(j -> " of " + j).orElse(""),
                p.spentNodeHours().map(", "::concat).orElse(""),
                isDriven && isMoving(p.phase()) ? "running" : "ran",
                duration(elapsed(p, isDriven, now)),
                p.expectedEnd()
                    .filter(e -> isDriven)
                    .map(e -> ", about done at " + CLOCK.format(e))
                    .orElse("")));
    if (!isDriven) {
      lines.addAll(daemon.lines());
    }
    p.turn().ifPresent(turn -> lines.add("  it " + turn.text(Phrases.EN)));
    why(p.phase()).ifPresent(sentence -> lines.add("  " + sentence));
    place.ifPresent(lines::add);
    p.outage().ifPresent(o -> lines.add("the cluster gives no answer: " + o));
    p.remedies().forEach(wait -> lines.add("  " + wait.text(Phrases.EN, CLOCK)));
    for (Progress.WaveLine w : p.waves()) {
      lines.add(
          "  %s %-14s %-8s %s"
              .formatted(
                  mark(w.status()),
                  w.name(),
                  w.trials() == 0 ? "" : w.done() + "/" + w.trials(),
                  w.status() == Progress.WaveStatus.SKIPPED ? "skipped: " + w.note() : w.note()));
    }
    for (Progress.Job j : p.inFlight()) {
      lines.add(
          "  job %s  %s  %s  %s"
              .formatted(
                  j.job().map(Object::toString).orElse("(no answer yet)"),
                  j.attempt(),
                  j.profile(),
                  j.told(now)));
    }
    p.best()
        .ifPresent(
            b ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "  %s %s  %s %%  (%s, %s)",
                        b.confirmed()
                            ? "winner"
                            : p.phase() instanceof Phase.Finished ? "best" : "best so far",
                        b.profile(),
                        Figures.signed(b.gainPercent(), 2),
                        Figures.count(b.runs(), "run"),
                        b.confirmed()
                            ? "confirmed, %s to %s %%"
                                .formatted(
                                    Figures.signed(b.lowPercent(), 2),
                                    Figures.signed(b.highPercent(), 2))
                            : p.confirms() ? "not confirmed" : UNCONFIRMED)));
    for (Progress.Open q : p.questions()) {
      lines.add("  ASKS " + q.name() + ": " + q.text());
      lines.add(
          "    nightsweep approve %s, or deny; without an answer it is %s at %s"
              .formatted(q.name(), q.unanswered() ? "yes" : "no", CLOCK.format(q.until())));
    }
    if (!p.verdicts().isEmpty()) {
      lines.add("  verdicts  " + String.join(", ", p.verdicts()));
    }
    return lines.stream().map(Terminal::plain).toList();
  }

  /**
   * The failed attempts, by profile and class, the latest first, in the form of {@code watch}: "3
   * attempts of 2 profiles failed: ...". Empty where none failed; at most {@value #NAMED} are
   * named.
   */
  static Optional<String> failures(SweepState s) {
    List<AttemptState> failures = Judged.failures(s);
    if (failures.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Set<String>> classes = new LinkedHashMap<>();
    failures.forEach(
        a ->
            classes
                .computeIfAbsent(Judged.profile(s, a.id()), profile -> new LinkedHashSet<>())
                .add(a.failure().orElseThrow().failureClass()));
    String named =
        classes.entrySet().stream()
            .limit(NAMED)
            .map(e -> e.getKey() + " (" + String.join(", ", e.getValue()) + ")")
            .collect(Collectors.joining(", "));
    int more = classes.size() - NAMED;
    return Optional.of(
        Terminal.plain(
            "  %s of %s failed: %s%s; see nightsweep explain %s"
                .formatted(
                    Figures.count(failures.size(), "attempt"),
                    Figures.count(classes.size(), "profile"),
                    named,
                    more > 0 ? ", ... and " + more + " more" : "",
                    classes.keySet().iterator().next())));
  }

  /**
   * The place of the log line that caused the halt, with the line itself if the sentence does not
   * quote it.
   */
  static Optional<String> whyHalted(SweepState s) {
    return s.phase() instanceof Phase.Halted
        ? s.attempts()
            .filter(a -> a.judgement().isPresent())
            .reduce((earlier, later) -> later)
            .flatMap(AttemptState::failure)
            .flatMap(
                d ->
                    d.quotes().stream()
                        .findFirst()
                        .map(q -> placed(q, Phrases.EN.text(d.detail()))))
        : Optional.empty();
  }

  private static String placed(Diagnosis.Quote q, String told) {
    String place = "  %s:%d".formatted(q.file(), q.line());
    return Terminal.plain(told.contains(q.text().strip()) ? place : place + ": " + q.text());
  }

  private static String bar(double fraction) {
    int full = (int) Math.round(Math.clamp(fraction, 0, 1) * BAR);
    return "[" + "#".repeat(full) + ".".repeat(BAR - full) + "]";
  }

  private static String mark(Progress.WaveStatus status) {
    return switch (status) {
      case PENDING -> "    ";
      case OPEN -> " >> ";
      case CLOSED -> "done";
      case SKIPPED -> " -- ";
      case CUT -> "cut ";
    };
  }

  /** Elapsed time of the sweep; it stands still while the sweep waits for a person or a daemon. */
  static Duration elapsed(Progress p, boolean isDriven, Instant now) {
    return p.elapsed(isDriven && isMoving(p.phase()) ? now : p.lastEventAt());
  }

  static boolean isMoving(Phase phase) {
    return phase instanceof Phase.Running || phase instanceof Phase.Stopping;
  }

  private static String word(Phase phase) {
    return switch (phase) {
      case Phase.NotStarted p -> "not started";
      case Phase.Running p -> "running";
      case Phase.Paused p -> "PAUSED";
      case Phase.Halted p -> "HALTED";
      case Phase.Stopping p -> "stopping";
      case Phase.Finished p -> "finished";
    };
  }

  /** Why the sweep does not continue, and what a person can do about it. */
  static Optional<String> why(Phase phase) {
    return switch (phase) {
      case Phase.Halted p -> Optional.of(whyHalted(p) + AFTER_A_HALT);
      case Phase.Finished p -> Optional.of(Sentences.of(p, Phrases.EN));
      case Phase.Paused p -> Optional.of("to go on: nightsweep resume");
      default -> Optional.empty();
    };
  }

  /** Nodes may be back by now, which the journal does not show. */
  private static String whyHalted(Phase.Halted halted) {
    String cause = Sentences.of(halted.cause(), Phrases.EN);
    return Sentences.nodesBack(halted, Phrases.EN)
        .map(back -> "as of " + CLOCK.format(halted.at()) + ": " + cause + ". " + back)
        .orElse(cause);
  }

  static String duration(Duration d) {
    return d.toHours() > 0
        ? "%d:%02d:%02d".formatted(d.toHours(), d.toMinutesPart(), d.toSecondsPart())
        : "%d:%02d".formatted(d.toMinutes(), d.toSecondsPart());
  }
}
