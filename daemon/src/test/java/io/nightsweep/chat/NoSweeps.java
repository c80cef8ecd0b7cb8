package io.nightsweep.chat;

import io.nightsweep.asked.Confirming;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A daemon without sweeps, in which assistants may still request a start. */
record NoSweeps(Confirming confirming) implements ChatSweeps {
  @Override
  public List<SweepState> all() {
    return List.of();
  }

  @Override
  public Optional<String> tell(String sweep, Command command, Command.Origin origin) {
    throw new AssertionError("there is no sweep");
  }

  @Override
  public void record(String sweep, List<Event> events) {
    throw new AssertionError("there is no sweep");
  }

  @Override
  public Path artifacts(String sweep) {
    throw new AssertionError("there is no sweep");
  }

  @Override
  public Optional<String> rehearsed(String sweep) {
    return Optional.empty();
  }

  @Override
  public Path log(String sweep, String attempt) {
    throw new AssertionError("there is no sweep");
  }

  @Override
  public List<String> explain(String sweep, Optional<String> about, int most) {
    return List.of();
  }
}
