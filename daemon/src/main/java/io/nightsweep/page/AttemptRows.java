package io.nightsweep.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.TrialState;
import java.util.List;
import java.util.Optional;

/** Jobs: where and when each ran, how it ended, and its steps as they arrive. */
final class AttemptRows {
  /** Lines of a failed job that the page quotes; the log has all of them. */
  private static final int MOST_QUOTES = 8;

  private final Phrases t;

  AttemptRows(Phrases t) {
    this.t = t;
  }

  void attempt(Frame.Builder frame, TrialState trial, AttemptState a) {
    ObjectNode row = frame.row("attempts", a.id().toString());
    row.put("number", a.id().attempt())
        .put("profile", trial.trial().profile())
        .put("tag", trial.trial().configTag())
        .put("purpose", t.word("purpose", trial.trial().purpose()))
        .put("control", trial.trial().purpose().isControl())
        .put("step", a.step())
        .put("stepsTotal", a.stepsTotal())
        .put("status", status(a));
    row.put("statusText", statusText(a));
    ArrayNode nodes = row.putArray("nodes");
    a.nodes().forEach(nodes::add);
    a.job().map(JobId::value).ifPresent(job -> row.put("job", job));
    a.startedAt().ifPresent(at -> row.put("startedAt", at.toEpochMilli()));
    a.end().ifPresent(end -> row.put("endedAt", end.endedAt().toEpochMilli()));
    a.cancelCause().ifPresent(why -> row.put("cancelled", t.text(why.said())));
    a.measurement()
        .or(a::sofar)
        .ifPresent(m -> row.put("windowFrom", m.windowFrom()).put("windowTo", m.windowTo()));
    if (a.step() >= 0) {
      row.put("stepAt", a.lastProgressAt().toEpochMilli());
    }
    if (!a.isCancelled()) {
      failure(frame, trial, a);
    }
  }

  private static String status(AttemptState a) {
    if (a.isCancelled()) {
      return "cancelled";
    }
    return a.judgement()
        .map(
            j ->
                switch (j) {
                  case Judgement.Measured m -> "measured";
                  case Judgement.Done d -> "done";
                  case Judgement.Failed f -> "failed";
                  case Judgement.Voided v -> "void";
                  case Judgement.Duplicate d -> "duplicate";
                })
        .orElse(a.isRunning() ? "running" : a.end().isPresent() ? "ended" : "pending");
  }

  private String statusText(AttemptState a) {
    if (a.isCancelled()) {
      return t.text("words.state.cancelled");
    }
    return a.failure()
        .map(d -> t.text("failed", d.failureClass()))
        .orElseGet(() -> t.text(status(a).equals("ended") ? "page.ended" : status(a)));
  }

  private void failure(Frame.Builder frame, TrialState trial, AttemptState a) {
    Optional<Diagnosis> diagnosis = a.failure();
    Optional<Statement> voided =
        a.judgement()
            .flatMap(
                j -> j instanceof Judgement.Voided v ? Optional.of(v.reason()) : Optional.empty());
    if (diagnosis.isEmpty() && voided.isEmpty()) {
      return;
    }
    ObjectNode row = frame.row("failures", a.id().toString());
    row.put("profile", trial.trial().profile())
        .put("class", diagnosis.map(Diagnosis::failureClass).orElseGet(() -> t.text("void")))
        .put("detail", diagnosis.map(Diagnosis::detail).or(() -> voided).map(t::text).orElse(""));
    a.job().map(JobId::value).ifPresent(job -> row.put("job", job));
    a.end().ifPresent(end -> row.put("at", end.endedAt().toEpochMilli()));
    ArrayNode quotes = row.putArray("quotes");
    diagnosis.map(Diagnosis::quotes).orElse(List.of()).stream()
        .limit(MOST_QUOTES)
        .forEach(
            q ->
                quotes
                    .addObject()
                    .put("file", q.file())
                    .put("line", q.line())
                    .put("text", q.text()));
    a.remedy().ifPresent(remedy -> remedy(row, remedy));
  }

  private void remedy(ObjectNode row, AttemptState.RemedyState remedy) {
    ArrayNode steps = row.putArray("remedy");
    // A person who refuses a step refuses all its attempts; one row shows them.
    int refused = -1;
    for (AttemptState.StepDone done : remedy.stepsDone()) {
      boolean isRefused = done.end() instanceof StepEnd.Refused;
      if (isRefused && done.index() == refused) {
        continue;
      }
      refused = isRefused ? done.index() : -1;
      steps
          .addObject()
          .put("action", remedy.step(done.index()).action())
          .put("succeeded", done.end().succeeded())
          .put(isRefused ? "refused" : "output", t.text(done.end().said()));
    }
    remedy
        .running()
        .ifPresent(step -> steps.addObject().put("action", remedy.step(step.index()).action()));
    remedy.ended().ifPresent(then -> row.put("then", t.word("then", then)));
  }

  /** Step numbers and the metric's values, in the metric's unit. */
  static void series(ObjectNode row, List<Measurement.MeasuredStep> steps) {
    ArrayNode index = row.putArray("index");
    ArrayNode value = row.putArray("value");
    for (Measurement.MeasuredStep step : steps) {
      index.add(step.index());
      Numbers.add(value, step.value());
    }
  }
}
