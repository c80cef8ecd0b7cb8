package io.nightsweep.triage;

import io.nightsweep.joblog.JobLog;
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
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/** Writes a diagnosis: its quotes, the subjects that they name, and a summary sentence. */
final class DiagnosisWriter {
  private static final int MOST_QUOTES = 5;
  private static final int QUOTES_OF_A_PATTERN = 3;
  private static final int MOST_SUBJECTS = 64;
  private static final int MOST_SAID = 160;

  /** What the wrapper prints about a job before the program begins; no program prints it. */
  private static final String ATTESTED = "nightsweep: effective ";

  private final JobLog log;
  private final Rules rules;
  private final Findings findings;
  private final Situation situation;
  private final Clues clues;

  DiagnosisWriter(JobLog log, Rules rules, Findings findings, Situation situation, Clues clues) {
    this.log = log;
    this.rules = rules;
    this.findings = findings;
    this.situation = situation;
    this.clues = clues;
  }

  /**
   * @param holding the signatures that hold, the most certain first
   */
  Diagnosis diagnosis(FailureClass c, List<Signature> holding) {
    List<Told> lines = new ArrayList<>();
    Set<Told> warnings = new HashSet<>();
    Set<Quote> others = new LinkedHashSet<>();
    Set<String> subjects = new LinkedHashSet<>();
    for (Signature signature : holding) {
      for (Clue clue : signature.clues()) {
        quotes(clue).forEach(others::add);
        if (clue instanceof Clue.Line line) {
          int pattern = rules.id(line.pattern());
          clues.told(line).stream()
              .limit(QUOTES_OF_A_PATTERN)
              .forEach(
                  told -> {
                    lines.add(told);
                    if (rules.isWarningBesides(pattern, told.quote().text())) {
                      warnings.add(told);
                    }
                  });
          findings.subjects(pattern).forEach(subjects::add);
        }
      }
    }
    // A program's warning announces what may happen; the lines about what did happen come first,
    // and of these the lines that contain a reason.
    lines.sort(
        Comparator.<Told, Boolean>comparing(warnings::contains)
            .thenComparing(told -> rules.weight().isBareOfReasons(told.quote().text()))
            .thenComparing(Told.IN_ORDER));
    if (holding.stream().allMatch(Signature::echo)) {
      lines.stream()
          .min(Told.IN_ORDER)
          .flatMap(findings.errors()::before)
          .ifPresent(lines::addFirst);
    }
    lines.stream().findFirst().flatMap(this::reasonOf).ifPresent(lines::addFirst);
    if (lines.isEmpty() && others.isEmpty() && situation instanceof Situation.Over) {
      likeliest().stream().map(Told::quote).forEach(others::add);
    }
    List<Quote> figures =
        c.figures().stream()
            .flatMap(f -> clues.told(f).stream().limit(1))
            .map(Told::quote)
            .toList();
    Signature surest = holding.getFirst();
    Statement said =
        Statement.row(
            ", ", surest.clues().stream().map(clue -> words(clue, lines)).distinct().toList());
    Statement detail =
        Statement.row(
            "; ",
            Stream.concat(
                    Stream.of(at(lines, said)),
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

  /**
   * For a failure that matches no class: where it most likely began, and what followed.
   *
   * @param exitCode empty if nobody told it
   */
  Diagnosis unclassified(JobEnd.State state, OptionalInt exitCode) {
    List<Told> found = likeliest();
    List<Told> lines =
        Stream.concat(found.stream().findFirst().flatMap(this::reasonOf).stream(), found.stream())
            .toList();
    List<Quote> quotes =
        lines.isEmpty()
            ? log.tail().stream().filter(q -> !q.text().startsWith(ATTESTED)).toList()
            : lines.stream().map(Told::quote).distinct().limit(MOST_QUOTES).toList();
    Statement ended = at(lines, withoutSignature(state, exitCode));
    // The program's own message comes before the reference to its log.
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

  private static Statement withoutSignature(JobEnd.State state, OptionalInt exitCode) {
    if (exitCode.isEmpty()) {
      return Statement.phrase("no-signature-state", state);
    }
    return Signals.of(exitCode.getAsInt())
        .map(signal -> Statement.phrase("no-signature-signal", state, signal))
        .orElseGet(() -> Statement.phrase("no-signature", state, exitCode.getAsInt()));
  }

  /** Where a failure most likely began, and what followed; a heading comes after its reason. */
  private List<Told> likeliest() {
    return Stream.concat(
            Stream.concat(
                findings.errors().fatal().stream()
                    .map(FirstErrors.MatchedLine::line)
                    .sorted(Comparator.comparing(this::isHeading)),
                findings.errors().plain().stream().map(FirstErrors.MatchedLine::line)),
            rules
                .causes()
                .flatMap(id -> findings.evidence().told(id).stream())
                .sorted(Told.IN_ORDER))
        .toList();
  }

  /** The line that contains the reason of a line that only announces an error. */
  private Optional<Told> reasonOf(Told line) {
    return FirstErrors.isAnnounced(line.quote().text())
        ? findings.errors().reasonBehind(line)
        : Optional.empty();
  }

  private boolean isHeading(Told told) {
    return FirstErrors.isHeading(told.quote().text());
  }

  /**
   * Adds which rank printed the first line and where this rank runs, as far as the log shows it.
   */
  private Statement at(List<Told> lines, Statement said) {
    if (lines.isEmpty()) {
      return said;
    }
    Rank rank = lines.getFirst().rank();
    Optional<Statement> where =
        findings
            .facts()
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
      case Clue.Exit e -> findings.facts().exitQuote().stream();
      case Clue.Ended e -> Stream.of();
      case Clue.NoLog n -> Stream.of();
      case Clue.Silence s -> Stream.of();
      case Clue.Grown g -> Stream.of();
      case Clue.FirstJob f -> Stream.of();
      case Clue.Baseline b -> Stream.of();
    };
  }

  /**
   * @param lines the quotes; the sentence tells the first of them, since the clue's own line may
   *     only follow from it
   */
  private Statement words(Clue clue, List<Told> lines) {
    return switch (clue) {
      case Clue.Line line ->
          lines.stream()
              .findFirst()
              .map(Told::quote)
              .map(q -> Statement.phrase("line-says", q.line(), shortened(q.text())))
              .orElseGet(() -> Statement.phrase("a-line-tells"));
      case Clue.Exit exit -> Statement.phrase("exit-code", clues.exitCode().orElse(0));
      case Clue.Ended ended ->
          situation instanceof Situation.Over over
              ? Statement.phrase("ended", over.end().state())
              : Statement.phrase("has-ended");
      case Clue.NoLog none -> Statement.phrase("no-log");
      case Clue.Reached reached ->
          clues.step() < 0
              ? Statement.phrase("no-step")
              : clues.stepsTotal() > 0
                  ? Statement.phrase("at-step", clues.step(), clues.stepsTotal() - 1)
                  : Statement.phrase("at-a-step", clues.step());
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

  /** A sentence contains only a part of a long line; the quotes contain all of it. */
  private static String shortened(String line) {
    String text = line.strip();
    return text.length() <= MOST_SAID ? text : text.substring(0, MOST_SAID).strip() + "…";
  }

  private Statement words(Clue.Silence silence) {
    return situation instanceof Situation.Running running
        ? Projection.words(running.watch().silence(), silence, clues.projection(running.watch()))
        : Statement.phrase("no-new-step", silence.atLeast().toMinutes());
  }

  private static Statement seenWords(Clue.Open open) {
    return Statement.phrase(open.open() ? "not-finished" : "not-under-way", open.mark());
  }
}
