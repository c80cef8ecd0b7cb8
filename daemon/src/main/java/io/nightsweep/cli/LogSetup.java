package io.nightsweep.cli;

import static org.slf4j.Logger.ROOT_LOGGER_NAME;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Configures the program's own log on standard error. In code, since reading a configuration file
 * takes a quarter of a second; a {@code logback.xml} on the class path still takes precedence.
 */
@ConfiguratorRank(LogSetup.AFTER_FILES)
public final class LogSetup extends ContextAwareBase implements Configurator {
  /** Limit on stack frames; after a stack overflow there would be a thousand. */
  private static final int MOST_FRAMES = 40;

  static final int AFTER_FILES = ConfiguratorRank.FALLBACK + 1;

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    PatternLayoutEncoder encoder = new MaskingEncoder();
    encoder.setContext(context);
    encoder.setPattern(
        "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level %logger{0}: %msg%n%ex{" + MOST_FRAMES + "}");
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("stderr");
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    Logger root = context.getLogger(ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(appender);
    context.getLogger("io.nightsweep").setLevel(Level.INFO);
    // The library's errors quote addresses that contain the token; the chat reports errors in its
    // own words.
    context.getLogger("org.telegram").setLevel(Level.OFF);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
