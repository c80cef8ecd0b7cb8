package io.nightsweep.report;

import static io.nightsweep.report.Markdown.code;
import static io.nightsweep.report.Markdown.escape;

import io.nightsweep.conductor.RealData;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The runs on real data that were asked for after the sweep: a page of their own. */
final class ValidationReport {
  static final String NAME = "validation.md";

  /** Rows of the loss table: enough for its shape. */
  private static final int ROWS = 12;

  private ValidationReport() {}

  static String of(SweepState s) {
    Markdown page =
        new Markdown()
            .heading(1, "Validation: " + escape(s.cell().model() + " " + s.cell().parallelism()))
            .paragraph(
                "Runs of the winner on real data, each asked for after the sweep. They are no part"
                    + " of the leaderboard: their speed compares with nothing.");
    for (TrialState t : s.validations()) {
      page.heading(2, escape(t.trial().id() + ": " + t.trial().profile()));
      page.paragraph(outcome(t) + " Job " + code(job(t)) + ".");
      RealData realData = RealData.of(s, s.profile(t.trial().profile()));
      if (!t.isOpen() && !realData.moved().isEmpty()) {
        page.paragraph(
            (RealData.passed(t)
                    ? "It passed, as the deployment of what changes %s needs."
                    : "It did not pass, so nothing is deployed that changes %s: every loss has to be"
                        + " a finite number, there have to be six at least, and they may not rise.")
                .formatted(code(String.join(", ", realData.moved()))));
      }
      t.lastAttempt()
          .flatMap(AttemptState::measurement)
          .ifPresent(m -> page.table(List.of("Step", "Loss", "Seconds"), rows(m.steps())));
    }
    return page.toString();
  }

  private static String outcome(TrialState t) {
    if (t.disposition().isEmpty()) {
      return "Under way.";
    }
    return switch (t.disposition().get()) {
      case Disposition.Measured d ->
          t.lastAttempt()
              .flatMap(AttemptState::measurement)
              .map(ValidationReport::losses)
              .orElse("It ended well and printed no steps.");
      case Disposition.Failed d ->
          "It failed ("
              + code(d.failureClass())
              + "): "
              + escape(Phrases.EN.text(d.detail()))
              + ".";
      case Disposition.Dropped d -> "It did not run: " + escape(Causes.english(d.why())) + ".";
      case Disposition.Unsupported d ->
          "It cannot run: " + escape(Phrases.EN.text(d.reason())) + ".";
    };
  }

  private static String losses(Measurement m) {
    List<Measurement.MeasuredStep> steps =
        m.steps().stream().filter(x -> x.loss().isPresent()).toList();
    if (steps.isEmpty()) {
      return m.steps().size() + " steps ran; none printed a loss.";
    }
    return String.format(
        Locale.ROOT,
        "%d steps; the loss went from %.4f to %.4f, and every step's is a finite number.",
        m.steps().size(),
        steps.getFirst().loss().orElseThrow(),
        steps.getLast().loss().orElseThrow());
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
                step.loss().isPresent()
                    ? String.format(Locale.ROOT, "%.4f", step.loss().getAsDouble())
                    : "",
                String.format(Locale.ROOT, "%.3f", step.seconds())));
      }
    }
    return rows;
  }

  private static String job(TrialState t) {
    return t.lastAttempt().flatMap(AttemptState::job).map(JobId::value).orElse("none yet");
  }
}
