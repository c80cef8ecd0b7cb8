package io.nightsweep.bench;

import io.nightsweep.plan.Study;
import io.nightsweep.report.Figures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Describes a matrix in lines for people. */
final class MatrixText {
  private final Matrix matrix;
  private final Study study;
  private final double timeLimit;
  private final double caseLimit;

  MatrixText(Matrix matrix) {
    this.matrix = matrix;
    this.study = matrix.study();
    this.timeLimit = study.timeLimit().toMillis() / 1e3;
    this.caseLimit = study.caseLimit().toMillis() / 1e3;
  }

  /** The study, then its shards. */
  List<String> brief() {
    return lines(false);
  }

  /** Each case too: its time, or the rule that refuses it. */
  List<String> whole() {
    return lines(true);
  }

  /** Cases and shards that are projected to exceed their time limit. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (Shard shard : matrix.shards()) {
      if (shard.seconds(study) > timeLimit) {
        warnings.add(
            shard.id()
                + " is projected at "
                + time(shard.seconds(study))
                + ", beyond its job's timeLimit of "
                + time(timeLimit));
      }
      shard.runnable().stream()
          .filter(c -> c.seconds(study.sampling()) > caseLimit)
          .forEach(
              c ->
                  warnings.add(
                      "case "
                          + c.caseId()
                          + " is projected at "
                          + time(c.seconds(study.sampling()))
                          + ", beyond the caseLimit of "
                          + time(caseLimit)));
    }
    return warnings;
  }

  private List<String> lines(boolean cases) {
    List<String> lines = new ArrayList<>();
    lines.add(
        matrix.size()
            + " cases: "
            + matrix.runnable()
            + " can run"
            + matrix.refused().entrySet().stream()
                .map(e -> ", " + e.getValue() + " " + e.getKey().word())
                .collect(Collectors.joining()));
    lines.add(
        "projected: "
            + time(matrix.seconds())
            + " in "
            + matrix.shards().stream().filter(s -> !s.runnable().isEmpty()).count()
            + " jobs of at most "
            + time(timeLimit)
            + " ("
            + bases()
            + ")");
    for (Shard shard : matrix.shards()) {
      lines.add(
          "  "
              + shard.id()
              + ": "
              + shard.runnable().size()
              + " of "
              + shard.cases().size()
              + ", "
              + time(shard.seconds(study)));
      if (cases) {
        shard.cases().forEach(c -> lines.add("    " + words(c)));
      }
    }
    warnings().forEach(w -> lines.add("warning: " + w));
    return lines;
  }

  private String words(PlannedCase one) {
    return one.refusal()
            .map(r -> r.disposition().word() + " by " + r.rule())
            .orElseGet(() -> time(Shard.seconds(study, one)))
        + "  "
        + one.caseId()
        + " "
        + CaseWords.of(one.identity());
  }

  private String bases() {
    Map<CaseProjection.Basis, Integer> counts = new EnumMap<>(CaseProjection.Basis.class);
    matrix.shards().stream()
        .flatMap(s -> s.runnable().stream())
        .forEach(c -> counts.merge(c.projection().basis(), 1, Integer::sum));
    return counts.entrySet().stream()
        .map(
            e ->
                e.getValue()
                    + switch (e.getKey()) {
                      case MEASURED -> " by their own earlier times";
                      case SCALED -> " by the model, at the factor of earlier cases";
                      case MODELLED ->
                          " by the model of a reference machine, good to a factor of 3";
                    })
        .collect(Collectors.joining(", "));
  }

  static String time(double seconds) {
    return Figures.duration(Duration.ofNanos(Math.round(1e9 * seconds)));
  }
}
