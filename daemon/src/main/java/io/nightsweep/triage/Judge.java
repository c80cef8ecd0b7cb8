package io.nightsweep.triage;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.Clue;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Diagnosis.Quote;
import io.nightsweep.sweep.FailureClass;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Signature;
import io.nightsweep.sweep.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Holds what is known of an attempt against the classes: the first whose signature holds is meant.
 */
final class Judge {
  private static final int MOST_QUOTES = 5;
  private static final int QUOTES_OF_A_PATTERN = 3;
  private static final int MOST_SUBJECTS = 64;
  private static final int MOST_SAID = 160;

  /** What a job tells of itself before its program begins; no program says it. */
  private static final String ATTESTED = "nightsweep: effective ";

  /** What a rank says in so many lines before its last words it may have died of. */
  private static final int LAST_LINES = 4;

  /** Its last words are so many lines. */
  private static final int LAST_WORDS = 3;

  private final JobLog log;
  private final Rules rules;
  private final Findings findings;
  private final Situation situation;

  /** Empty before somebody has asked: the log's end is read once for all classes. */
  private Optional<List<FirstErrors.MatchedLine>> deaths = Optional.empty();

  Judge(JobLog log, Rules rules, Findings findings, Situation situation) {
    this.log = log;
    this.rules = rules;
    this.findings = findings;
    this.situation = situation;
  }

  /**
   * The first class in order of which a cause holds. Without one, what a rank died of is the cause,
   * though no class knows it; only without that too the first class of which an echo holds.
   */
  Optional<Diagnosis> judge(Predicate<Signature> considered) {
    Optional<Diagnosis> cause = cause(considered, c -> false);
    return cause.isPresent() || !findings.errors().fatal().isEmpty()
        ? cause
        : first(considered.and(Signature::echo), c -> false);
  }

  /**
   * The first class in order of which a cause holds.
   *
   * @param end the first class that is considered no more, and with it all behind it
   */
  Optional<Diagnosis> cause(Predicate<Signature> considered, Predicate<FailureClass> end) {
    return first(considered.and(s -> !s.echo()), end);
  }

  /**
   * @param signatures those that hold, the surest first
   */
  private record Held(FailureClass failureClass, List<Signature> signatures) {
    double confidence() {
      return signatures.getFirst().confidence();
    }
  }

  /** The surest of the signatures that hold in the first class. */
  private Optional<Diagnosis> first(Predicate<Signature> considered, Predicate<FailureClass> end) {
    List<Held> held = new ArrayList<>();
    for (FailureClass c : rules.recognition().classes()) {
      if (end.test(c) || (!held.isEmpty() && c.order() > held.getFirst().failureClass().order())) {
        break;
      }
      List<Signature> holding =
          c.signatures().stream()
              .filter(considered)
              .filter(s -> s.clues().stream().allMatch(this::holds))
              .sorted(Comparator.comparingDouble(Signature::confidence).reversed())
              .toList();
      if (!holding.isEmpty()) {
        held.add(new Held(c, holding));
      }
    }
    return ofOneOrder(held).map(h -> diagnosis(h.failureClass(), h.signatures()));
  }

  /**
   * Of classes of one order: of each rank the class that it told of first, and of these the surest.
   * How the lines of ranks interleave says nothing.
   */
  private Optional<Held> ofOneOrder(List<Held> held) {
    if (held.size() < 2) {
      return held.stream().findFirst();
    }
    Comparator<Held> surest =
        Comparator.comparingDouble(Held::confidence)
            .reversed()
            .thenComparing(h -> h.failureClass().id());
    Map<Rank, Map.Entry<Told, Held>> earliest = new HashMap<>();
    Comparator<Map.Entry<Told, Held>> order =
        Map.Entry.<Told, Held>comparingByKey(Told.IN_ORDER)
            .thenComparing(Map.Entry::getValue, surest);
    for (Held h : held) {
      lines(h)
          .forEach(
              told -> earliest.merge(told.rank(), Map.entry(told, h), BinaryOperator.minBy(order)));
    }
    return (earliest.isEmpty()
            ? held.stream()
            : earliest.values().stream().map(Map.Entry::getValue))
        .min(surest);
  }

