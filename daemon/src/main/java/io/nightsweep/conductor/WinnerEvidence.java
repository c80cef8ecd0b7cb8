package io.nightsweep.conductor;

import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.Wave;
import java.util.List;

/** Plans one profiled run of the winner, to show what it changes in the step. */
final class WinnerEvidence {
  private WinnerEvidence() {}

  /** Empty if there is no winner. */
  static List<Decision> run(View view, Wave wave) {
    SweepState s = view.state();
    Blocks blocks = new Blocks(s, wave.name());
    Standings.winner(s, view.board())
        .ifPresent(
            winner ->
                blocks.alone(s.spec().primaryTag().name(), winner.profile(), Purpose.EVIDENCE));
    return Waves.planned(wave, blocks.trials(), Statement.phrase("because-own-profile"));
  }
}
