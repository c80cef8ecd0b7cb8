package io.nightsweep.report;

import static io.nightsweep.report.Markdown.code;
import static io.nightsweep.report.Markdown.escape;

import io.nightsweep.llm.LlmDoor;
import io.nightsweep.llm.Scores;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Hypothesis;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.LlmAnswer.Claim;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.LowerCase;
import io.nightsweep.sweep.SweepState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What a language model proposed and claimed, and how much of it held. */
final class LlmSection {
  private final PageView v;
  private final SweepState s;
  private final Phrases t;
  private final Markdown page;

  LlmSection(PageView v, Markdown page) {
    this.v = v;
    this.page = page;
    s = v.s();
    t = v.t();
  }

  /** Writes the section if a language model was used. */
  void write() {
    if (s.llm().rounds().isEmpty()) {
      return;
    }
    LlmTerms terms = s.llm().terms().orElseThrow();
    List<LlmAnswer> answers = s.llm().answers().toList();
    page.heading(2, t.text("llm"));
    page.paragraph(
        t.text(
            "llm.asked",
            code(terms.model()),
            s.llm().rounds().size(),
            answers.stream().filter(a -> a.outcome() == LlmAnswer.LlmOutcome.READ).count(),
            LlmDoor.tokens(s),
            t.word("llm.mode", terms.mode()),
            String.format(Locale.ROOT, "%.0f", 100 * terms.share()),
            terms.tokens(),
            dollars(terms)));
    LlmDoor.closed(s, v.board()).ifPresent(by -> page.paragraph(t.word("llm.closed", by)));
    unanswered();
    List<List<String>> hypotheses = s.llm().hypotheses().map(this::row).toList();
    if (!hypotheses.isEmpty()) {
      page.table(
          List.of(
              t.text("profile"),
              v.settings(),
              t.text("llm.expected"),
              t.text("llm.score"),
              t.text("llm.signal")),
          hypotheses);
    }
    refusals(answers);
    claims(answers);
    quotations(answers);
  }

  /** Empty where nothing has a price. */
  private String dollars(LlmTerms terms) {
    long spent = LlmDoor.microDollars(s);
    return terms.microDollars() > 0
        ? t.text("llm.dollars-of", dollars(spent), dollars(terms.microDollars()))
        : spent > 0 ? t.text("llm.dollars", dollars(spent)) : "";
  }

  private static String dollars(long microDollars) {
    return String.format(Locale.ROOT, "%.4f", microDollars / 1e6);
  }

  /**
   * Reports failed calls: otherwise a refused key or an endpoint that is down would look like a
   * silent model.
   */
  private void unanswered() {
    List<String> rounds = new ArrayList<>();
    for (int i = 0; i < s.llm().rounds().size(); i++) {
      int number = i + 1;
      s.llm()
          .rounds()
          .get(i)
          .answer()
          .filter(a -> a.outcome() != LlmAnswer.LlmOutcome.READ)
          .ifPresent(a -> rounds.add(escape(EventLines.of(new Event.LlmAnswered(number, a), t))));
    }
    if (!rounds.isEmpty()) {
      page.paragraph(t.text("llm.unanswered"));
      page.bullets(rounds);
    }
  }

  private List<String> row(Hypothesis h) {
    return List.of(
        code(h.profile().name()),
        code(h.profile().describe()),
        String.format(Locale.ROOT, "%+.1f..%+.1f %%", h.lowPercent(), h.highPercent()),
        t.word("llm.score", Scores.of(s, v.board(), h)),
        escape(h.signal().name())
            + " "
            + t.word("llm.signal", h.signal().change())
            + Scores.signal(s, h)
                .map(seen -> ": " + t.text(seen ? "llm.signal.yes" : "llm.signal.no"))
                .orElse(""));
  }

  private void refusals(List<LlmAnswer> answers) {
    List<String> refused =
        answers.stream()
            .flatMap(a -> a.refusals().stream())
            .map(r -> code(r.name()) + ": " + code(t.text(r.reason())))
            .toList();
    if (!refused.isEmpty()) {
      page.paragraph(t.text("llm.refused"));
      page.bullets(refused);
    }
  }

  /** Lists the claims that the journal confirms, and counts the others. */
  private void claims(List<LlmAnswer> answers) {
    List<String> said = new ArrayList<>();
    int wrong = 0;
    for (LlmAnswer answer : answers) {
      for (Claim claim : answer.claims()) {
        if (claim.truth() == Claim.Truth.HOLDS) {
          said.add(sentence(claim));
        } else {
          wrong++;
        }
      }
    }
    if (!said.isEmpty()) {
      page.bullets(said);
    }
    if (wrong > 0) {
      page.paragraph(t.text("llm.wrong", wrong));
    }
  }

  private String sentence(Claim claim) {
    return t.text(
        "llm.claim." + LowerCase.of(claim.relation()),
        code(claim.subject()),
        figure(OptionalDouble.of(claim.figure())),
        figure(claim.journal()));
  }

  private static String figure(OptionalDouble figure) {
    return figure.isEmpty() ? "-" : Figures.plain(figure.getAsDouble());
  }

  private void quotations(List<LlmAnswer> answers) {
    List<String> prose =
        answers.stream()
            .map(LlmAnswer::prose)
            .filter(p -> !p.isBlank())
            .map(Markdown::code)
            .toList();
    if (!prose.isEmpty()) {
      page.paragraph(t.text("llm.prose"));
      page.bullets(prose);
    }
  }
}
