package io.nightsweep.plan;

import io.nightsweep.sweep.Budget;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** The budget as written; "until 07:30" becomes an instant when the sweep starts. */
record BudgetForm(
    Optional<Yaml.Scalar> jobs,
    Optional<Yaml.Scalar> hours,
    Optional<Yaml.Scalar> until,
    Optional<Yaml.Scalar> nodeHours) {
  /** The procedure's limit, used where a sweep file sets none. */
  private static final Duration USUAL = Duration.ofHours(8);

  static BudgetForm read(Yaml.Mapping sweep) {
    Yaml.Mapping budget = sweep.mapping("budget");
    return new BudgetForm(
        budget.scalar("jobs"),
        budget.scalar("hours"),
        budget.scalar("until"),
        budget.scalar("nodeHours"));
  }

  /**
   * Checks that the budget suffices for the baseline's jobs and for one job up to its time limit,
   * since a job is only known to end within that.
   *
   * @param baselineJobs the number of the baseline's jobs
   */
  void checkHolds(int baselineJobs, Duration jobTimeLimit, Problems problems) {
    jobs.ifPresent(
        s -> {
          int limit = Values.integer(s).orElse(Integer.MAX_VALUE);
          if (limit < baselineJobs) {
            problems.add(
                s.place(),
                "a budget of "
                    + limit
                    + (limit == 1 ? " job" : " jobs")
                    + " cannot hold the baseline",
                "expected at least " + baselineJobs + " jobs, or a smaller policy.baselineRuns");
          }
        });
    hours.ifPresent(
        s ->
            duration(s)
                .ifPresent(d -> checkHolds(d, s.text() + " hours", s, jobTimeLimit, problems)));
  }

  private static void checkHolds(
      Duration budget, String shown, Yaml.Scalar at, Duration jobTimeLimit, Problems problems) {
    if (budget.compareTo(jobTimeLimit) < 0) {
      problems.add(
          at.place(),
          "a budget of " + shown + " cannot hold the baseline",
          "a job may take " + Values.text(jobTimeLimit) + " (policy.jobTimeLimit)");
    }
  }

  /**
   * @param nodes number of nodes of a job
   */
  Budget resolve(ZonedDateTime now, Duration jobTimeLimit, int nodes, Problems problems) {
    if (jobs.isEmpty() && hours.isEmpty() && until.isEmpty() && nodeHours.isEmpty()) {
      return new Budget(Optional.empty(), Optional.of(USUAL), Optional.empty(), Optional.empty());
    }
    nodeHours.ifPresent(s -> checkHolds(s, nodes, jobTimeLimit, problems));
    Optional<ZonedDateTime> end = until.flatMap(BudgetForm::time).map(t -> next(t, now));
    end.ifPresent(
        e -> {
          Duration left = Duration.between(now, e).truncatedTo(ChronoUnit.SECONDS);
          checkHolds(left, Values.text(left), until.orElseThrow(), jobTimeLimit, problems);
        });
    return new Budget(
        jobs.flatMap(Values::integer),
        hours.flatMap(BudgetForm::duration),
        end.map(ZonedDateTime::toInstant),
        nodeHours.flatMap(Values::number));
  }

  private static void checkHolds(
      Yaml.Scalar given, int nodes, Duration jobTimeLimit, Problems problems) {
    double needed = nodes * jobTimeLimit.toSeconds() / 3600.0;
    if (Values.number(given).filter(hours -> hours < needed).isPresent()) {
      problems.add(
          given.place(),
          "a budget of " + given.text() + " node-hours cannot hold the baseline",
          String.format(
              Locale.ROOT,
              "a job may take %s (policy.jobTimeLimit) of %d %s: at least %.3g node-hours",
              Values.text(jobTimeLimit),
              nodes,
              nodes == 1 ? "node" : "nodes",
              needed));
    }
  }

  private static Optional<Duration> duration(Yaml.Scalar hours) {
    return Values.number(hours).map(h -> Duration.ofSeconds(Math.round(h * 3600)));
  }

  private static Optional<LocalTime> time(Yaml.Scalar until) {
    String[] parts = until.text().split(":", -1);
    return until.text().matches("([01]?[0-9]|2[0-3]):[0-5][0-9]")
        ? Optional.of(LocalTime.of(Integer.parseInt(parts[0]), Integer.parseInt(parts[1])))
        : Optional.empty();
  }

  private static ZonedDateTime next(LocalTime time, ZonedDateTime now) {
    ZonedDateTime today = now.toLocalDate().atTime(time).atZone(now.getZone());
    return today.isAfter(now)
        ? today
        : now.toLocalDate().plusDays(1).atTime(time).atZone(now.getZone());
  }
}
