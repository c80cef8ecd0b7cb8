package io.nightsweep.conductor;

import io.nightsweep.llm.LlmDoor;
import io.nightsweep.measure.Racing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.plan.WhatIsTrained;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Hypothesis;
import io.nightsweep.sweep.LlmOccasion;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.QuestionAbout;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides when a language model is queried and what happens to its hypotheses: these are profiles
 * that are screened and raced like others, within the model's share. The sweep waits for an answer
 * only when the search would otherwise end without a winner.
 */
final class LlmRounds {
  /**
   * Name prefix of questions that a sweep does not wait for at its end; most answers to them are
   * no.
   */
  private static final String MOVING = "llm-moving:";

  /** Longer than any time limit of an endpoint. */
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  /** Long enough for a person to read a message; the night goes on meanwhile. */
  private static final Duration APPROVAL = Duration.ofMinutes(30);

  /** How long a question that blocks nothing stays open: people may answer it in the morning. */
  private static final Duration WHOLE_NIGHT = Duration.ofHours(24);

  private LlmRounds() {}

  static List<Decision> next(View view) {
    if (view.state().llm().terms().isEmpty()) {
      return List.of();
    }
    List<Decision> dropped = beyondTheShare(view);
    if (!dropped.isEmpty()) {
      return dropped;
    }
    List<Decision> joining = joining(view);
    return joining.isEmpty() ? asking(view) : joining;
  }

  /** Whether a wave that ends the search waits for the language model or for a person. */
  static boolean isAwaited(View view, Wave wave) {
    SweepState s = view.state();
    return s.llm().terms().isPresent()
        && isLastCall(view, wave)
        && (isAnswerAwaited(view)
            || isDue(view, new LlmOccasion(LlmOccasion.Kind.BOUNDED, ""))
            || s.questions().entrySet().stream()
                .anyMatch(q -> q.getKey().startsWith(key("")) && q.getValue().isOpen()));
  }

  private static boolean isAnswerAwaited(View view) {
    return view.state()
        .llm()
        .open()
        .filter(round -> view.now().isBefore(round.askedAt().plus(PATIENCE)))
        .isPresent();
  }

  /** Whether the wave would end the search and no tried profile has gained or may gain. */
  private static boolean isLastCall(View view, Wave wave) {
    return isSpareTime(view, wave) && Standings.winner(view.state(), view.board()).isEmpty();
  }

  /** Whether the wave would end the search and no profile of the rules is worth a further run. */
  private static boolean isSpareTime(View view, Wave wave) {
    SweepState s = view.state();
    boolean ends =
        switch (wave.kind()) {
          case STACK, RACE, CONFIRM -> true;
          case SCREEN -> Search.hopeless(view).isPresent();
          case PROBE, BASELINE, EVIDENCE, CROSS_CHECK, WINNER_EVIDENCE, NODE_GATE -> false;
        };
    return ends
        && Fit.deciding(view).isEmpty()
        && Search.contenders(view).stream().noneMatch(st -> Search.isWorthARun(s, st));
  }

  /** Drops the model's profiles once the rest of its share can no longer confirm them. */
  private static List<Decision> beyondTheShare(View view) {
    SweepState s = view.state();
    List<String> own =
        s.profileOrder().stream()
            .filter(p -> !s.isDropped(p) && s.llm().isOf(s.profile(p)))
            .filter(p -> !isConfirmed(view, p))
            .toList();
    if (own.isEmpty()) {
      return List.of();
    }
    LlmShare share = LlmShare.of(view);
    return own.stream()
        .filter(share::isTooLittleFor)
        .<Decision>map(
            p ->
                new Decision.Append(
                    new Event.ProfileDropped(
                        p, DropCause.SHARE_SPENT, new Cause.ShareSpent(share.jobs())),
                    Statement.phrase("because-share")))
        .toList();
  }

  private static boolean isConfirmed(View view, String profile) {
    return view.board().of(profile).filter(st -> st.verdict() instanceof Verdict.Win).isPresent();
  }

