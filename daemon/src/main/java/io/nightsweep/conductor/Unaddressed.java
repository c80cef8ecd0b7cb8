package io.nightsweep.conductor;

import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Finding.LargestCost;
import io.nightsweep.sweep.Question;
import io.nightsweep.sweep.QuestionAbout;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Handles a cost that no candidate acts on. People are asked before the candidates run (procedure:
 * tell the user and propose new candidates before the canned waves). They add profiles, say yes or
 * no, or the deadline passes and the sweep goes on.
 */
final class Unaddressed {
  /** A cost of at least this share of the step is worth a question. */
  private static final double WORTH_TELLING = 0.1;

  private static final int PROPOSED = 3;

  private Unaddressed() {}

  static List<Decision> ask(View view) {
    SweepState s = view.state();
    Optional<Finding> found = LastFindings.last(s, Finding.UNADDRESSED);
    if (found.isEmpty()) {
      return finding(s)
          .<Decision>map(
              f ->
                  new Decision.Append(new Event.FindingMade(f), Statement.phrase("because-no-fit")))
          .map(List::of)
          .orElse(List.of());
    }
    return reply(s, found.get()) instanceof Questions.AnswerSoFar.Open open
        ? open.decisions()
        : List.of();
  }

  /**
   * Whether a wave of the plan's candidates waits for the answer; profiles that people add do not
   * wait.
   */
  static boolean isAwaited(SweepState s, Wave wave) {
    return isOfThePlan(s, wave)
        && Optional.ofNullable(s.questions().get(Question.UNADDRESSED))
            .filter(Question::isOpen)
            .isPresent();
  }

  /** Whether a person wants to leave out the plan's candidates. */
  static boolean isRefused(SweepState s, Wave wave) {
    return isOfThePlan(s, wave)
        && Optional.ofNullable(s.questions().get(Question.UNADDRESSED))
            .flatMap(Question::answer)
            .filter(answer -> !answer.yes())
            .isPresent();
  }

  private static boolean isOfThePlan(SweepState s, Wave wave) {
    Set<String> candidates = s.spec().plan().candidates().keySet();
    return wave.kind() == Wave.Kind.SCREEN
        && wave.profiles().stream().anyMatch(candidates::contains);
  }

  private static Questions.AnswerSoFar reply(SweepState s, Finding found) {
    LargestCost cost = found.largestCost().orElseThrow();
    return Questions.ask(
        s,
        Question.UNADDRESSED,
        new QuestionAbout.UnaddressedCost(cost.name(), 100 * cost.share(), known(s, cost.name())),
        s.spec().policy().answerWithin(),
        true,
        Statement.phrase("because-person-may"));
  }

  /** What the catalogs offer against the cost and this sweep's plan leaves out. */
  private static List<String> known(SweepState s, String cost) {
    return s.spec().catalogs().stream()
        .flatMap(catalog -> catalog.entries().stream())
        .filter(entry -> ActsOn.isOf(entry, cost))
        .map(Catalog.CatalogEntry::candidates)
        .flatMap(List::stream)
        .filter(p -> !s.profiles().containsKey(p.name()))
        .limit(PROPOSED)
        .map(p -> p.name() + " " + p.describe())
        .toList();
  }

  private static Optional<Finding> finding(SweepState s) {
    Optional<Finding> dominant = LastFindings.last(s, Finding.DOMINANT);
    Optional<LargestCost> largest =
        dominant.flatMap(Finding::largestCost).filter(cost -> cost.share() >= WORTH_TELLING);
    if (largest.isEmpty() || s.spec().plan().candidates().isEmpty()) {
      return Optional.empty();
    }
    String cost = largest.get().name();
    // A candidate that ran and lost counts too, and so does a profile that a person added.
    Set<String> tried = Mechanisms.tried(s);
    boolean addressed =
        s.profileOrder().stream()
            .filter(p -> !s.profile(p).isBaseline())
            .anyMatch(p -> (!s.isDropped(p) || tried.contains(p)) && ActsOn.acts(s, p, cost));
    return addressed
        ? Optional.empty()
        : Optional.of(
            new Finding(
                dominant.get().attempt(),
                Finding.UNADDRESSED,
                Statement.phrase(
                    "unaddressed",
                    cost,
                    String.format(Locale.ROOT, "%.1f", 100 * largest.get().share())),
                dominant.get().sources(),
                dominant.get().figures()));
  }
}