  private Stream<Told> lines(Held held) {
    return held.signatures().stream()
        .flatMap(s -> s.clues().stream())
        .filter(Clue.Line.class::isInstance)
        .flatMap(c -> told((Clue.Line) c).stream());
  }

  private boolean holds(Clue clue) {
    return switch (clue) {
      case Clue.Line line -> holds(line);
      case Clue.Exit exit -> exitCode().filter(exit.codes()::contains).isPresent();
      case Clue.Ended ended ->
          situation instanceof Situation.Over over && ended.states().contains(over.end().state());
      case Clue.NoLog none -> log.bytes() == 0;
      case Clue.Reached reached ->
          reached.progress() == Clue.StepsSeen.NO_STEP
              ? step() < 0
              : reached.progress() == Clue.StepsSeen.A_STEP
                  ? step() >= 0
                  : stepsTotal() > 0 && step() >= stepsTotal() - 1;
      case Clue.Silence silence ->
          situation instanceof Situation.Running running
              && running
                      .watch()
                      .silence()
                      .compareTo(Projection.limit(silence, projection(running.watch())))
                  >= 0;
      case Clue.Grown grown -> log.bytes() > grown.bytes();
      case Clue.Seen seen -> findings.marks().seen(seen.mark()) == seen.seen();
      case Clue.Open open -> findings.marks().isOpen(open.mark()) == open.open();
      case Clue.FirstJob first ->
          situation instanceof Situation.Running running
              && running.watch().firstCompile() == first.first();
      case Clue.Baseline baseline ->
          situation instanceof Situation.Running running
              && running.watch().baseline() == baseline.baseline();
    };
  }

  private Optional<Projection> projection(Watch watch) {
    return Projection.of(findings.pace(), watch.baselineStepSeconds(), step(), stepsTotal());
  }

  private boolean holds(Clue.Line line) {
    return !told(line).isEmpty()
        && line.near().filter(other -> !has(other)).isEmpty()
        && line.unless().filter(this::has).isEmpty();
  }

  private boolean has(String pattern) {
    return findings.evidence().has(rules.id(pattern));
  }

  private List<Told> told(String pattern) {
    return findings.evidence().told(rules.id(pattern));
  }

  private List<Told> told(Clue.Line line) {
    int id = rules.id(line.pattern());
    return line.diedOf()
        ? deaths().stream()
            .filter(e -> e.patterns().contains(id))
            .map(FirstErrors.MatchedLine::line)
            .toList()
        : isLeftOpen() ? findings.evidence().toldInEarnest(id) : findings.evidence().told(id);
  }

  /**
   * Whether nobody and nothing tells that the job ended badly: of a program's warnings alone it may
   * have gone on.
   */
  private boolean isLeftOpen() {
    return situation instanceof Situation.Over over
        && over.end().state() == JobEnd.State.VANISHED
        && !hasSignOfFailure();
  }

  /**
   * What ranks died of; where no line says so, the errors that they may have died of: of a job that
   * failed any, and where nobody knows how it ended, those with which its log ends.
   */
  private List<FirstErrors.MatchedLine> deaths() {
    if (deaths.isEmpty()) {
      FirstErrors errors = findings.errors();
      deaths =
          Optional.of(
              !errors.fatal().isEmpty()
                  ? errors.fatal()
                  : isFailed() || errors.isEnding()
                      ? errors.possible()
                      : lastOf(errors.possible()));
    }
    return deaths.get();
  }

  /** Whether any line tells that the job did not end well, known or not. */
  boolean hasSignOfFailure() {
    return !deaths().isEmpty() || findings.errors().isEnding();
  }

  private boolean isFailed() {
    return situation instanceof Situation.Over over
        && over.end().state() != JobEnd.State.VANISHED
        && over.end().state() != JobEnd.State.COMPLETED;
  }

  private List<FirstErrors.MatchedLine> lastOf(List<FirstErrors.MatchedLine> errors) {
    List<Line> last = errors.isEmpty() ? List.of() : log.lastLines();
    return errors.stream().filter(e -> isAmong(last, e.line())).toList();
  }

