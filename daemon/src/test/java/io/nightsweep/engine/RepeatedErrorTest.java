package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A look that fails repeatedly fills neither the disk nor the queue. */
@Tag("guard")
class RepeatedErrorTest {
  @Test
  void anErrorThatComesBackIsToldWithItsStackOnce() {
    ListAppender<ILoggingEvent> told = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(RepeatedError.class);
    told.start();
    logger.addAppender(told);
    try {
      RepeatedError errors = new RepeatedError("a look at sweep s");
      for (int i = 0; i < 10_000; i++) {
        errors.tell(new StackOverflowError("at look " + i));
      }
      assertThat(told.list).hasSizeLessThan(20);
      assertThat(told.list).filteredOn(e -> e.getThrowableProxy() != null).hasSize(1);
      assertThat(told.list.getLast().getFormattedMessage()).contains("8192 times");
      errors.tell(new IllegalStateException("another"));
      assertThat(told.list.getLast().getThrowableProxy()).isNotNull();
    } finally {
      logger.detachAppender(told);
    }
  }

  @Test
  void looksThatFailAreFartherApartUpToALimit() {
    TickInterval interval =
        new TickInterval(
            new LookPace(Duration.ofSeconds(2), Duration.ofMinutes(1)), new SplittableRandom(1));
    assertThat(interval.after(Duration.ZERO, 0)).isLessThan(Duration.ofSeconds(3));
    assertThat(interval.after(Duration.ZERO, 4))
        .isBetween(Duration.ofSeconds(28), Duration.ofSeconds(36));
    assertThat(interval.after(Duration.ZERO, 1_000_000)).isEqualTo(Duration.ofMinutes(5));
    assertThat(interval.after(Duration.ZERO, 0)).isLessThan(Duration.ofSeconds(3));
  }
}
