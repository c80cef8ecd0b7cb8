package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A look that does not end is noticed, and holds no other sweep up. */
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
              if (sweep.equals("stuck")) {
                dead.await();
              }
              looks.incrementAndGet();
              return Optional.of(Duration.ofMillis(5));
            });
    try {
      ticks.start("sound");
      await().until(() -> looks.get() > 3);
      assertThat(ticks.blocked(Duration.ofSeconds(30))).isEmpty();
      ticks.start("stuck");
      await().until(() -> ticks.blocked(LIMIT).isPresent());
      assertThat(ticks.blocked(LIMIT)).contains("stuck");
      int before = looks.get();
      await().until(() -> looks.get() > before + 3);
    } finally {
      dead.countDown();
      ticks.stop(Duration.ofSeconds(5));
    }
  }
}
