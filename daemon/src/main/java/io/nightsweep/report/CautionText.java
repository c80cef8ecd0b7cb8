package io.nightsweep.report;

import io.nightsweep.conductor.Caution;
import io.nightsweep.conductor.Cautions;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.SweepState;
import java.util.List;

/** Lists what people should check before they deploy a profile. */
public final class CautionText {
  private CautionText() {}

  /** One sentence for each caution; empty where there is none. */
  static List<String> lines(SweepState s, Standing standing, Phrases t) {
    return Cautions.of(s, standing).stream().map(caution -> text(caution, t)).toList();
  }

  /** The same for the sweep's winner; empty while there is no winner. */
  public static List<String> ofWinner(SweepState s, Phrases t) {
    return Standings.winner(s).map(winner -> lines(s, winner, t)).orElse(List.of());
  }

  private static String text(Caution caution, Phrases t) {
    return switch (caution) {
      case Caution.UnlikeLog c ->
          t.text("caution.log", t.text(c.said()), String.join(", ", c.places()));
      case Caution.ShortJobs c ->
          t.text(
              "caution.jobs",
              Figures.duration(c.job()),
              Figures.duration(c.baseline()),
              Figures.duration(c.explained()));
      case Caution.FailedJobs c -> t.text("caution.failed", c.failed(), c.runs(), c.exitCode());
    };
  }
}
