package io.nightsweep.chat;

import io.nightsweep.cluster.Hostlist;
import io.nightsweep.report.Brief;
import io.nightsweep.report.CautionText;
import io.nightsweep.report.Figures;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Progress;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.report.Sentences;
import io.nightsweep.report.SetAside;
import io.nightsweep.report.ShortBudget;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.LowerCase;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.NoticeState;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Question;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.WaveState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Writes the text of each notice from the sweep's present state. */
final class Composer {
  private static final int ROWS_IN_A_REVIEW = 5;
  private static final int PROFILES_NAMED = 12;

  private final ZoneId zone;

  Composer(ZoneId zone) {
    this.zone = zone;
  }

  /**
   * @param key of the notice
   * @param artifacts the folder with the files of the sweep's jobs
   * @param rehearsed the forecast of a rehearsal: a summary line and the rows of its schedule; may
   *     be empty
   */
  record Occasion(
      String key, Notice notice, Instant now, Path artifacts, Optional<String> rehearsed) {}

  Message of(SweepState s, Occasion occasion) throws IOException {
    return switch (occasion.notice()) {
      case Notice.Kickoff n -> kickoff(s, occasion.rehearsed());
      case Notice.WaveReviewed n -> wave(s, n.wave(), occasion.key());
      case Notice.NewBest n -> best(s, n.profile());
      case Notice.Midpoint n -> midpoint(s, occasion.now());
      case Notice.Incident n ->
          Message.of(
              List.of(heading(s, "incident"), MessageLine.of(Sentences.of(n.what(), Phrases.EN))));
      case Notice.Asked n -> question(s, n.question());
      case Notice.Stop n -> new StopMessage(s, occasion).compose(n);
      case Notice.Finish n -> finish(s, occasion.now());
    };
  }

  static MessageLine heading(SweepState s, String what) {
    return MessageLine.title("[nightsweep] ")
        .code(s.cell().model())
        .plain(" ")
        .code(s.cell().parallelism())
        .bold(" " + what);
  }

  private Message kickoff(SweepState s, Optional<String> rehearsed) {
    List<MessageLine> lines = new ArrayList<>();
    lines.add(heading(s, "sweep started; pre-flight passed"));
    lines.add(MessageLine.of("Sweep: ").code(s.sweep()));
    lines.add(MessageLine.of("Nodes, frozen: ").code(Hostlist.format(s.cell().nodes())));
    lines.add(MessageLine.of("Plan: %d candidates".formatted(s.spec().candidates())));
    for (WaveState w : s.waves()) {
      lines.add(
          MessageLine.of("- ")
              .code(w.wave().name())
              .plain(
                  (w.wave().profiles().isEmpty()
                          ? ""
                          : ", " + Figures.count(w.wave().profiles().size(), "profile"))
                      + why(w)));
    }
    lines.add(MessageLine.of("Budget: " + budget(s)));
    rehearsed.ifPresent(
        r -> {
          List<String> told = r.lines().toList();
          lines.add(MessageLine.of("Rehearsed: " + told.getFirst()));
          told.stream().skip(1).forEach(row -> lines.add(MessageLine.EMPTY.code(row)));
        });
    return Message.of(lines)
        .with(List.of(List.of(Press.of(Action.STATUS, s.sweep()).labelled("Status"))));
  }

  private static String why(WaveState w) {
    String why = Phrases.EN.text(w.wave().why());
    return why.isEmpty() ? "" : ": " + why;
  }

  private String budget(SweepState s) {
    List<String> limits = Figures.limits(s.spec().budget());
    s.deadline().ifPresent(d -> limits.add("until " + clock(d)));
    return limits.isEmpty() ? "no limit" : String.join(", ", limits);
  }

