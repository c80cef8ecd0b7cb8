package io.nightsweep.report;

import static io.nightsweep.report.Markdown.code;
import static io.nightsweep.report.Markdown.escape;

import io.nightsweep.conductor.RealData;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** The runs on real data that people requested after the sweep, on a page of their own. */
final class ValidationReport {
  /** Rows of the loss table: enough to show its shape. */
  private static final int ROWS = 12;

  private final SweepState s;
  private final Phrases t;

  private ValidationReport(SweepState s, Phrases t) {
    this.s = s;
    this.t = t;
  }

  static String file(Phrases language) {
    return "validation" + language.suffix() + ".md";
  }

  static String of(SweepState s, Phrases language) {
    return new ValidationReport(s, language).page();
  }

  private String page() {
    String cell = escape(s.cell().model() + " " + s.cell().parallelism());
    Markdown page =
        new Markdown()
            .heading(1, t.text("validation.title", cell))
            .paragraph(t.text("validation.text"));
    for (TrialState trial : s.validations()) {
      page.heading(2, escape(trial.trial().id() + ": " + trial.trial().profile()));
      page.paragraph(outcome(trial) + " " + job(trial));
      RealData realData = RealData.of(s, s.profile(trial.trial().profile()));
      if (!trial.isOpen() && !realData.moved().isEmpty()) {
        page.paragraph(
            t.text(
                RealData.passed(trial) ? "validation.passed" : "validation.not-passed",
                code(String.join(", ", realData.moved()))));
      }
      trial
          .lastAttempt()
          .flatMap(AttemptState::measurement)
          .ifPresent(m -> page.table(header(), rows(m.steps())));
    }
    return page.toString();
  }

  private String outcome(TrialState trial) {
    if (trial.disposition().isEmpty()) {
      return t.text("validation.under-way");
    }
    return switch (trial.disposition().get()) {
      case Disposition.Measured d ->
          trial
              .lastAttempt()
              .flatMap(AttemptState::measurement)
              .map(this::losses)
              .orElseGet(() -> t.text("validation.no-steps"));
      case Disposition.Failed d ->
          t.text("validation.failed", code(d.failureClass()), escape(t.text(d.detail())));
      case Disposition.Dropped d -> t.text("validation.dropped", escape(Causes.text(d.why(), t)));
      case Disposition.Unsupported d ->
          t.text("validation.unsupported", escape(t.text(d.reason())));
    };
  }

  private String losses(Measurement m) {
    List<Measurement.MeasuredStep> steps =
        m.steps().stream().filter(x -> x.loss().isPresent()).toList();
    return steps.isEmpty()
        ? t.text("validation.no-loss", m.steps().size())
        : t.text(
            "validation.losses",
            m.steps().size(),
            loss(steps.getFirst().loss()),
            loss(steps.getLast().loss()));
  }

  private List<String> header() {
    return Stream.of("step", "loss", "seconds").map(k -> t.text("validation." + k)).toList();
  }

  private static List<List<String>> rows(List<Measurement.MeasuredStep> steps) {
    List<List<String>> rows = new ArrayList<>();
    int stride = Math.max(1, Math.ceilDiv(steps.size(), ROWS));
    for (int i = 0; i < steps.size(); i++) {
      if (i % stride == 0 || i == steps.size() - 1) {
        Measurement.MeasuredStep step = steps.get(i);
        rows.add(
            List.of(
                Integer.toString(step.index()),
                loss(step.loss()),
                String.format(Locale.ROOT, "%.3f", step.seconds())));
      }
    }
    return rows;
  }

  private static String loss(OptionalDouble loss) {
    return loss.isPresent() ? String.format(Locale.ROOT, "%.4f", loss.getAsDouble()) : "";
  }

  private String job(TrialState trial) {
    return trial
        .lastAttempt()
        .flatMap(AttemptState::job)
        .map(job -> t.text("validation.job", code(job.value())))
        .orElseGet(() -> t.text("validation.no-job"));
  }
}
