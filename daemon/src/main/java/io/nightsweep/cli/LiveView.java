package io.nightsweep.cli;

import io.nightsweep.report.Phrases;
import io.nightsweep.report.Progress;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;

/**
 * A sweep as a screenful: state, time and failures first, then as much as fits. Pure: the same
 * arguments give the same lines.
 */
final class LiveView {
  /** From this width on, jobs and events are beside the leaderboard instead of below it. */
  private static final int TWO_COLUMNS = 140;

  private static final String GUTTER = "  ";

  private final Ink ink;
  private final Typeable typeable;
  private final int width;
  private final int height;

  /**
   * @param typeable completes the commands shown to the person
   * @param width in columns
   * @param height in rows
   */
  LiveView(Ink ink, Typeable typeable, int width, int height) {
    this.ink = ink;
    this.typeable = typeable;
    this.width = width;
    this.height = height;
  }

  /**
   * What is shown.
   *
   * @param events the oldest first
   * @param daemon what only the daemon knows about the sweep, or that there is none
   * @param chosen the leaderboard row that keys act on, from 0
   * @param overlay shown in place of the sections; empty for the sections
   * @param footer the keys, or the question that waits for one
   */
  record Scene(
      SweepState state,
      Progress progress,
      List<Announcements.AnnouncedLine> events,
      DaemonWord.Word daemon,
      int chosen,
      List<String> overlay,
      String footer,
      Instant now) {}

  /**
   * A section of the screen.
   *
   * @param least rows that it gets before any other section gets more than its own minimum
   * @param wish rows with which it is complete
   * @param draw its lines for a number of rows
   */
  record ScreenPart(int least, int wish, IntFunction<List<AttributedString>> draw) {}

  /** At most as many lines as the screen has rows, none wider than the screen. */
  List<AttributedString> lines(Scene scene) {
    List<AttributedString> lines = new ArrayList<>(header(scene));
    int rows = Math.max(0, height - lines.size() - 1);
    if (!scene.overlay().isEmpty()) {
      scene.overlay().stream()
          .flatMap(text -> wrapped(text, Ink.Tone.PLAIN).stream())
          .limit(rows)
          .forEach(lines::add);
    } else if (width < TWO_COLUMNS) {
      LiveSections all = new LiveSections(ink, width, scene);
      lines.addAll(
          stacked(
              List.of(
                  all.failures(mostFailures()),
                  all.leaderboard(),
                  all.jobs(),
                  all.nodes(),
                  all.events(),
                  all.waves()),
              rows));
    } else {
      int left = width / 2;
      LiveSections first = new LiveSections(ink, left, scene);
      LiveSections second = new LiveSections(ink, width - left - GUTTER.length(), scene);
      lines.addAll(
          beside(
              stacked(
                  List.of(first.failures(mostFailures()), first.leaderboard(), first.waves()),
                  rows),
              stacked(List.of(second.jobs(), second.nodes(), second.events()), rows),
              left));
    }
    while (lines.size() < height - 1) {
      lines.add(AttributedString.EMPTY);
    }
    lines.add(ink.line(scene.footer(), Ink.Tone.FAINT));
    return lines.stream().limit(height).map(line -> ink.fit(line, width)).toList();
  }

  /** Failures come first, but get at most a fifth of the screen. */
  private int mostFailures() {
    return Math.max(4, height / 5);
  }

