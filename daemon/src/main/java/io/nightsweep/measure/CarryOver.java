package io.nightsweep.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * How much a run depends on the run before it. Runs right after a control are compared with the
 * other runs of the same profile, with drift removed; once for the candidates and once for the
 * baseline. Candidates that ran once are pooled into one group. Blocks of both orders contain runs
 * of both kinds.
 *
 * @param ontoCandidates log change of a candidate's run right after a control; 0 if not significant
 * @param candidatesError its standard error; 0 if not significant
 * @param ontoControls log change of a control's run right after another control; 0 if not
 *     significant
 * @param controlsError its standard error; 0 if not significant
 */
public record CarryOver(
    double ontoCandidates, double candidatesError, double ontoControls, double controlsError) {
  static final CarryOver NONE = new CarryOver(0, 0, 0, 0);

  /**
   * Standard errors from which an effect counts as significant; chance reaches it in one of forty
   * nights.
   */
  private static final double SHOWN = 2.5;

  /**
   * A single run that deviates by this many standard deviations is left out: it has an effect of
   * its own.
   */
  private static final double OFF = 3;

  private static final String SINGLES = "";

  private record RunResidual(boolean afterControl, double residual) {}

  /**
   * @param inOrder all runs, including stragglers, since these were on the nodes too
   * @param counted the runs that count
   * @param residual of a run, with its profile's effect and the drift removed; empty for a
   *     profile's only run, for which {@code ratio} is used
   * @param deviation of one run
   */
  static CarryOver of(
      List<Observation> inOrder,
      List<Observation> counted,
      Function<Observation, OptionalDouble> residual,
      ToDoubleFunction<Observation> ratio,
      double deviation) {
    if (!(deviation > 0)) {
      return NONE;
    }
    Set<Observation> counting = new HashSet<>(counted);
    Map<String, List<RunResidual>> candidates = new HashMap<>();
    Map<String, List<RunResidual>> controls = new HashMap<>();
    for (int i = 1; i < inOrder.size(); i++) {
      Observation run = inOrder.get(i);
      if (!counting.contains(run)) {
        continue;
      }
      OptionalDouble own = residual.apply(run);
      double value = own.orElseGet(() -> ratio.applyAsDouble(run));
      if (own.isPresent() || Math.abs(value) < OFF * deviation) {
        (run.control() ? controls : candidates)
            .computeIfAbsent(own.isPresent() ? run.profile() : SINGLES, p -> new ArrayList<>())
            .add(new RunResidual(inOrder.get(i - 1).control(), value));
      }
    }
    double[] onto = shift(candidates, deviation);
    double[] among = shift(controls, deviation);
    return new CarryOver(onto[0], onto[1], among[0], among[1]);
  }

  /** The mean change within groups and its standard error; zeros where the change may be noise. */
  private static double[] shift(Map<String, List<RunResidual>> groups, double deviation) {
    double product = 0;
    double squares = 0;
    double own = 0;
    for (List<RunResidual> rows : groups.values()) {
      double share = rows.stream().mapToDouble(r -> r.afterControl() ? 1 : 0).average().orElse(0);
      double mean = rows.stream().mapToDouble(RunResidual::residual).average().orElse(0);
      for (RunResidual row : rows) {
        double after = (row.afterControl() ? 1 : 0) - share;
        product += after * (row.residual() - mean);
        squares += after * after;
        own += Math.pow(after * (row.residual() - mean), 2);
      }
    }
    // Runs of a noisier profile carry less information than the pooled deviation implies.
    double error = Math.max(deviation / Math.sqrt(squares), Math.sqrt(own) / squares);
    double change = product / squares;
    return squares > 0 && Math.abs(change) > SHOWN * error
        ? new double[] {change, error}
        : new double[] {0, 0};
  }

  public boolean isShown() {
    return ontoCandidates != 0 || ontoControls != 0;
  }

  /** The log change that the run before it caused in this run. */
  double of(Observation run, boolean afterControl) {
    if (!afterControl) {
      return 0;
    }
    return run.control() ? ontoControls : ontoCandidates;
  }
}