  private static List<Decision> joining(View view) {
    SweepState s = view.state();
    LlmTerms terms = s.llm().terms().orElseThrow();
    List<Hypothesis> waiting =
        s.llm()
            .hypotheses()
            .filter(h -> !s.profiles().containsKey(h.profile().name()))
            .filter(h -> Additions.refusal(s, List.of(h.profile())).isEmpty())
            .toList();
    if (waiting.isEmpty()) {
      return List.of();
    }
    int room = LlmShare.of(view).room();
    int unasked = Math.min(room, byItself(view, terms));
    List<Profile> joining = new ArrayList<>();
    List<Decision> question = List.of();
    int asked = 0;
    int askedOfMoving = 0;
    for (Hypothesis h : waiting) {
      Set<String> moved = WhatIsTrained.moved(h.profile());
      if (terms.mode() == LlmTerms.Mode.RUN && moved.isEmpty()) {
        if (unasked > 0 && joining.size() < room) {
          unasked--;
          joining.add(h.profile());
        }
        continue;
      }
      // A profile that a person refused or did not answer leaves its place to later ones.
      switch (approval(s, h, moved)) {
        case Questions.AnswerSoFar.Closed closed -> {
          if (closed.answer().yes() && joining.size() < room) {
            joining.add(h.profile());
          }
        }
        case Questions.AnswerSoFar.Open open -> {
          // A question that stays open all night does not take the place of one that is answered
          // soon.
          int place = moved.isEmpty() ? asked++ : askedOfMoving++;
          if (place < room && question.isEmpty()) {
            question = open.decisions();
          }
        }
      }
    }
    if (!question.isEmpty()) {
      return question;
    }
    return joining.isEmpty()
        ? List.of()
        : Decision.append(
            new Event.CommandAccepted(
                new Command.AddProfiles(joining),
                new Command.Origin(Command.Origin.Door.LLM, terms.model())),
            Statement.phrase("because-gates"));
  }

  /**
   * How many profiles may join without approval; approved profiles only need the share. At first
   * the language model gets one run without approval. It then gets its share if one of its profiles
   * shows promise, and otherwise the time that the rules leave. So a model without useful ideas
   * costs the rules' search two jobs.
   */
  private static int byItself(View view, LlmTerms terms) {
    SweepState s = view.state();
    if (terms.mode() == LlmTerms.Mode.SUGGEST) {
      return 0;
    }
    List<String> tried =
        s.llm()
            .hypotheses()
            .filter(h -> WhatIsTrained.moved(h.profile()).isEmpty())
            .map(h -> h.profile().name())
            .filter(s.profiles()::containsKey)
            .toList();
    boolean all =
        tried.stream().anyMatch(p -> isPromising(view, p))
            || firstPending(s).filter(wave -> isSpareTime(view, wave)).isPresent();
    return all ? Integer.MAX_VALUE : tried.isEmpty() ? 1 : 0;
  }

  private static boolean isPromising(View view, String profile) {
    return isConfirmed(view, profile)
        || (!view.state().isDropped(profile)
            && view.board().of(profile).filter(Racing::isPromising).isPresent());
  }

  private static Optional<Wave> firstPending(SweepState s) {
    return s.waves().stream().filter(WaveState::isPending).map(WaveState::wave).findFirst();
  }

  private static Questions.AnswerSoFar approval(SweepState s, Hypothesis h, Set<String> moving) {
    return Questions.ask(
        s,
        (moving.isEmpty() ? key("") : MOVING) + h.profile().name(),
        new QuestionAbout.Proposal(
            h.profile().name(),
            h.profile().describe(),
            h.lowPercent(),
            h.highPercent(),
            List.copyOf(moving)),
        moving.isEmpty() ? APPROVAL : WHOLE_NIGHT,
        false,
        Statement.phrase("because-person-approves"));
  }

  /** The key of the question whether a profile may run. */
  static String key(String profile) {
    return "llm:" + profile;
  }

  private static List<Decision> asking(View view) {
    SweepState s = view.state();
    if (s.llm().open().isPresent() || s.clusterOutage().isPresent()) {
      return List.of();
    }
    return occasions(view).stream()
        .filter(occasion -> isDue(view, occasion))
        .findFirst()
        .<List<Decision>>map(
            o -> Decision.append(new Event.LlmAsked(o), Statement.phrase("because-news")))
        .orElse(List.of());
  }

  private static boolean isDue(View view, LlmOccasion occasion) {
    SweepState s = view.state();
    return s.llm().rounds().stream().noneMatch(round -> round.occasion().equals(occasion))
        && LlmDoor.closed(s, view.board()).isEmpty()
        && LlmShare.of(view).room() > 0;
  }

  private static List<LlmOccasion> occasions(View view) {
    SweepState s = view.state();
    List<LlmOccasion> occasions = new ArrayList<>();
    firstPending(s)
        .filter(wave -> isLastCall(view, wave))
        .ifPresent(wave -> occasions.add(new LlmOccasion(LlmOccasion.Kind.BOUNDED, "")));
    LlmOccasions.of(s, LlmOccasion.Kind.FAILURE).forEach(occasions::add);
    LlmOccasions.of(s, LlmOccasion.Kind.EVIDENCE).forEach(occasions::add);
    LlmOccasions.latest(s, LlmOccasion.Kind.WAVE).ifPresent(occasions::add);
    return occasions;
  }
}
