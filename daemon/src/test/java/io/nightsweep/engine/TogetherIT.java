package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.journal.JournalReader;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Progress;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sweeps share a night of this machine under a daemon that is killed repeatedly. */
@Tag("hours")
class TogetherIT {
  private static final Duration PATIENCE = Duration.ofMinutes(12);
  private static final int KILLS = 4;
  private static final int JOBS = 12;

  private static final String SWEEP =
      """
      model: @MODEL@
      parallelism: ranks=1
      slot: {nodelist: n1}
      workload:
        kind: command
        command: |
          set -e
          for step in 0 1 2 3 4 5 6 7 8 9; do echo "step $step: $((1000 + ${SPEED:-0} + step)) tok/s"; done
        launch: once
        pattern: 'step (?<step>\\d+): (?<value>[\\d.]+) tok/s'
        steps: 10
        windowFrom: 5
      metric: {name: tokensPerSecond, unit: tok/s, better: higher}
      profiles:
        fast: {env: {SPEED: @SPEED@}}
        plain: {env: {SPEED: 0}}
      plan:
        waves:
          - {name: baseline, kind: baseline, profiles: [baseline-deployed], repetitions: 2, why: noise}
          - {name: screen, kind: screen, profiles: [fast, plain], why: a first look}
          - {name: confirm, kind: confirm, when: if-contender, why: fresh runs}
      budget: {jobs: @JOBS@, hours: 1}
      policy: {jobTimeLimit: 2m, expectedJob: 5s}
      playbook: common
      """;

  @TempDir private Path dir;

  @Test
  void oneAtATimeHasTheNodesAndTheirBudgetIsOneThroughEveryKill() throws Exception {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    RealParts parts = new RealParts(dir.resolve("home"));
    try (Daemon daemon = Daemon.open(state, parts, InstantSource.system())) {
      start(daemon, state, parts, "gains", 60);
      start(daemon, state, parts, "flat", 1);
      await().atMost(PATIENCE).until(() -> turns(state) > 0);
    }
    assertThat(Stream.of("gains", "flat").map(id -> turn(state, id)))
        .as("whose turn it is, as status tells it")
        .anyMatch(told -> told.equals("has its turn in the night one"))
        .anyMatch(told -> told.equals("waits for its turn in the night one"));
    killed(state);
    SweepState gains = folded(state, "gains");
    SweepState flat = folded(state, "flat");
    assertThat(gains.jobsTaken() + flat.jobsTaken()).isLessThanOrEqualTo(2 * JOBS);
    List<Span> spans =
        Stream.of(gains, flat)
            .flatMap(s -> s.attempts().map(a -> Span.of(s, a)))
            .sorted(Comparator.comparing(Span::from))
            .toList();
    for (int i = 1; i < spans.size(); i++) {
      Span before = spans.get(i - 1);
      Span next = spans.get(i);
      assertThat(before.sweep().equals(next.sweep()) || !next.from().isBefore(before.to()))
          .as("%s and %s", before, next)
          .isTrue();
    }
    assertThat(given(state, "gains") + given(state, "flat")).isGreaterThanOrEqualTo(4);
  }

  /** From the intent to a job's end. */
  private record Span(String sweep, Instant from, Instant to) {
    static Span of(SweepState s, AttemptState a) {
      return new Span(s.sweep(), a.intendedAt(), a.end().orElseThrow().endedAt());
    }
  }

  private static void start(
      Daemon daemon, StateDirectory state, RealParts parts, String model, int speed)
      throws Exception {
    String text =
        SWEEP.replace("@MODEL@", model).replace("@SPEED@", "" + speed).replace("@JOBS@", "" + JOBS);
    SweepOrigin origin = new SweepOrigin(LocalSpec.LOCAL, "sweep.yaml", "test").in("one");
    assertThat(
            daemon.handle(
                new Request.Start(
                    model, text, origin, LocalSpec.of(text, parts, state, state.root()))))
        .isEqualTo(new Reply.Started(model));
  }

  private void killed(StateDirectory state) throws Exception {
    Instant limit = Instant.now().plus(PATIENCE);
    for (int life = 0; !isOver(state); life++) {
      assertThat(Instant.now())
          .as("the night ends; %s; %s", told(state, "gains"), told(state, "flat"))
          .isBefore(limit);
      long before = turns(state);
      try (DaemonProcess daemon =
          DaemonProcess.start(state.root(), dir.resolve("home"), dir.resolve("daemon.out"))) {
        while (daemon.isAlive()
            && Instant.now().isBefore(limit)
            && (life >= KILLS || turns(state) == before)) {
          Thread.sleep(20);
        }
      }
    }
  }

  private static boolean isOver(StateDirectory state) throws IOException {
    return folded(state, "gains").isFinished() && folded(state, "flat").isFinished();
  }

  /** Turns taken or passed so far. */
  private static long turns(StateDirectory state) throws IOException {
    return given(state, "gains") + given(state, "flat");
  }

  private static long given(StateDirectory state, String sweep) throws IOException {
    List<Entry> entries = new ArrayList<>();
    JournalReader.read(state.sweep(sweep).journal(), entries::add);
    return entries.stream()
        .filter(e -> e.event() instanceof Event.TurnTaken || e.event() instanceof Event.TurnPassed)
        .count();
  }

  /** A sweep's progress, for people who investigate a night that did not end. */
  private static String told(StateDirectory state, String sweep) throws IOException {
    SweepState s = folded(state, sweep);
    return "%s is %s, %s, with %d jobs of %s, in flight %s"
        .formatted(sweep, s.phase(), s.night(), s.jobsTaken(), s.budget(), s.inFlight());
  }

  private static String turn(StateDirectory state, String sweep) {
    try {
      SweepState s = folded(state, sweep);
      return Progress.of(s, s.lastEventAt()).turn().map(t -> t.text(Phrases.EN)).orElse("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SweepState folded(StateDirectory state, String sweep) throws IOException {
    return JournalReader.fold(state.sweep(sweep).journal());
  }
}
