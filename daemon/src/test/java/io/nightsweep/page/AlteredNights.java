package io.nightsweep.page;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** Nights with changed texts or measurements. */
final class AlteredNights {
  static final String MARKUP =
      "<img src=x onerror=\"document.title='struck'\"><script>alert(1)</script> </textarea>&lt;";
  static final int GIBIBYTES = 40;

  private AlteredNights() {}

  /** Each failure quotes a line that would act in a browser if it were markup. */
  static List<Entry> marked(List<Entry> entries) {
    return said(entries, MARKUP);
  }

  static List<Entry> said(List<Entry> entries, String text) {
    return entries.stream().map(e -> new Entry(e.seq(), e.at(), said(e.event(), text))).toList();
  }

  private static Event said(Event event, String text) {
    return event instanceof Event.AttemptJudged judged
            && judged.judgement() instanceof Judgement.Failed failed
        ? new Event.AttemptJudged(
            judged.attempt(), new Judgement.Failed(said(failed.diagnosis(), text)))
        : event;
  }

  private static Diagnosis said(Diagnosis d, String text) {
    return new Diagnosis(
        d.failureClass(),
        d.confidence(),
        List.of(new Diagnosis.Quote("job.log", 7, text)),
        Statement.words(text),
        d.subjects());
  }

  /** Memory as a training log reports it: in bytes, the same for all runs of a profile. */
  static List<Entry> withMemory(List<Entry> night) {
    SweepState s = SweepState.fold(night);
    return measured(
        night,
        (attempt, m) ->
            with(
                m,
                GIBIBYTES + s.profileOrder().indexOf(s.trial(attempt.trial()).trial().profile())));
  }

  /** The night with changed measurements. */
  static List<Entry> measured(
      List<Entry> night, BiFunction<AttemptId, Measurement, Measurement> other) {
    return night.stream()
        .map(
            e ->
                e.event() instanceof Event.AttemptJudged judged
                        && judged.judgement() instanceof Judgement.Measured measured
                    ? new Entry(
                        e.seq(),
                        e.at(),
                        new Event.AttemptJudged(
                            judged.attempt(),
                            new Judgement.Measured(
                                other.apply(judged.attempt(), measured.measurement()))))
                    : e)
        .toList();
  }

  /** Five slow steps while caches fill, then fifteen steady ones. */
  static Measurement withSteps(AttemptId attempt, Measurement m) {
    List<Measurement.MeasuredStep> steps =
        IntStream.range(0, 20)
            .mapToObj(
                i ->
                    new Measurement.MeasuredStep(
                        i,
                        1,
                        m.value() * (i < 5 ? 0.2 : 1 + 0.004 * Math.sin(i)),
                        OptionalDouble.empty()))
            .toList();
    return new Measurement(m.value(), steps, 5, 19, m.extras());
  }

  private static Measurement with(Measurement m, double gibibytes) {
    return new Measurement(
        m.value(),
        m.steps(),
        m.windowFrom(),
        m.windowTo(),
        new TreeMap<>(Map.of("totalMemoryBytes", gibibytes * (1L << 30))));
  }
}
