package io.nightsweep.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.RemedyWords;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Diagnosis.Quote;
import io.nightsweep.sweep.FailureClass;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Statement;
import io.nightsweep.triage.ClassProposal;
import io.nightsweep.triage.LogTriage;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What triage answers about one log, with secrets masked. */
final class TriageAnswer {
  /** Joins a rank and its host to what its line says. */
  private static final String OF_A_RANK = ": ";

  private final GivenLog log;
  private final Diagnosis told;
  private final Playbook book;
  private final LogTriage triage;
  private final Redaction redaction = Redaction.of(System.getenv());
  private final List<Quote> lines;

  TriageAnswer(GivenLog log, Diagnosis told, Playbook book, LogTriage triage) {
    this.log = log;
    this.told = told;
    this.book = book;
    this.triage = triage;
    this.lines =
        inOrder(told).stream()
            .map(q -> new Quote(q.file(), q.line(), redaction.shown(q.text())))
            .toList();
  }

  /**
   * The line where the failure began, and the others as they stand in the log; without a failure,
   * all of them.
   */
  private static List<Quote> inOrder(Diagnosis told) {
    List<Quote> quotes = told.quotes();
    if (quotes.stream().map(Quote::file).distinct().count() > 1) {
      return quotes;
    }
    int first = isNoFailure(told) ? 0 : 1;
    return Stream.concat(
            quotes.stream().limit(first),
            quotes.stream().skip(first).sorted(Comparator.comparingLong(Quote::line)))
        .toList();
  }

  private Diagnosis diagnosis() {
    return new Diagnosis(
        told.failureClass(), told.confidence(), lines, Statement.words(why()), subjects());
  }

  /** For people: the class, or that there is no failure. */
  String name() {
    return isNoFailure(told) ? "no failure found" : told.failureClass();
  }

  /** Why no class is proposed. */
  String whyNoProposal() {
    return isNoFailure(told)
        ? "no failure found"
        : told.failureClass().equals(KnownClasses.UNCLASSIFIED)
            ? "no line in it could identify a class"
            : "known already: " + told.failureClass();
  }

  private static boolean isNoFailure(Diagnosis d) {
    return d.failureClass().equals(KnownClasses.NO_FAILURE_FOUND);
  }

  private String why() {
    return masked(told.detail());
  }

  private String masked(Statement statement) {
    return redaction.shown(Phrases.EN.text(statement));
  }

  /** What the statement says besides the lines that are quoted after it anyway. */
  private Optional<Statement> beyondLines(Statement statement) {
    boolean isSaid =
        switch (statement) {
          case Statement.Words w -> told.quotes().stream().anyMatch(q -> begins(q, w));
          case Statement.Phrase p ->
              switch (p.key()) {
                case "line-says" ->
                    told.quotes().stream().limit(1).anyMatch(q -> begins(q, p.values().getLast()));
                case "log-says" ->
                    told.quotes().stream().anyMatch(q -> begins(q, p.values().getLast()));
                default -> false;
              };
          // A rank without its host is in the line too.
          case Statement.Row r ->
              r.joint().equals(OF_A_RANK)
                  && r.parts().getFirst() instanceof Statement.Words
                  && beyondLines(r.parts().getLast()).isEmpty();
        };
    if (isSaid) {
      return Optional.empty();
    }
    if (!(statement instanceof Statement.Row row) || row.joint().equals(OF_A_RANK)) {
      return Optional.of(statement);
    }
    List<Statement> left =
        row.parts().stream().flatMap(part -> beyondLines(part).stream()).toList();
    return left.isEmpty() ? Optional.empty() : Optional.of(Statement.row(row.joint(), left));
  }

  /** Whether the text is the line, or its beginning and an ellipsis. */
  private static boolean begins(Quote line, Statement text) {
    return text instanceof Statement.Words w
        && line.text().strip().startsWith(w.text().replaceFirst("…$", ""));
  }

  private List<String> subjects() {
    return told.subjects().stream().map(redaction::shown).toList();
  }

  private String meaning() {
    return book.recognition().classes().stream()
        .filter(c -> c.id().equals(told.failureClass()) && !c.about().isEmpty())
        .findFirst()
        .map(FailureClass::about)
        .orElse("");
  }

  private String remedy() {
    return isNoFailure(told) ? "none" : RemedyWords.of(book.remedyFor(told));
  }

  /** Empty also for a failure that is known. */
  Optional<ClassProposal> proposal() {
    return told.failureClass().equals(KnownClasses.UNCLASSIFIED)
        ? ClassProposal.of(diagnosis(), triage::isEcho)
        : Optional.empty();
  }

  private String next() {
    return proposal().isPresent()
        ? "--propose-class writes a class for it, to paste into a playbook"
        : "";
  }

  String json() {
    ObjectNode node = Json.mapper().createObjectNode();
    node.put("log", log.path().toString());
    node.put("class", told.failureClass());
    node.put("confidence", Math.round(told.confidence() * 100) / 100.0);
    node.put("meaning", meaning());
    node.put("why", why());
    ArrayNode quoted = node.putArray("lines");
    for (Quote q : lines) {
      quoted.addObject().put("file", q.file()).put("line", q.line()).put("text", q.text());
    }
    ArrayNode about = node.putArray("subjects");
    subjects().forEach(about::add);
    node.put("remedy", remedy());
    node.put("next", next());
    return node.toString();
  }

  void print(PrintWriter out) {
    if (isNoFailure(told)) {
      out.printf("%s: %s%n  because  %s%n", log.name(), name(), why());
      lines.forEach(q -> print(out, "last", q));
      return;
    }
    out.printf("%s: %s (confidence %.2f)%n", log.name(), name(), told.confidence());
    print(out, "meaning", meaning());
    print(out, "because", beyondLines(told.detail()).map(this::masked).orElse(""));
    lines.forEach(q -> print(out, "line", q));
    print(out, "about", String.join(" ", subjects()));
    print(out, "next", next());
    print(out, "remedy", "in a sweep: " + remedy());
  }

  private void print(PrintWriter out, String label, Quote q) {
    print(out, label, "%s:%d: %s".formatted(log.nameOf(q.file()), q.line(), q.text()));
  }

  private static void print(PrintWriter out, String label, String text) {
    if (!text.isEmpty()) {
      out.printf("  %-8s %s%n", label, text);
    }
  }
}
