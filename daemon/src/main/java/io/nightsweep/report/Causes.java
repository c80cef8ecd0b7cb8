package io.nightsweep.report;

import static java.lang.String.join;

import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Locale;

/** The sentence of each cause, in the language of its reader. */
public final class Causes {
  private Causes() {}

  static String english(Cause cause) {
    return text(cause, Phrases.EN);
  }

  /** Why a wave of the sweep was skipped, with the target if that is the reason. */
  public static String ofWave(SweepState s, Cause cause, Phrases t) {
    return cause instanceof Cause.NotNeeded c && c.need() == Cause.Need.TARGET_NOT_MET
        ? t.text("why.target", signed("%.1f", 100 * s.spec().policy().targetGain()))
        : text(cause, t);
  }

  public static String text(Cause cause, Phrases t) {
    return switch (cause) {
      case Cause.BudgetSpent c -> t.text("why.budget", t.word("kind", c.wave()));
      case Cause.Bounded c -> t.text("why.bounded", c.profiles(), c.hopelessPercent());
      case Cause.NotNeeded c -> t.word("why.need", c.need());
      case Cause.SkippedByCommand c -> t.text("why.command");
      case Cause.SweepStopped c -> t.text("why.stopped");
      case Cause.NodesChanged c -> t.text("why.nodes");
      case Cause.UnknownFlags c -> t.text("why.flags", join(", ", c.flags()));
      case Cause.NoMechanism c ->
          t.text("why.mechanism", mechanisms(c.mechanisms(), t), join(", ", c.sources()));
      case Cause.AlreadySet c -> t.text("why.already-set", join(", ", c.where()));
      case Cause.SameProgram c ->
          c.as().equals(Profile.BASELINE)
              ? t.text("why.inert", join(", ", c.sources()))
              : t.text("why.same-program", c.as(), join(", ", c.sources()));
      case Cause.FailedAs c -> c.failureClass() + ": " + t.text(c.detail());
      case Cause.Unsupported c -> t.text(c.detail());
      case Cause.RacedOut c -> raced(c, t);
      case Cause.Behind c ->
          t.text(
              "why.behind",
              signed("%+.1f", c.percent()),
              c.steps(),
              signed("%.2f", c.noisePercent()));
      case Cause.LossNotFinite c -> t.text("said.loss-nan");
      case Cause.LossDiffers c ->
          t.text(
              "said.loss-differs",
              signed("%.4g", c.loss()),
              signed("%.4g", c.baseline()),
              signed("%.2g", c.within()));
      case Cause.ShareSpent c -> t.text("why.share", signed("%.1f", c.jobs()));
      case Cause.Told c -> t.said(c.sentence());
    };
  }

  private static String raced(Cause.RacedOut c, Phrases t) {
    String gain = Figures.signed(c.percent(), 2);
    String worthwhile = signed("%+.1f", c.worthwhilePercent());
    String chance = signed("%.2f", c.chancePercent());
    return c.runs() == 1
        ? t.text("why.raced.once", gain, worthwhile, chance)
        : t.text("why.raced", gain, c.runs(), worthwhile, chance);
  }

  private static String mechanisms(List<String> names, Phrases t) {
    return names.stream()
        .reduce((some, next) -> t.text("why.mechanism.and", some, next))
        .orElse("");
  }

  private static String signed(String format, double percent) {
    return String.format(Locale.ROOT, format, percent);
  }
}
