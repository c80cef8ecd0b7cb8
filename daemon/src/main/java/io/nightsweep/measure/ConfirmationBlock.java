package io.nightsweep.measure;

import io.nightsweep.measure.Observation.Stage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The fresh runs of one block, of the candidate and of the control; neither list is empty. */
record ConfirmationBlock(List<Observation> candidate, List<Observation> control) {

  /** The blocks in which both the candidate and the control ran, in order of time. */
  static List<ConfirmationBlock> of(List<Observation> inOrder, String profile) {
    Map<String, ConfirmationBlock> blocks = new LinkedHashMap<>();
    for (Observation run : inOrder) {
      if (run.stage() == Stage.CONFIRMATION && (run.control() || run.profile().equals(profile))) {
        ConfirmationBlock block =
            blocks.computeIfAbsent(
                run.block(), b -> new ConfirmationBlock(new ArrayList<>(), new ArrayList<>()));
        (run.control() ? block.control() : block.candidate()).add(run);
      }
    }
    return blocks.values().stream()
        .filter(block -> !block.candidate().isEmpty() && !block.control().isEmpty())
        .toList();
  }

  /**
   * The first blocks with {@code runs} candidate runs in total; later blocks belong to the next
   * look.
   */
  static List<ConfirmationBlock> first(List<ConfirmationBlock> blocks, int runs) {
    List<ConfirmationBlock> taken = new ArrayList<>();
    int sum = 0;
    for (ConfirmationBlock block : blocks) {
      if (sum >= runs) {
        break;
      }
      taken.add(block);
      sum += block.candidate().size();
    }
    return taken;
  }

  /** The same block with a change added to each run's log metric. */
  ConfirmationBlock changed(ToDoubleFunction<Observation> by) {
    return new ConfirmationBlock(changed(candidate, by), changed(control, by));
  }

  private static List<Observation> changed(
      List<Observation> runs, ToDoubleFunction<Observation> by) {
    return runs.stream().map(run -> run.changed(by.applyAsDouble(run))).toList();
  }

  int size() {
    return candidate.size() + control.size();
  }

  double difference() {
    return mean(candidate) - mean(control);
  }

  /** Reciprocal variance of {@link #difference}, in units of one run's. */
  double weight() {
    return (double) candidate.size() * control.size() / size();
  }

  /**
   * Sum of squares around the block's level, with the effect subtracted from the candidate's runs.
   */
  double residualSquares(double effect) {
    double level =
        ((mean(candidate) - effect) * candidate.size() + mean(control) * control.size()) / size();
    return squares(candidate, level + effect) + squares(control, level);
  }

  /** When its last run started. */
  double end() {
    return Math.max(candidate.getLast().startedAtSeconds(), control.getLast().startedAtSeconds());
  }

  private static double mean(List<Observation> runs) {
    return runs.stream().mapToDouble(Observation::logMetric).average().orElseThrow();
  }

  private static double squares(List<Observation> runs, double centre) {
    return runs.stream().mapToDouble(run -> Math.pow(run.logMetric() - centre, 2)).sum();
  }
}
