package io.nightsweep.report;

import io.nightsweep.conductor.RemedyLimits;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.QuestionAbout;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Remedy.RemedyStep;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The reason for a question and the consequence of each answer, in the reader's language.
 *
 * @param reason sentences beyond the question itself; may be empty
 * @param noHalts whether the answer "no" halts the sweep
 */
public record AnswerEffects(List<String> reason, String yes, String no, boolean noHalts) {
  public AnswerEffects {
    reason = List.copyOf(reason);
  }

  /** Empty for a question of unknown kind in an old journal. */
  public static Optional<AnswerEffects> of(SweepState s, QuestionAbout about, Phrases t) {
    return switch (about) {
      case QuestionAbout.RemedyStep q -> ofStep(s, q, t);
      case QuestionAbout.FaultyNodes q -> Optional.of(plain("nodes", true, t));
      case QuestionAbout.UnaddressedCost q -> Optional.of(plain("cost", false, t));
      case QuestionAbout.Proposal q -> Optional.of(plain("proposal", false, t));
      case QuestionAbout.Told q -> Optional.empty();
    };
  }

  private static AnswerEffects plain(String kind, boolean noHalts, Phrases t) {
    return new AnswerEffects(
        List.of(), t.text("effect." + kind + ".yes"), t.text("effect." + kind + ".no"), noHalts);
  }

  private static Optional<AnswerEffects> ofStep(
      SweepState s, QuestionAbout.RemedyStep q, Phrases t) {
    return Optional.ofNullable(s.trials().get(q.attempt().trial()))
        .flatMap(
            trial ->
                trial.attempts().stream()
                    .filter(a -> a.id().equals(q.attempt()))
                    .findFirst()
                    .flatMap(a -> a.remedy().flatMap(r -> ofStep(s, trial, a, r, q.action(), t))));
  }

  private static Optional<AnswerEffects> ofStep(
      SweepState s,
      TrialState trial,
      AttemptState a,
      AttemptState.RemedyState state,
      String action,
      Phrases t) {
    Remedy remedy = state.remedy();
    return IntStream.range(0, remedy.steps().size())
        .filter(i -> remedy.steps().get(i).action().equals(action))
        .filter(i -> remedy.steps().get(i).approval().isPresent())
        .boxed()
        .findFirst()
        .map(
            i -> {
              RemedyStep step = remedy.steps().get(i);
              boolean isLast = i == remedy.steps().size() - 1;
              Remedy.Then no = RemedyLimits.bounded(s, trial, step.onFailure());
              return new AnswerEffects(
                  reason(s, trial, a, state, t),
                  t.text(
                      isLast ? "effect.step.yes.last" : "effect.step.yes",
                      action,
                      then(RemedyLimits.bounded(s, trial, remedy.then()), t)),
                  no == Remedy.Then.RESUBMIT
                      ? t.text("effect.step.no.on", action)
                      : t.text("effect.step.no", action, then(no, t)),
                  no == Remedy.Then.HALT);
            });
  }

  /** Why and where the job failed, and what the remedy's steps have found since. */
  private static List<String> reason(
      SweepState s, TrialState trial, AttemptState a, AttemptState.RemedyState state, Phrases t) {
    Optional<Diagnosis> diagnosis = a.failure().or(a::givenUp);
    List<String> nodes =
        diagnosis.map(Diagnosis::subjects).orElse(List.of()).stream()
            .filter(s.cell().nodes()::contains)
            .distinct()
            .toList();
    Stream<String> failed =
        Stream.of(
            t.text(
                nodes.isEmpty() ? "effect.failed.on" : "effect.failed.of",
                a.job().map(Object::toString).orElse(a.id().toString()),
                trial.trial().profile(),
                state.failureClass(),
                String.join(" ", nodes.isEmpty() ? a.nodes() : nodes),
                diagnosis.map(Diagnosis::detail).map(t::text).orElse("-")));
    return Stream.concat(
            failed,
            state.stepsDone().stream()
                .filter(done -> done.end().succeeded() && !t.text(done.end().said()).isBlank())
                .map(
                    done ->
                        t.text(
                            "effect.found",
                            state.step(done.index()).action(),
                            t.text(done.end().said()))))
        .toList();
  }

  private static String then(Remedy.Then then, Phrases t) {
    return t.word("effect.then", then);
  }
}
