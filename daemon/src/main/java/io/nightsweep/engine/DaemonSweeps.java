package io.nightsweep.engine;

import io.nightsweep.asked.Confirming;
import io.nightsweep.chat.ChatSweeps;
import io.nightsweep.report.EventLines;
import io.nightsweep.report.Subject;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A daemon's sweeps in the form that its chat uses. */
final class DaemonSweeps implements ChatSweeps {
  private final DrivenSweeps sweeps;
  private final StateDirectory state;
  private final SocketServer.RequestHandler door;
  private final Confirming confirming;

  DaemonSweeps(
      DrivenSweeps sweeps,
      StateDirectory state,
      SocketServer.RequestHandler door,
      Confirming confirming) {
    this.sweeps = sweeps;
    this.state = state;
    this.door = door;
    this.confirming = confirming;
  }

  @Override
  public Confirming confirming() {
    return confirming;
  }

  @Override
  public List<SweepState> all() {
    return sweeps.all().stream().map(HostedSweep::state).toList();
  }

  @Override
  public boolean isLooking(String sweep) {
    return sweeps.find(sweep).filter(HostedSweep::isLooking).isPresent();
  }

  @Override
  public Optional<String> tell(String sweep, Command command, Command.Origin origin)
      throws InterruptedException {
    return switch (door.handle(new Request.Tell(sweep, command, origin))) {
      case Reply.Accepted r -> Optional.empty();
      case Reply.Refused r -> Optional.of(r.reason());
      case Reply.Started r -> throw new IllegalStateException("an answer to nothing");
      case Reply.Pong r -> throw new IllegalStateException("an answer to nothing");
      case Reply.Scheduled r -> throw new IllegalStateException("an answer to nothing");
      case Reply.PageOpen r -> throw new IllegalStateException("an answer to nothing");
      case Reply.Hosting r -> throw new IllegalStateException("an answer to nothing");
    };
  }

  @Override
  public void record(String sweep, List<Event> events) throws IOException {
    sweeps
        .find(sweep)
        .orElseThrow(() -> new IOException("sweep " + sweep + " is not driven here any more"))
        .recordTold(events);
  }

  @Override
  public Path artifacts(String sweep) {
    return state.sweep(sweep).root().resolve("jobs");
  }

  @Override
  public Optional<String> rehearsed(String sweep) throws IOException {
    return SweepOrigin.read(state.sweep(sweep)).rehearsed();
  }

  @Override
  public Path log(String sweep, String attempt) {
    return state.sweep(sweep).job(AttemptId.parse(attempt)).log();
  }

  @Override
  public List<String> explain(String sweep, Optional<String> about, int most) throws IOException {
    Optional<HostedSweep> hosted = sweeps.find(sweep);
    Subject subject =
        about
            .flatMap(a -> hosted.map(h -> Subject.of(h.state(), a)))
            .orElseGet(Subject::everything);
    List<String> lines =
        FileDecisionLog.read(state.sweep(sweep).decisions()).stream()
            .map(l -> EventLines.of(l.decision()) + ", because " + EventLines.because(l.decision()))
            .filter(subject::isIn)
            .collect(Collectors.toList());
    return lines.subList(Math.max(0, lines.size() - most), lines.size());
  }
}