  private Message wave(SweepState s, String name, String key) {
    List<MessageLine> lines = new ArrayList<>();
    lines.add(heading(s, "wave reviewed: ").code(name));
    WaveState wave = s.wave(name).orElseThrow();
    List<TrialState> trials = wave.trials().stream().map(s::trial).toList();
    lines.add(
        MessageLine.of(
            "%s: %d measured, %d failed, %d dropped"
                .formatted(
                    Figures.count(trials.size(), "trial"),
                    count(trials, Disposition.Measured.class),
                    count(trials, Disposition.Failed.class),
                    count(trials, Disposition.Dropped.class)
                        + count(trials, Disposition.Unsupported.class))));
    // The figures are the present ones: beside an earlier review they would be of later runs.
    if (s.isFinished() || isFollowed(s, key)) {
      return Message.of(lines);
    }
    lines.addAll(leaders(s, ROWS_IN_A_REVIEW));
    s.waves().stream()
        .filter(w -> w.isOpen() || w.isPending())
        .findFirst()
        .ifPresent(
            next -> lines.add(MessageLine.of("Next: ").code(next.wave().name()).plain(why(next))));
    return Message.of(lines);
  }

  /**
   * Whether a later wave is reviewed too, so that this review was held back or failed to arrive.
   */
  private static boolean isFollowed(SweepState s, String key) {
    NoticeState review = s.notices().get(key);
    return review != null
        && s.notices().values().stream()
            .filter(n -> n.notice() instanceof Notice.WaveReviewed)
            .anyMatch(n -> n.seq() > review.seq());
  }

  private static long count(List<TrialState> trials, Class<? extends Disposition> kind) {
    return trials.stream()
        .filter(t -> t.disposition().filter(kind::isInstance).isPresent())
        .count();
  }

  /** The top of the leaderboard, or a line that nothing is measured yet. */
  static List<MessageLine> leaders(SweepState s, int most) {
    List<Brief.BriefRow> rows = Brief.leaderboard(s);
    if (rows.isEmpty()) {
      return List.of(MessageLine.of("No candidate is measured yet."));
    }
    List<MessageLine> lines = new ArrayList<>();
    for (int i = 0; i < Math.min(most, rows.size()); i++) {
      Brief.BriefRow row = rows.get(i);
      lines.add(
          MessageLine.of((i + 1) + ". ")
              .code(row.profile())
              .plain(
                  " %s at %s, %s, %s"
                      .formatted(
                          row.gain(),
                          row.mean(),
                          Figures.count(row.runs(), "run"),
                          row.verdict())));
    }
    lines.add(MessageLine.of("Baseline: " + Brief.baseline(s)));
    return lines;
  }

  private static Message best(SweepState s, String profile) {
    List<MessageLine> lines = new ArrayList<>();
    lines.add(heading(s, "likely gain: ").code(profile));
    Brief.leaderboard(s).stream()
        .filter(row -> row.profile().equals(profile))
        .findFirst()
        .ifPresent(
            row -> {
              lines.add(MessageLine.of("Settings: ").code(row.settings()));
              lines.add(
                  MessageLine.of(
                      "%s at %s over %d runs; baseline %s"
                          .formatted(row.gain(), row.mean(), row.runs(), Brief.baseline(s))));
              lines.add(
                  MessageLine.of("Verdict: " + row.verdict() + ", interval " + row.interval()));
            });
    return Message.of(lines)
        .with(
            List.of(
                List.of(
                    Press.of(Action.LEADERBOARD, s.sweep()).labelled("Leaderboard"),
                    Press.of(Action.STATUS, s.sweep()).labelled("Status"))));
  }

  private Message midpoint(SweepState s, Instant now) {
    List<MessageLine> lines = new ArrayList<>();
    lines.add(heading(s, "half of the budget is spent"));
    lines.addAll(progress(s, now));
    lines.addAll(leaders(s, ROWS_IN_A_REVIEW));
    return Message.of(lines);
  }

