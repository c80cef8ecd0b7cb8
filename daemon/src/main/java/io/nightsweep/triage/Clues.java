package io.nightsweep.triage;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.Clue;
import io.nightsweep.sweep.JobEnd;
import java.util.List;
import java.util.Optional;

/** Decides which clues hold for an attempt, and finds the lines that support them. */
final class Clues {
  private final JobLog log;
  private final Rules rules;
  private final Findings findings;
  private final Situation situation;
  private final Deaths deaths;

  Clues(JobLog log, Rules rules, Findings findings, Situation situation) {
    this.log = log;
    this.rules = rules;
    this.findings = findings;
    this.situation = situation;
    this.deaths = new Deaths(log, findings.errors(), situation);
  }

  boolean holds(Clue clue) {
    return switch (clue) {
      case Clue.Line line -> holds(line);
      case Clue.Exit exit -> exitCode().filter(exit.codes()::contains).isPresent();
      case Clue.Ended ended ->
          situation instanceof Situation.Over over && ended.states().contains(over.end().state());
      case Clue.NoLog none -> log.bytes() == 0;
      case Clue.Reached reached ->
          reached.progress() == Clue.StepsSeen.NO_STEP
              ? step() < 0
              : reached.progress() == Clue.StepsSeen.A_STEP
                  ? step() >= 0
                  : stepsTotal() > 0 && step() >= stepsTotal() - 1;
      case Clue.Silence silence ->
          situation instanceof Situation.Running running
              && running
                      .watch()
                      .silence()
                      .compareTo(Projection.limit(silence, projection(running.watch())))
                  >= 0;
      case Clue.Grown grown -> log.bytes() > grown.bytes();
      case Clue.Seen seen -> findings.marks().seen(seen.mark()) == seen.seen();
      case Clue.Open open -> findings.marks().isOpen(open.mark()) == open.open();
      case Clue.FirstJob first ->
          situation instanceof Situation.Running running
              && running.watch().firstCompile() == first.first();
      case Clue.Baseline baseline ->
          situation instanceof Situation.Running running
              && running.watch().baseline() == baseline.baseline();
    };
  }

  Optional<Projection> projection(Watch watch) {
    return Projection.of(findings.pace(), watch.baselineStepSeconds(), step(), stepsTotal());
  }

  private boolean holds(Clue.Line line) {
    return !told(line).isEmpty()
        && line.near().filter(other -> !has(other)).isEmpty()
        && line.unless().filter(this::has).isEmpty();
  }

  private boolean has(String pattern) {
    return findings.evidence().has(rules.id(pattern));
  }

  List<Told> told(String pattern) {
    return findings.evidence().told(rules.id(pattern));
  }

  List<Told> told(Clue.Line line) {
    int id = rules.id(line.pattern());
    return line.diedOf()
        ? deaths.lines().stream()
            .filter(e -> e.patterns().contains(id))
            .map(FirstErrors.MatchedLine::line)
            .toList()
        : isLeftOpen() ? findings.evidence().toldInEarnest(id) : findings.evidence().told(id);
  }

  /**
   * Whether nothing shows that the job ended badly. If a program's warnings are the only signs, the
   * job may have gone on.
   */
  private boolean isLeftOpen() {
    return situation instanceof Situation.Over over
        && over.end().state() == JobEnd.State.VANISHED
        && !deaths.hasSignOfFailure();
  }

  /** Whether any line, known or not, shows that the job did not end well. */
  boolean hasSignOfFailure() {
    return deaths.hasSignOfFailure();
  }

  int step() {
    return Math.max(situation.step(), findings.step());
  }

  int stepsTotal() {
    return situation.stepsTotal() > 0 ? situation.stepsTotal() : findings.facts().stepsTotal();
  }

  /**
   * The exit code from the cluster; but if it is 0 or 1, the code from the job's own output, which
   * says more.
   */
  Optional<Integer> exitCode() {
    int code = situation instanceof Situation.Over over ? over.end().exitCode() : 0;
    return code > 1 || findings.facts().exit().isEmpty()
        ? situation instanceof Situation.Over ? Optional.of(code) : Optional.empty()
        : Optional.of(findings.facts().exit().getAsInt());
  }
}
