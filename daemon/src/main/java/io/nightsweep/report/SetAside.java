package io.nightsweep.report;

import io.nightsweep.conductor.Conclusion;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Profiles that were too fast to be believed, of which a person may know better. */
public final class SetAside {
  private SetAside() {}

  /**
   * Tells which profiles were set aside, and what brings them back; empty where none was.
   *
   * @param name how the name of a profile is written
   */
  public static Optional<String> sentence(SweepState s, Phrases t, UnaryOperator<String> name) {
    List<String> names = Conclusion.implausible(s);
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            t.text(
                s.isFinished() ? "set-aside.finished" : "set-aside.running",
                names.stream().map(name).collect(Collectors.joining(", "))));
  }
}
