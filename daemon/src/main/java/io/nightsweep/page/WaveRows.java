package io.nightsweep.page;

import io.nightsweep.report.Causes;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.WaveState;
import java.util.List;

/** The plan's waves and their progress. */
final class WaveRows {
  private final Phrases t;

  WaveRows(Phrases t) {
    this.t = t;
  }

  void fill(Frame.Builder frame, SweepState before, SweepState now) {
    for (int i = 0; i < now.waves().size(); i++) {
      WaveState wave = now.waves().get(i);
      if (i < before.waves().size()
          && before.waves().get(i).equals(wave)
          && wave.trials().stream().allMatch(id -> now.trial(id).equals(before.trials().get(id)))) {
        continue;
      }
      List<TrialState> trials = wave.trials().stream().map(now::trial).toList();
      String status =
          wave.skipped().isPresent()
              ? "skipped"
              : wave.isPending() ? "pending" : wave.isOpen() ? "open" : "closed";
      frame
          .row("waves", "%04d".formatted(i))
          .put("name", wave.wave().name())
          .put("kind", t.word("kind", wave.wave().kind()))
          .put("status", status)
          .put("statusText", t.text("page.wave." + status))
          .put("done", trials.stream().filter(trial -> !trial.isOpen()).count())
          .put("trials", trials.size())
          .put(
              "note",
              wave.skipped()
                  .map(why -> Causes.ofWave(now, why, t))
                  .orElseGet(() -> t.text(wave.wave().why())));
    }
  }
}