  /** Whether its rank has said little since. What other ranks print meanwhile tells nothing. */
  private static boolean isAmong(List<Line> last, Told error) {
    if (last.isEmpty() || !last.getFirst().file().toString().equals(error.quote().file())) {
      return false;
    }
    List<Line> own =
        last.stream()
            .filter(l -> l.place() > error.place() && l.rank().equals(error.rank()))
            .toList();
    long lost = Math.max(0, last.getFirst().place() - 1 - error.place());
    return lost + beforeLastWords(own) < LAST_LINES;
  }

  private static int beforeLastWords(List<Line> lines) {
    int words = 0;
    int at = lines.size();
    while (at > 0 && words < LAST_WORDS) {
      at--;
      words += lines.get(at).text().isBlank() ? 0 : 1;
    }
    return at;
  }

  private int step() {
    return Math.max(situation.step(), findings.step());
  }

  private int stepsTotal() {
    return situation.stepsTotal() > 0 ? situation.stepsTotal() : findings.stepsTotal();
  }

  /** The cluster's, unless it is 0 or 1, which tell less than what the job itself wrote. */
  private Optional<Integer> exitCode() {
    int code = situation instanceof Situation.Over over ? over.end().exitCode() : 0;
    return code > 1 || findings.exit().isEmpty()
        ? situation instanceof Situation.Over ? Optional.of(code) : Optional.empty()
        : Optional.of(findings.exit().getAsInt());
  }

  private Diagnosis diagnosis(FailureClass c, List<Signature> holding) {
    List<Told> lines = new ArrayList<>();
    Set<Quote> others = new LinkedHashSet<>();
    Set<String> subjects = new LinkedHashSet<>();
    for (Signature signature : holding) {
      for (Clue clue : signature.clues()) {
        quotes(clue).forEach(others::add);
        if (clue instanceof Clue.Line line) {
          told(line).stream().limit(QUOTES_OF_A_PATTERN).forEach(lines::add);
          findings.subjects(rules.id(line.pattern())).forEach(subjects::add);
        }
      }
    }
    lines.sort(Told.IN_ORDER);
    if (holding.stream().allMatch(Signature::echo)) {
      lines.stream()
          .min(Told.IN_ORDER)
          .flatMap(findings.errors()::before)
          .ifPresent(lines::addFirst);
    }
    if (lines.isEmpty() && others.isEmpty() && situation instanceof Situation.Over) {
      likeliest().stream().map(Told::quote).forEach(others::add);
    }
    List<Quote> figures =
        c.figures().stream().flatMap(f -> told(f).stream().limit(1)).map(Told::quote).toList();
    Signature surest = holding.getFirst();
    Statement clues = Statement.row(", ", surest.clues().stream().map(this::words).toList());
    Statement detail =
        Statement.row(
            "; ",
            Stream.concat(
                    Stream.of(at(lines, clues)),
                    figures.stream().map(q -> Statement.words(q.text())))
                .toList());
    return new Diagnosis(
        c.id(),
        surest.confidence(),
        Stream.concat(
                Stream.concat(lines.stream().map(Told::quote), others.stream())
                    .distinct()
                    .limit(MOST_QUOTES),
                figures.stream())
            .distinct()
            .toList(),
        detail,
        subjects.stream().limit(MOST_SUBJECTS).toList());
  }

  /** For a failure that no class knows: where it most likely began, and what followed. */
  Diagnosis unclassified(JobEnd end) {
    List<Told> lines = likeliest();
    List<Quote> quotes =
        lines.isEmpty()
            ? log.tail().stream().filter(q -> !q.text().startsWith(ATTESTED)).toList()
            : lines.stream().map(Told::quote).distinct().limit(MOST_QUOTES).toList();
    Statement ended = at(lines, Statement.phrase("no-signature", end.state(), end.exitCode()));
    // People read what the program itself said before they look for its log.
    Statement detail =
        quotes.isEmpty()
            ? log.tail().isEmpty()
                ? ended
                : Statement.row(
                    "; ",
                    List.of(ended, Statement.phrase("log-silent", log.tail().getLast().file())))
            : Statement.row(
                "; ",
                List.of(
                    ended,
                    Statement.phrase(
                        "log-says",
                        shortened(
                            (lines.isEmpty() ? quotes.getLast() : quotes.getFirst()).text()))));
    return new Diagnosis(KnownClasses.UNCLASSIFIED, 0, quotes, detail, List.of());
  }

