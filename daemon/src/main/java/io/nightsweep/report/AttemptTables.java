package io.nightsweep.report;

import static io.nightsweep.report.Markdown.code;
import static io.nightsweep.report.Markdown.escape;

import io.nightsweep.conductor.Resubmission;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The sections of a report with one entry for each attempt: failures, and the appendix. */
final class AttemptTables {
  private final SweepState s;
  private final Markdown page;
  private final Phrases t;

  AttemptTables(SweepState s, Markdown page, Phrases t) {
    this.t = t;
    this.s = s;
    this.page = page;
  }

  void failures() {
    List<List<String>> rows = new ArrayList<>();
    s.attempts()
        .filter(a -> !a.isCancelled())
        .forEach(
            a ->
                a.judgement()
                    .ifPresent(
                        j -> {
                          switch (j) {
                            case Judgement.Failed f -> rows.add(failure(a, f.diagnosis()));
                            case Judgement.Voided v ->
                                rows.add(
                                    List.of(
                                        job(a),
                                        profile(a),
                                        t.text("void"),
                                        escape(t.text(v.reason())),
                                        "-"));
                            case Judgement.Measured m -> {}
                            case Judgement.Done d -> {}
                            case Judgement.Duplicate d -> {}
                          }
                        }));
    if (rows.isEmpty()) {
      return;
    }
    page.heading(2, t.text("failures"));
    page.table(
        List.of(
            t.text("job"),
            t.text("profile"),
            t.text("class"),
            t.text("evidence"),
            t.text("remedy")),
        rows);
  }

  private List<String> failure(AttemptState a, Diagnosis d) {
    String quotes =
        d.quotes().stream().limit(3).map(q -> code(q.text())).collect(Collectors.joining(" "));
    String remedy =
        a.remedy()
            .flatMap(AttemptState.RemedyState::ended)
            .map(then -> t.word("then", then))
            .orElse("-");
    return List.of(
        job(a),
        profile(a),
        escape(d.failureClass()),
        quotes.isEmpty() ? escape(t.text(d.detail())) : quotes,
        remedy);
  }

  void appendix() {
    page.heading(2, t.text("appendix"));
    List<AttemptState> attempts =
        s.attempts().sorted(Comparator.comparing(AttemptTables::jobNumber)).toList();
    page.table(
        List.of(
            t.text("job"),
            t.text("attempt"),
            t.text("profile"),
            t.text("tag"),
            t.text("purpose"),
            t.text("status"),
            t.text("exit"),
            t.text("nodes.column"),
            t.text("start"),
            t.text("elapsed"),
            t.text("value")),
        attempts.stream().map(this::attempt).toList());
    List<String> again =
        s.attempts()
            .flatMap(
                a ->
                    Resubmission.of(s, a).stream()
                        .map(why -> a.id() + " " + profile(a) + ": " + escape(t.text(why.said()))))
            .toList();
    if (!again.isEmpty()) {
      page.paragraph(t.text("again"));
      page.bullets(again);
    }
    List<String> never =
        s.trials().values().stream()
            .filter(tr -> tr.attempts().isEmpty() && tr.disposition().isPresent())
            .map(tr -> tr.trial().id() + " " + code(tr.trial().profile()) + ": " + disposition(tr))
            .toList();
    if (!never.isEmpty()) {
      page.paragraph(t.text("never"));
      page.bullets(never);
    }
  }

  private List<String> attempt(AttemptState a) {
    TrialState tr = s.trial(a.id());
    return List.of(
        job(a),
        a.id().toString(),
        code(tr.trial().profile()),
        code(tr.trial().configTag()),
        t.word("purpose", tr.trial().purpose()),
        status(a),
        a.end().map(e -> Integer.toString(e.exitCode())).orElse("-"),
        escape(String.join(",", a.nodes())),
        a.startedAt().map(Figures::time).orElse("-"),
        a.elapsed().map(Figures::duration).orElse("-"),
        a.measurement().map(m -> Figures.value(m.value())).orElse("-"));
  }

  private String status(AttemptState a) {
    if (a.isCancelled()) {
      return t.text("words.state.cancelled");
    }
    return a.judgement()
        .map(
            j ->
                switch (j) {
                  case Judgement.Measured m -> t.text("measured");
                  case Judgement.Done d -> t.text("done");
                  case Judgement.Failed f -> escape(t.text("failed", f.diagnosis().failureClass()));
                  case Judgement.Voided v -> t.text("void");
                  case Judgement.Duplicate d -> t.text("duplicate");
                })
        .orElse(a.isRunning() ? t.text("running") : t.text("pending"));
  }

  private String disposition(TrialState tr) {
    return switch (tr.disposition().orElseThrow()) {
      case Disposition.Measured d -> t.text("measured");
      case Disposition.Failed d -> escape(t.text("failed", t.text(d.detail())));
      case Disposition.Dropped d -> escape(t.text("dropped", Causes.text(d.why(), t)));
      case Disposition.Unsupported d -> t.text("unsupported", code(t.text(d.reason())));
    };
  }

  private String profile(AttemptState a) {
    return code(s.trialOf(a.id()).profile());
  }

  private static String job(AttemptState a) {
    return a.job().map(j -> escape(j.value())).orElse("-");
  }

  private static long jobNumber(AttemptState a) {
    return a.job()
        .map(j -> j.value().matches("\\d{1,18}") ? Long.parseLong(j.value()) : Long.MAX_VALUE - 1)
        .orElse(Long.MAX_VALUE);
  }
}