  List<MessageLine> progress(SweepState s, Instant now) {
    Progress p = Progress.of(s, now);
    List<MessageLine> lines = new ArrayList<>();
    lines.add(
        MessageLine.of(
            String.format(
                Locale.ROOT,
                "%s%d trials measured, %d failed, %d dropped, %d open; %d jobs%s",
                s.isFinished()
                    ? ""
                    : String.format(Locale.ROOT, "%.0f %% done: ", 100 * p.fractionDone()),
                p.trials().measured(),
                p.trials().failed(),
                p.trials().dropped() + p.trials().unsupported(),
                p.trials().open(),
                p.jobs(),
                p.jobsLimit().map(limit -> " of " + limit).orElse("")
                    + p.spentNodeHours().map(", "::concat).orElse(""))));
    lines.add(
        MessageLine.of(
            s.isFinished()
                ? "Ran for " + Figures.duration(p.elapsed(now))
                : "Running for "
                    + Figures.duration(p.elapsed(now))
                    + p.expectedEnd().map(e -> ", about done at " + clock(e)).orElse("")
                    + p.deadline().map(d -> ", ends by " + clock(d)).orElse("")));
    p.outage().ifPresent(o -> lines.add(MessageLine.of("The cluster gives no answer: ").code(o)));
    p.remedies().forEach(wait -> lines.add(MessageLine.of(wait.text(Phrases.EN, clock()))));
    return lines;
  }

  private Message question(SweepState s, String name) {
    Question question = Objects.requireNonNull(s.questions().get(name), name);
    List<MessageLine> lines = new ArrayList<>();
    lines.add(heading(s, "a question"));
    lines.add(MessageLine.of(Sentences.of(question.about(), Phrases.EN)));
    lines.add(
        question
            .answer()
            .map(
                a ->
                    MessageLine.of(
                        "It is answered meanwhile: "
                            + (a.yes() ? "yes" : "no")
                            + (a.byPerson() ? "." : ", since nobody answered in time.")))
            .orElseGet(() -> MessageLine.of(untilWhen(question))));
    lines.add(MessageLine.of("Question: ").code(name));
    return Message.of(lines).with(question.isOpen() ? List.of(answers(s, name)) : List.of());
  }

  /** How long the question waits for an answer, and which answer applies then. */
  String untilWhen(Question question) {
    return "Answer until %s; without an answer it is %s."
        .formatted(clock(question.until()), question.unanswered() ? "yes" : "no");
  }

  static List<Message.Button> answers(SweepState s, String question) {
    return List.of(
        Press.of(Action.APPROVE, s.sweep(), Press.key(question)).labelled("Approve"),
        Press.of(Action.DENY, s.sweep(), Press.key(question)).labelled("Deny"));
  }

  private Message finish(SweepState s, Instant now) throws IOException {
    List<MessageLine> lines = new ArrayList<>();
    lines.add(heading(s, "sweep finished"));
    if (s.phase() instanceof Phase.Finished finished) {
      lines.add(
          MessageLine.of("Outcome: ")
              .bold(LowerCase.of(finished.outcome()).replace('_', ' '))
              .plain(". " + Sentences.of(finished, Phrases.EN)));
    }
    CautionText.ofWinner(s, Phrases.EN).forEach(caution -> lines.add(MessageLine.of(caution)));
    ShortBudget.of(s).ifPresent(b -> lines.add(MessageLine.of(b.sentence(Phrases.EN))));
    SetAside.sentence(s, Phrases.EN, name -> name)
        .ifPresent(said -> lines.add(MessageLine.of(said)));
    lines.addAll(progress(s, now));
    lines.addAll(leaders(s, ROWS_IN_A_REVIEW));
    List<Message.Picture> pictures =
        Brief.charts(s).stream().map(c -> new Message.Picture(c.title(), c.png())).toList();
    String name = ReportWriter.page(Path.of(""), s).getFileName().toString();
    return new Message(
        lines,
        List.of(),
        pictures,
        Optional.of(new Message.Attachment(name, "The report", Brief.page(s))));
  }

  /** Names in code format, up to a dozen. */
  static MessageLine named(MessageLine before, List<String> names) {
    MessageLine line = before.codes(names.stream().limit(PROFILES_NAMED).toList());
    return names.size() > PROFILES_NAMED
        ? line.plain(" and " + (names.size() - PROFILES_NAMED) + " more")
        : line;
  }

  String clock(Instant at) {
    return clock().format(at);
  }

  private DateTimeFormatter clock() {
    return DateTimeFormatter.ofPattern("HH:mm").withZone(zone);
  }
}
