package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("guard")
class ReportDeskTest {
  private static final Instant NIGHTFALL = Instant.parse("2026-01-01T22:00:00Z");
  private static final SweepDirectory DIRECTORY = new SweepDirectory(Path.of("night"));
  private static final SweepState RUNNING =
      SweepState.fold(
          List.of(new Entry(1, NIGHTFALL, new Event.SweepStarted("night", 1, Specs.kernels(1)))));
  private static final SweepState PAUSED =
      RUNNING.apply(
          new Entry(
              2,
              NIGHTFALL,
              new Event.CommandAccepted(
                  new Command.Pause(), new Command.Origin(Command.Origin.Door.CLI, "me"))));
  private static final SweepState DONE =
      PAUSED.apply(
          new Entry(
              3,
              NIGHTFALL,
              new Event.SweepFinished(
                  Event.SweepFinished.SweepOutcome.BUDGET_SPENT, new SweepEnding.BudgetSpent())));

  private final List<Phase> written = new CopyOnWriteArrayList<>();

  @Test
  void newsThatComesDuringAWritingIsWrittenAfterIt() {
    CountDownLatch mayWrite = new CountDownLatch(1);
    try (ReportDesk desk = desk(Duration.ofHours(1), () -> mayWrite.await())) {
      desk.look(RUNNING);
      desk.look(PAUSED);
      assertThat(desk.isAtRest(PAUSED)).isFalse();
      mayWrite.countDown();
      await().until(() -> desk.isAtRest(PAUSED));
      desk.look(PAUSED);
      assertThat(desk.isAtRest(PAUSED)).as("no news").isTrue();
    }
    assertThat(written).containsExactly(RUNNING.phase(), PAUSED.phase());
  }

  @Test
  void aWritingThatFailedIsToldWaitsAndIsTriedAtOnceWhereTheSweepEnds() {
    AtomicBoolean fails = new AtomicBoolean(true);
    try (ReportDesk desk = desk(Duration.ofHours(1), () -> failIf(fails.get()))) {
      desk.look(RUNNING);
      await().until(() -> desk.failure().isPresent());
      assertThat(desk.failure()).get().asString().contains("canary");
      fails.set(false);
      desk.look(PAUSED);
      assertThat(desk.isAtRest(PAUSED)).isFalse();
      assertThat(written).isEmpty();
      desk.look(DONE);
      await().until(() -> desk.isAtRest(DONE));
      assertThat(desk.failure()).isEmpty();
    }
    assertThat(written).containsExactly(DONE.phase());
  }

  @Test
  void aSweepIsNotKeptForAReportThatCannotBeWritten() {
    try (ReportDesk desk = desk(Duration.ZERO, () -> failIf(true))) {
      await()
          .until(
              () -> {
                desk.look(DONE);
                return desk.isAtRest(DONE);
              });
      assertThat(desk.failure()).isPresent();
    }
  }

  @Test
  void newsIsWrittenBeforeTheDeskCloses() throws Exception {
    CountDownLatch isWriting = new CountDownLatch(1);
    CountDownLatch mayWrite = new CountDownLatch(1);
    ReportDesk desk =
        desk(
            Duration.ofHours(1),
            () -> {
              isWriting.countDown();
              mayWrite.await();
            });
    desk.look(RUNNING);
    isWriting.await();
    desk.look(PAUSED);
    mayWrite.countDown();
    desk.close();
    assertThat(written).containsExactly(RUNNING.phase(), PAUSED.phase());
    desk.look(DONE);
    desk.close();
    assertThat(written).as("closed").hasSize(2);
  }

  private interface Before {
    void writing() throws IOException, InterruptedException;
  }

  private ReportDesk desk(Duration again, Before before) {
    return new ReportDesk(
        DIRECTORY,
        (directory, state) -> {
          try {
            before.writing();
          } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted");
          }
          written.add(state.phase());
        },
        again);
  }

  private static void failIf(boolean fails) throws IOException {
    if (fails) {
      throw new IOException("canary");
    }
  }
}
