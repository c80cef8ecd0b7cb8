package io.nightsweep.cli;

import io.nightsweep.cli.Ink.Tone;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.report.CountedRuns;
import io.nightsweep.report.Figures;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Progress;
import io.nightsweep.report.Quantity;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.LowerCase;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;

/** The sections of {@link LiveView}, for one width. */
final class LiveSections {
  private static final int SHOWN_NODES = 8;
  private static final int SHORTEST_NAME = 10;
  private static final int LONGEST_NAME = 24;

  /** Columns of a leaderboard row without its name and plot. */
  private static final int FIGURES = 43;

  private static final int LEAST_PLOT = 12;

  private final Ink ink;
  private final int width;
  private final LiveView.Scene scene;
  private final SweepState s;

  LiveSections(Ink ink, int width, LiveView.Scene scene) {
    this.ink = ink;
    this.width = width;
    this.scene = scene;
    this.s = scene.state();
  }

  /** The profiles in the leaderboard's order. */
  static List<String> ranking(SweepState s) {
    return s.startedSpec().isEmpty()
        ? List.of()
        : Standings.board(s).standings().stream().map(Standing::profile).toList();
  }

  /**
   * The failures, the latest first.
   *
   * @param most limit on the rows
   */
  LiveView.ScreenPart failures(int most) {
    List<AttemptState> failures = Judged.failures(s);
    if (failures.isEmpty()) {
      return new LiveView.ScreenPart(1, 1, rows -> List.of(ink.line("no failures", Tone.FAINT)));
    }
    LiveView.ScreenPart all =
        list(ink.line("FAILURES " + failures.size(), Tone.BAD), failures, this::failure, 3);
    return new LiveView.ScreenPart(all.least(), Math.min(most, all.wish()), all.draw());
  }

  private AttributedString failure(AttemptState a) {
    Diagnosis failure = a.failure().orElseThrow();
    return ink.line(
        "  %s %s %s  %s: %s"
            .formatted(
                Display.CLOCK.format(Judged.endedAt(a)),
                Judged.profile(s, a.id()),
                a.id(),
                failure.failureClass(),
                Terminal.plain(Phrases.EN.text(failure.detail()))),
        Tone.PLAIN);
  }

  LiveView.ScreenPart leaderboard() {
    Leaderboard board = Standings.board(s);
    List<Standing> standings = board.standings();
    Optional<String> winner = Standings.winner(s, board).map(Standing::profile);
    int name =
        Math.clamp(
            standings.stream().mapToInt(st -> st.profile().length()).max().orElse(0),
            SHORTEST_NAME,
            Math.clamp(width - FIGURES, SHORTEST_NAME, LONGEST_NAME));
    int plot = width - FIGURES - name - 2;
    double reach =
        standings.stream()
            .flatMap(st -> List.of(low(st), high(st)).stream())
            .filter(Double::isFinite)
            .mapToDouble(Math::abs)
            .max()
            .orElse(1);
    List<AttributedString> rows = new ArrayList<>();
    for (int i = 0; i < standings.size(); i++) {
      Standing st = standings.get(i);
      boolean wins = winner.filter(st.profile()::equals).isPresent();
      String row =
          "%s %s %-10s %-20s %3d  "
              .formatted(
                  wins ? "★" : i == scene.chosen() ? "▸" : " ",
                  padded(st.profile(), name),
                  Ink.percent(Interval.percent(Standings.publishedLogGain(st))),
                  interval(st),
                  st.estimate().runs());
      rows.add(
          new AttributedStringBuilder()
              .append(ink.line(row, i == scene.chosen() ? Tone.CHOSEN : tone(st, wins)))
              .append(
                  ink.line(
                      plot < LEAST_PLOT ? "" : plot(low(st), high(st), reach, plot),
                      tone(st, wins)))
              .toAttributedString());
    }
    AttributedString title =
        ink.line(
            "%s %-10s %-20s runs".formatted(padded("LEADERBOARD", name + 2), "gain", "interval")
                + baseline(),
            Tone.STRONG);
    return rows.isEmpty()
        ? new LiveView.ScreenPart(
            1, 1, n -> List.of(ink.line("nothing measured against the baseline yet", Tone.FAINT)))
        : list(title, rows, row -> row, 6);
  }

  private String baseline() {
    double[] runs =
        CountedRuns.on(s, s.spec().primaryTag().name())
            .of(Profile.BASELINE)
            .mapToDouble(Measurement::value)
            .sorted()
            .toArray();
    return runs.length == 0
        ? ""
        : "  baseline " + Quantity.of(runs[runs.length / 2], s.spec().metric().unit());
  }