  /** Where a failure most likely began, and what followed. */
  private List<Told> likeliest() {
    return Stream.concat(
            Stream.concat(findings.errors().fatal().stream(), findings.errors().plain().stream())
                .map(FirstErrors.MatchedLine::line),
            rules
                .causes()
                .flatMap(id -> findings.evidence().told(id).stream())
                .sorted(Told.IN_ORDER))
        .toList();
  }

  /** Which rank said the first line, and where that runs, where the log tells. */
  private Statement at(List<Told> lines, Statement said) {
    if (lines.isEmpty()) {
      return said;
    }
    Rank rank = lines.getFirst().rank();
    Optional<Statement> where =
        findings
            .host(rank)
            .map(
                host ->
                    rank.number() >= 0
                        ? Statement.phrase("rank-on", rank.number(), host)
                        : rank.actor().isEmpty()
                            ? Statement.phrase("on-host", host)
                            : Statement.phrase("actor-on", rank.actor(), host))
            .or(
                () ->
                    rank.toString().isEmpty()
                        ? Optional.empty()
                        : Optional.of(Statement.words(rank.toString())));
    return where.map(w -> Statement.row(": ", w, said)).orElse(said);
  }

  private Stream<Quote> quotes(Clue clue) {
    return switch (clue) {
      case Clue.Line line -> Stream.of();
      case Clue.Seen seen ->
          seen.seen() ? findings.marks().latest(seen.mark()).stream() : Stream.of();
      case Clue.Open open ->
          open.open() ? findings.marks().latest(open.mark()).stream() : Stream.of();
      case Clue.Reached reached ->
          reached.progress() == Clue.StepsSeen.NO_STEP ? Stream.of() : findings.lastStep().stream();
      case Clue.Exit e -> findings.exitQuote().stream();
      case Clue.Ended e -> Stream.of();
      case Clue.NoLog n -> Stream.of();
      case Clue.Silence s -> Stream.of();
      case Clue.Grown g -> Stream.of();
      case Clue.FirstJob f -> Stream.of();
      case Clue.Baseline b -> Stream.of();
    };
  }

  private Statement words(Clue clue) {
    return switch (clue) {
      case Clue.Line line ->
          told(line).stream()
              .findFirst()
              .map(
                  t -> Statement.phrase("line-says", t.quote().line(), shortened(t.quote().text())))
              .orElseGet(() -> Statement.phrase("a-line-tells"));
      case Clue.Exit exit -> Statement.phrase("exit-code", exitCode().orElse(0));
      case Clue.Ended ended ->
          situation instanceof Situation.Over over
              ? Statement.phrase("ended", over.end().state())
              : Statement.phrase("has-ended");
      case Clue.NoLog none -> Statement.phrase("no-log");
      case Clue.Reached reached ->
          step() < 0
              ? Statement.phrase("no-step")
              : stepsTotal() > 0
                  ? Statement.phrase("at-step", step(), stepsTotal() - 1)
                  : Statement.phrase("at-a-step", step());
      case Clue.Silence silence -> words(silence);
      case Clue.Grown grown -> Statement.phrase("log-has", log.bytes() / 1_000_000);
      case Clue.Seen seen -> Statement.phrase(seen.seen() ? "seen" : "not-seen", seen.mark());
      case Clue.Open open -> seenWords(open);
      case Clue.FirstJob first ->
          first.first() ? Statement.phrase("first-of-kind") : Statement.phrase("not-first-of-kind");
      case Clue.Baseline baseline ->
          Statement.phrase(baseline.baseline() ? "a-baseline" : "no-baseline");
    };
  }

  /** A sentence holds a part of a long line; the quotes have all of it. */
  private static String shortened(String line) {
    String text = line.strip();
    return text.length() <= MOST_SAID ? text : text.substring(0, MOST_SAID).strip() + "…";
  }

  private Statement words(Clue.Silence silence) {
    return situation instanceof Situation.Running running
        ? Projection.words(running.watch().silence(), silence, projection(running.watch()))
        : Statement.phrase("no-new-step", silence.atLeast().toMinutes());
  }

  private static Statement seenWords(Clue.Open open) {
    return Statement.phrase(open.open() ? "not-finished" : "not-under-way", open.mark());
  }
}
