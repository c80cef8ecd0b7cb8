package io.nightsweep.journal;

import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepState;
import java.util.function.Consumer;

/** Folds the entries that it receives, in their order. */
public final class Replay implements Consumer<Entry> {
  private SweepState state = SweepState.empty();

  @Override
  public void accept(Entry entry) {
    state = state.apply(entry);
  }

  public SweepState state() {
    return state;
  }
}