  private static String interval(Standing st) {
    Interval interval = st.verdict().interval();
    return Double.isFinite(interval.low()) && Double.isFinite(interval.high())
        ? Figures.signed(interval.lowPercent(), 1)
            + " to "
            + Figures.signed(interval.highPercent(), 1)
            + " %"
        : "undecided";
  }

  private static double low(Standing st) {
    return bound(st, st.verdict().interval().low(), -1);
  }

  private static double high(Standing st) {
    return bound(st, st.verdict().interval().high(), 1);
  }

  /** The interval's bound; without an interval, one standard error from the estimate. */
  private static double bound(Standing st, double bound, int sign) {
    return Double.isFinite(bound)
        ? bound
        : st.estimate().logGain() + sign * st.estimate().standardError();
  }

  /** Plots the interval on an axis from minus to plus {@code reach}, with zero in the middle. */
  private static String plot(double low, double high, double reach, int columns) {
    char[] line = " ".repeat(columns).toCharArray();
    line[columns / 2] = '┃';
    if (Double.isFinite(low) && Double.isFinite(high) && reach > 0) {
      int from = column(low, reach, columns);
      int to = column(high, reach, columns);
      for (int i = from; i <= to; i++) {
        line[i] = '━';
      }
      line[(from + to) / 2] = '●';
    }
    return new String(line);
  }

  private static int column(double value, double reach, int columns) {
    return Math.clamp(Math.round((value / reach + 1) / 2 * (columns - 1)), 0, columns - 1);
  }

  private static Tone tone(Standing st, boolean wins) {
    return switch (st.verdict()) {
      case Verdict.Win v -> wins ? Tone.GOOD : Tone.PLAIN;
      case Verdict.Loss v -> Tone.FAINT;
      case Verdict.Unsafe v -> Tone.BAD;
      case Verdict.Neutral v -> Tone.FAINT;
      case Verdict.Undecided v -> Tone.PLAIN;
    };
  }

  /** The waves; without room for a line each, one line with all their names. */
  LiveView.ScreenPart waves() {
    LiveView.ScreenPart all =
        list(
            ink.line("WAVES", Tone.STRONG),
            scene.progress().waves(),
            w ->
                ink.line(
                    "  %-8s %-16s %-7s %s"
                        .formatted(LowerCase.of(w.status()), w.name(), done(w), w.note()),
                    switch (w.status()) {
                      case OPEN -> Tone.ACTIVE;
                      case CLOSED -> Tone.PLAIN;
                      case CUT -> Tone.WARNING;
                      case PENDING, SKIPPED -> Tone.FAINT;
                    }),
            1);
    return new LiveView.ScreenPart(
        1, all.wish(), rows -> rows < all.wish() ? List.of(names()) : all.draw().apply(rows));
  }

  private AttributedString names() {
    AttributedStringBuilder line =
        new AttributedStringBuilder().append(ink.line("WAVES", Tone.STRONG));
    for (Progress.WaveLine w : scene.progress().waves()) {
      line.append(
          ink.line(
              ("  " + w.name() + " " + done(w)).stripTrailing(),
              w.status() == Progress.WaveStatus.OPEN ? Tone.ACTIVE : Tone.FAINT));
    }
    return line.toAttributedString();
  }

  private static String done(Progress.WaveLine w) {
    return w.status() == Progress.WaveStatus.SKIPPED
        ? "skipped"
        : w.trials() == 0 ? "" : w.done() + "/" + w.trials();
  }

  /** What ran on each node from the start until now; each column is an equal part of that time. */
  LiveView.ScreenPart nodes() {
    List<String> nodes = s.cell().nodes();
    Instant from = s.startedAt().orElse(scene.now());
    Instant to = scene.progress().phase() instanceof Phase.Finished ? s.lastEventAt() : scene.now();
    int label = Math.min(12, nodes.stream().mapToInt(String::length).max().orElse(0));
    int columns = Math.max(1, width - label - 4);
    List<AttemptState> attempts = s.attempts().filter(a -> a.startedAt().isPresent()).toList();
    String legend = "█ measured ░ baseline ▓ failed ▒ running";
    return list(
        ink.line("NODES " + Display.CLOCK.format(from) + "  " + legend, Tone.STRONG),
        nodes.subList(0, Math.min(SHOWN_NODES, nodes.size())),
        node ->
            ink.line(
                "  " + padded(node, label) + " " + timeline(attempts, node, from, to, columns),
                Tone.PLAIN),
        3);
  }

