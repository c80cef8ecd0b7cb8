package io.nightsweep.triage;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.Clue;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.FailureClass;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Signature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Compares an attempt with the failure classes; the first class with a signature that holds
 * applies.
 */
final class Judge {
  private final Rules rules;
  private final Findings findings;
  private final Clues clues;
  private final DiagnosisWriter writer;

  Judge(JobLog log, Rules rules, Findings findings, Situation situation) {
    this.rules = rules;
    this.findings = findings;
    this.clues = new Clues(log, rules, findings, situation);
    this.writer = new DiagnosisWriter(log, rules, findings, situation, clues);
  }

  /**
   * The first class, in order, with a cause that holds. Otherwise a fatal line is the cause, even
   * if it matches no class. Only if there is none either, the first class with an echo that holds.
   */
  Optional<Diagnosis> judge(Predicate<Signature> considered) {
    Optional<Diagnosis> cause = cause(considered, c -> false);
    return cause.isPresent() || !findings.errors().fatal().isEmpty()
        ? cause
        : first(considered.and(Signature::echo), c -> false);
  }

  /**
   * The first class, in order, with a cause that holds.
   *
   * @param end matches the class at which the search stops; neither this class nor a later one is
   *     considered
   */
  Optional<Diagnosis> cause(Predicate<Signature> considered, Predicate<FailureClass> end) {
    return first(considered.and(s -> !s.echo()), end);
  }

  /**
   * @param signatures those that hold, the most certain first
   */
  private record Held(FailureClass failureClass, List<Signature> signatures) {
    double confidence() {
      return signatures.getFirst().confidence();
    }
  }

  /**
   * The diagnosis for the most certain of the signatures that hold, in the first class with any.
   */
  private Optional<Diagnosis> first(Predicate<Signature> considered, Predicate<FailureClass> end) {
    List<Held> held = new ArrayList<>();
    for (FailureClass c : rules.recognition().classes()) {
      if (end.test(c) || (!held.isEmpty() && c.order() > held.getFirst().failureClass().order())) {
        break;
      }
      List<Signature> holding =
          c.signatures().stream()
              .filter(considered)
              .filter(s -> s.clues().stream().allMatch(clues::holds))
              .sorted(Comparator.comparingDouble(Signature::confidence).reversed())
              .toList();
      if (!holding.isEmpty()) {
        held.add(new Held(c, holding));
      }
    }
    return ofOneOrder(held).map(h -> writer.diagnosis(h.failureClass(), h.signatures()));
  }

  /**
   * Chooses among classes of the same order: for each rank the class of its earliest line, and of
   * these the most certain. The order of lines of different ranks carries no information.
   */
  private Optional<Held> ofOneOrder(List<Held> held) {
    if (held.size() < 2) {
      return held.stream().findFirst();
    }
    Comparator<Held> surest =
        Comparator.comparingDouble(Held::confidence)
            .reversed()
            .thenComparing(h -> h.failureClass().id());
    Map<Rank, Map.Entry<Told, Held>> earliest = new HashMap<>();
    Comparator<Map.Entry<Told, Held>> order =
        Map.Entry.<Told, Held>comparingByKey(Told.IN_ORDER)
            .thenComparing(Map.Entry::getValue, surest);
    for (Held h : held) {
      lines(h)
          .forEach(
              told -> earliest.merge(told.rank(), Map.entry(told, h), BinaryOperator.minBy(order)));
    }
    return (earliest.isEmpty()
            ? held.stream()
            : earliest.values().stream().map(Map.Entry::getValue))
        .min(surest);
  }

  private Stream<Told> lines(Held held) {
    return held.signatures().stream()
        .flatMap(s -> s.clues().stream())
        .filter(Clue.Line.class::isInstance)
        .flatMap(c -> clues.told((Clue.Line) c).stream());
  }

  /** Whether any line, known or not, shows that the job did not end well. */
  boolean hasSignOfFailure() {
    return clues.hasSignOfFailure();
  }

  /**
   * The diagnosis for a failure that matches no class.
   *
   * @param exitCode empty if nobody told it
   */
  Diagnosis unclassified(JobEnd.State state, OptionalInt exitCode) {
    return writer.unclassified(state, exitCode);
  }
}
