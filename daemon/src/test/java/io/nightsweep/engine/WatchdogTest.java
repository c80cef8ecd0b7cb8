package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A look that does not end is noticed, and delays no other sweep. */
@Tag("guard")
class WatchdogTest {
  private static final Duration LIMIT = Duration.ofMillis(300);

  @Test
  void aLookThatDoesNotEndIsNamedAndOneThatEndsIsNot() throws Exception {
    CountDownLatch dead = new CountDownLatch(1);
    AtomicInteger looks = new AtomicInteger();
    TickScheduler ticks =
        new TickScheduler(
            sweep -> {
              if (sweep.startsWith("stuck")) {
                dead.await();
              }
              looks.incrementAndGet();
              return Optional.of(Duration.ofMillis(5));
            });
    try {
      ticks.start("sound");
      await().until(() -> looks.get() > 3);
      assertThat(ticks.blocked(Duration.ofSeconds(30))).isEmpty();
      // More than the processors, or the threads of any fixed pool.
      for (int i = 0; i < 20; i++) {
        ticks.start("stuck" + i);
      }
      await().until(() -> ticks.blocked(LIMIT).size() == 20);
      assertThat(ticks.blocked(LIMIT)).allMatch(sweep -> sweep.startsWith("stuck"));
      int before = looks.get();
      await().until(() -> looks.get() > before + 3);
    } finally {
      dead.countDown();
      ticks.stop(Duration.ofSeconds(5));
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {IllegalStateException.class, StackOverflowError.class, NoSuchMethodError.class})
  void aLookThatEndsByAnErrorIsNotTheLast(Class<? extends Throwable> kind) {
    AtomicInteger looks = new AtomicInteger();
    TickScheduler ticks =
        new TickScheduler(
            sweep -> {
              if (looks.incrementAndGet() == 1) {
                throwIt(kind);
              }
              return Optional.of(Duration.ofHours(1));
            });
    try {
      ticks.start("failing");
      await().until(() -> looks.get() == 1);
      await()
          .until(
              () -> {
                ticks.soon("failing");
                return looks.get() > 1;
              });
      assertThat(ticks.blocked(Duration.ofSeconds(30))).isEmpty();
    } finally {
      ticks.stop(Duration.ofSeconds(5));
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void throwIt(Class<? extends Throwable> kind) throws T {
    try {
      throw (T) kind.getConstructor(String.class).newInstance("canary");
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /** By then another daemon may drive the sweep. */
  @Test
  void whatIsStartedWhileADaemonEndsIsNotLookedAt() {
    AtomicInteger looks = new AtomicInteger();
    TickScheduler ticks =
        new TickScheduler(
            sweep -> {
              looks.incrementAndGet();
              return Optional.empty();
            });
    ticks.stop(Duration.ofSeconds(5));
    ticks.start("late");
    ticks.soon("late");
    await().during(LIMIT).until(() -> looks.get() == 0);
  }

  @Test
  void whatIsAskedForDuringALookIsLookedAtRightAfterIt() throws Exception {
    Semaphore mayEnd = new Semaphore(0);
    AtomicInteger looks = new AtomicInteger();
    TickScheduler ticks =
        new TickScheduler(
            sweep -> {
              looks.incrementAndGet();
              mayEnd.acquire();
              return Optional.of(Duration.ofHours(1));
            });
    try {
      ticks.start("asked");
      await().until(() -> looks.get() == 1);
      ticks.soon("asked");
      mayEnd.release();
      await().until(() -> looks.get() == 2);
    } finally {
      mayEnd.release(100);
      ticks.stop(Duration.ofSeconds(5));
    }
  }
}
