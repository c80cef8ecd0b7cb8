package io.nightsweep.engine;

import io.nightsweep.conductor.Additions;
import io.nightsweep.conductor.Standings;
import io.nightsweep.endpoint.LanguageModel;
import io.nightsweep.endpoint.LanguageModel.ModelReply;
import io.nightsweep.endpoint.TokenCount;
import io.nightsweep.journal.Redaction;
import io.nightsweep.llm.AnswerText;
import io.nightsweep.llm.LlmDoor;
import io.nightsweep.llm.Prompt;
import io.nightsweep.llm.Prompts;
import io.nightsweep.llm.Scores;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.plan.AddedProfiles;
import io.nightsweep.plan.ProposalGate;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.LlmAnswer.LlmOutcome;
import io.nightsweep.sweep.LlmTalk;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.apache.commons.codec.digest.DigestUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each prompt once, beside the tick, and turns the response into an event. An error is also
 * recorded as an answer: a sweep never fails because of its language model.
 */
public final class LlmDesk {
  private static final Logger log = LoggerFactory.getLogger(LlmDesk.class);

  private final Optional<LanguageModel> model;
  private final LlmStore store;
  private final Redaction redaction;
  private final Executor calls;
  private Optional<Query> sent = Optional.empty();

  private record Query(
      int round, String prompt, TokenCount most, CompletableFuture<ModelReply> said) {}

  /**
   * @param model absent if no model is queried any more
   * @param calls runs the threads that wait for the endpoint
   */
  public LlmDesk(
      Optional<LanguageModel> model, LlmStore store, Redaction redaction, Executor calls) {
    this.calls = calls;
    this.model = model;
    this.store = store;
    this.redaction = redaction;
  }

  /** A desk without a language model. */
  public static LlmDesk none() {
    return new LlmDesk(Optional.empty(), LlmStore.none(), Redaction.byForm(), Runnable::run);
  }

  /** The answer to the open round, once there is one. */
  List<Event> collect(SweepState s) {
    Optional<LlmTalk.Round> open = s.llm().open();
    if (open.isEmpty()) {
      return List.of();
    }
    int round = s.llm().rounds().size();
    Optional<LlmAnswer> answer;
    try {
      answer =
          sent.filter(x -> x.round() == round).isPresent()
              ? received(s)
              : send(s, round, open.get());
    } catch (IOException | RuntimeException e) {
      log.warn("round {} of the language model: {}", round, e.toString());
      answer = Optional.of(LlmAnswer.none(LlmOutcome.INTERRUPTED, Statement.phrase("llm-unkept")));
    }
    return answer.<List<Event>>map(a -> List.of(new Event.LlmAnswered(round, a))).orElse(List.of());
  }

  private Optional<LlmAnswer> send(SweepState s, int round, LlmTalk.Round open) throws IOException {
    if (model.isEmpty()) {
      return Optional.of(LlmAnswer.none(LlmOutcome.OFF, Statement.phrase("llm-no-endpoint")));
    }
    Prompt prompt =
        Prompts.of(
            s,
            Standings.board(s),
            open.occasion(),
            store.remembered(s),
            Phrases.EN::text,
            redaction::of);
    LanguageModel asked = model.get();
    TokenCount most = asked.mostTokens(prompt);
    if (store.isSent(round)) {
      return Optional.of(
          charged(
              LlmAnswer.none(LlmOutcome.INTERRUPTED, Statement.phrase("llm-sent-before")),
              "",
              "",
              most));
    }
    if (most.sum() > LlmDoor.tokensLeft(s) || asked.price(most) > LlmDoor.microDollarsLeft(s)) {
      return Optional.of(
          LlmAnswer.none(LlmOutcome.OVER_CAP, Statement.phrase("llm-over", most.sum())));
    }
    store.keepPrompt(round, prompt.text());
    CompletableFuture<ModelReply> said = new CompletableFuture<>();
    sent = Optional.of(new Query(round, prompt.text(), most, said));
    calls.execute(
        () -> {
          try {
            said.complete(asked.ask(prompt));
          } catch (InterruptedException | RuntimeException | Error e) {
            said.completeExceptionally(e);
          }
        });
    return received(s);
  }

  private Optional<LlmAnswer> received(SweepState s) throws IOException {
    Query waiting = sent.orElseThrow();
    if (!waiting.said().isDone()) {
      return Optional.empty();
    }
    sent = Optional.empty();
    String promptHash = DigestUtils.sha256Hex(waiting.prompt());
    ModelReply said;
    try {
      said = waiting.said().join();
    } catch (CompletionException e) {
      // The message of a library is not reported, since it may quote a header with the key.
      String kind =
          Optional.ofNullable(e.getCause()).map(c -> c.getClass().getName()).orElse("nothing");
      log.warn("the call of the language model ended by {}", kind);
      said =
          new ModelReply.Nothing(
              LlmOutcome.UNREACHABLE, Statement.phrase("llm-call-ended"), waiting.most());
    }
    return Optional.of(
        switch (said) {
          case ModelReply.Nothing n ->
              charged(LlmAnswer.none(n.outcome(), n.detail()), promptHash, "", n.tokens());
          case ModelReply.Text t -> {
            store.keepAnswer(waiting.round(), t.text());
            Leaderboard board = Standings.board(s);
            yield charged(
                new AnswerText(s, board, p -> refusal(s, p)).read(t.text()),
                promptHash,
                DigestUtils.sha256Hex(t.text()),
                t.tokens());
          }
        });
  }

  /** Applies the gates for assistants' proposals and the checks for any profile from a file. */
  static Optional<Statement> refusal(SweepState s, Profile profile) {
    return ProposalGate.refusal(List.of(profile), s.spec())
        .or(() -> AddedProfiles.refusal(profile, s.spec()).map(Statement::words))
        .or(() -> Additions.refusal(s, List.of(profile)));
  }

  private LlmAnswer charged(LlmAnswer a, String promptHash, String answerHash, TokenCount tokens) {
    return new LlmAnswer(
        a.outcome(),
        a.detail(),
        promptHash,
        answerHash,
        tokens.in(),
        tokens.out(),
        model.map(m -> m.price(tokens)).orElse(0L),
        a.hypotheses(),
        a.refusals(),
        a.claims(),
        a.prose());
  }

  /** Stores what this night has refuted for later nights. */
  void remember(SweepState s) {
    if (s.llm().hypotheses().findAny().isEmpty()) {
      return;
    }
    try {
      store.remember(Scores.refuted(s, Standings.board(s)));
    } catch (IOException e) {
      log.warn("the wrong claims of the language model could not be saved: {}", e.toString());
    }
  }
}
