package io.nightsweep.report;

import io.nightsweep.conductor.Conclusion;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Profiles that were too fast to be plausible, although a person may know better. */
public final class SetAside {
  private SetAside() {}

  /**
   * Names the profiles that were set aside, and how to take them back; empty where there are none.
   *
   * @param name formats the name of a profile
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