  private String timeline(
      List<AttemptState> attempts, String node, Instant from, Instant to, int columns) {
    long span = Math.max(1, Duration.between(from, to).toMillis());
    char[] line = "·".repeat(columns).toCharArray();
    for (AttemptState a : attempts) {
      if (!a.nodes().isEmpty() && !a.nodes().contains(node)) {
        continue;
      }
      long begun = Duration.between(from, a.startedAt().orElseThrow()).toMillis();
      long ended = Duration.between(from, a.isRunning() ? to : Judged.endedAt(a)).toMillis();
      int first = (int) Math.clamp(begun * columns / span, 0, columns - 1L);
      int last = (int) Math.clamp((ended * columns - 1) / span, first, columns - 1L);
      for (int i = first; i <= last; i++) {
        line[i] = mark(a);
      }
    }
    return new String(line);
  }

  private char mark(AttemptState a) {
    if (a.judgement().isEmpty()) {
      return '▒';
    }
    return switch (a.judgement().get()) {
      case Judgement.Measured m -> Judged.profile(s, a.id()).equals(Profile.BASELINE) ? '░' : '█';
      case Judgement.Done d -> '█';
      case Judgement.Failed f -> '▓';
      case Judgement.Voided v -> '▓';
      case Judgement.Duplicate d -> '▓';
    };
  }

  LiveView.ScreenPart jobs() {
    List<Progress.Job> jobs = scene.progress().inFlight();
    return jobs.isEmpty()
        ? new LiveView.ScreenPart(0, 0, rows -> List.of())
        : list(
            ink.line("JOBS", Tone.STRONG), jobs, job -> ink.line("  " + job(job), Tone.ACTIVE), 2);
  }

  private String job(Progress.Job job) {
    String head =
        "%s %s %s  %s"
            .formatted(
                job.job().map(Object::toString).orElse("(no answer yet)"),
                job.profile(),
                job.attempt(),
                job.startedAt().isEmpty()
                    ? "waiting"
                    : "running "
                        + Display.duration(
                            Duration.between(job.startedAt().orElseThrow(), scene.now())));
    if (job.startedAt().isEmpty() || job.stepsTotal() <= 0) {
      return head;
    }
    String steps = "  step " + (job.step() + 1) + "/" + job.stepsTotal() + "  ";
    int room = Math.max(0, width - 2 - head.length() - steps.length());
    double[] values =
        s.inFlight().stream()
            .filter(a -> a.id().toString().equals(job.attempt()))
            .flatMap(a -> a.sofar().stream())
            .flatMap(m -> m.steps().stream())
            .mapToDouble(Measurement.MeasuredStep::value)
            .toArray();
    return head
        + steps
        + (values.length > 1
            ? ink.spark(values, room)
            : Ink.bar((job.step() + 1.0) / job.stepsTotal(), Math.min(20, room)));
  }

  /** The events, the latest at the bottom. */
  LiveView.ScreenPart events() {
    List<Announcements.AnnouncedLine> events = scene.events();
    return new LiveView.ScreenPart(
        Math.min(3, events.size() + 1),
        events.size() + 1,
        rows -> {
          List<AttributedString> lines = new ArrayList<>();
          lines.add(ink.line("EVENTS", Tone.STRONG));
          for (Announcements.AnnouncedLine e :
              events.subList(Math.max(0, events.size() - rows + 1), events.size())) {
            lines.add(ink.line("  " + Display.CLOCK.format(e.at()) + " " + e.words(), Tone.PLAIN));
          }
          return lines;
        });
  }

  private static String padded(String text, int columns) {
    return text.length() > columns
        ? text.substring(0, columns)
        : text + " ".repeat(columns - text.length());
  }

  /**
   * A title and one line for each item; if rows are missing, the last one gives the number of
   * items.
   */
  private <T> LiveView.ScreenPart list(
      AttributedString title, List<T> items, Function<T, AttributedString> line, int least) {
    return new LiveView.ScreenPart(
        Math.min(least, items.size() + 1),
        items.size() + 1,
        rows -> {
          List<AttributedString> lines = new ArrayList<>();
          lines.add(title);
          boolean all = items.size() + 1 <= rows;
          items
              .subList(0, all ? items.size() : Math.max(0, rows - 2))
              .forEach(item -> lines.add(ink.fit(line.apply(item), width)));
          if (!all && rows > 1) {
            lines.add(ink.line("  … " + (items.size() - rows + 2) + " more", Tone.FAINT));
          }
          return lines;
        });
  }
}