  private List<AttributedString> header(Scene scene) {
    Progress p = scene.progress();
    boolean isDriven = !scene.daemon().isWithoutDaemon();
    List<AttributedString> lines = new ArrayList<>();
    lines.add(
        new AttributedStringBuilder()
            .append(
                isDriven || !Display.isMoving(p.phase())
                    ? state(p.phase())
                    : ink.line(Display.NO_DAEMON, Ink.Tone.BAD))
            .append(GUTTER)
            .append(ink.line(p.sweep(), Ink.Tone.STRONG))
            .append(
                ink.text(
                    GUTTER + p.cell().parallelism() + " on " + String.join(",", p.cell().nodes())))
            .toAttributedString());
    String figures =
        " %3.0f %%  jobs %d%s%s  %s"
            .formatted(
                100 * p.fractionDone(),
                p.jobs(),
                p.jobsLimit().map(most -> "/" + most).orElse(""),
                p.spentNodeHours().map(GUTTER::concat).orElse(""),
                Display.duration(Display.elapsed(p, isDriven, scene.now())));
    String end =
        p.phase() instanceof Phase.Finished || !isDriven
            ? ""
            : p.expectedEnd()
                .map(
                    at ->
                        "  ETA "
                            + Display.CLOCK.format(at)
                            + " (in "
                            + Display.duration(after(scene.now(), at))
                            + ")")
                .orElse("  ETA not known yet");
    int bar = Math.clamp(width - figures.length() - end.length() - 2, 6, 40);
    lines.add(ink.line(Ink.bar(p.fractionDone(), bar) + figures + end, Ink.Tone.PLAIN));
    List<AttributedString> daemon =
        scene.daemon().lines().stream()
            .flatMap(
                word -> wrapped(word.strip(), isDriven ? Ink.Tone.FAINT : Ink.Tone.BAD).stream())
            .toList();
    if (!isDriven) {
      lines.addAll(daemon);
    }
    Ink.Tone tone = p.phase() instanceof Phase.Halted ? Ink.Tone.BAD : Ink.Tone.GOOD;
    p.turn().ifPresent(turn -> lines.add(ink.line("it " + turn.text(Phrases.EN), Ink.Tone.PLAIN)));
    Display.why(p.phase()).ifPresent(sentence -> lines.addAll(wrapped(sentence, tone)));
    p.outage()
        .ifPresent(o -> lines.addAll(wrapped("the cluster gives no answer: " + o, Ink.Tone.BAD)));
    p.remedies()
        .forEach(
            wait -> lines.addAll(wrapped(wait.text(Phrases.EN, Display.CLOCK), Ink.Tone.WARNING)));
    for (Progress.Open q : p.questions()) {
      lines.addAll(wrapped("ASKS " + q.name() + ": " + q.text(), Ink.Tone.WARNING));
      lines.addAll(
          wrapped(
              "  nightsweep approve %s, or deny; at %s the answer is %s"
                  .formatted(
                      q.name(), Display.CLOCK.format(q.until()), q.unanswered() ? "yes" : "no"),
              Ink.Tone.WARNING));
    }
    if (isDriven) {
      lines.addAll(daemon);
    }
    return lines;
  }

  private List<AttributedString> wrapped(String text, Ink.Tone tone) {
    return Wrapped.line(ink.text(Terminal.plain(typeable.text(text))), width).stream()
        .map(part -> ink.line(part, tone))
        .flatMap(
            part -> part.length() == 0 ? Stream.of(part) : part.columnSplitLength(width).stream())
        .toList();
  }

  private AttributedString state(Phase phase) {
    return switch (phase) {
      case Phase.NotStarted p -> ink.line("NOT STARTED", Ink.Tone.FAINT);
      case Phase.Running p -> ink.line("RUNNING", Ink.Tone.GOOD);
      case Phase.Paused p -> ink.line("PAUSED", Ink.Tone.WARNING);
      case Phase.Halted p -> ink.line("HALTED", Ink.Tone.BAD);
      case Phase.Stopping p -> ink.line("STOPPING", Ink.Tone.WARNING);
      case Phase.Finished p -> ink.line("FINISHED", Ink.Tone.STRONG);
    };
  }

  private static Duration after(Instant now, Instant at) {
    return at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO;
  }

  /** Distributes the rows: first each section's minimum, then, in order, what each wishes. */
  private static List<AttributedString> stacked(List<ScreenPart> sections, int rows) {
    int[] given = sections.stream().mapToInt(s -> Math.min(s.least(), s.wish())).toArray();
    int left = rows;
    for (int one : given) {
      left -= one;
    }
    for (int i = 0; i < given.length && left > 0; i++) {
      int more = Math.min(left, sections.get(i).wish() - given[i]);
      given[i] += more;
      left -= more;
    }
    List<AttributedString> lines = new ArrayList<>();
    for (int i = 0; i < given.length; i++) {
      if (given[i] > 0) {
        lines.addAll(sections.get(i).draw().apply(given[i]));
      }
    }
    return lines.subList(0, Math.min(Math.max(rows, 0), lines.size()));
  }

  private List<AttributedString> beside(
      List<AttributedString> left, List<AttributedString> right, int leftWidth) {
    List<AttributedString> lines = new ArrayList<>();
    for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
      AttributedString first =
          i < left.size() ? ink.fit(left.get(i), leftWidth) : AttributedString.EMPTY;
      AttributedStringBuilder line = new AttributedStringBuilder().append(first);
      if (i < right.size()) {
        line.append(" ".repeat(leftWidth - first.columnLength()))
            .append(GUTTER)
            .append(right.get(i));
      }
      lines.add(line.toAttributedString());
    }
    return lines;
  }
}
