package io.nightsweep.workload.kernels;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.LogListener;
import io.nightsweep.joblog.PatternSet;
import io.nightsweep.joblog.PatternSets;
import io.nightsweep.joblog.Step;
import io.nightsweep.joblog.StepTeller;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tracks how many trials a running kernel has done. */
final class TrialProgress implements LogListener {
  private static final String DONE = "completed trial: ";
  private static final Pattern TRIAL = Pattern.compile(DONE + "(\\d{1,6})/(\\d{1,6}),");

  private final PatternSet words = PatternSets.ofWords(List.of(DONE));
  private final StepTeller teller;
  private int step = -1;
  private int total;

  TrialProgress(StepTeller teller) {
    this.teller = teller;
  }

  @Override
  public PatternSet patterns() {
    return words;
  }

  @Override
  public void line(Line line, int[] candidates) {
    Matcher m = TRIAL.matcher(line.body());
    if (m.find()) {
      step = Integer.parseInt(m.group(1)) - 1;
      total = Integer.parseInt(m.group(2));
      teller.step(line, new Step(step, Double.NaN));
    }
  }

  /** The last trial done, -1 before the first. */
  int step() {
    return step;
  }

  /** The total, 0 before the first trial. */
  int total() {
    return total;
  }
}
