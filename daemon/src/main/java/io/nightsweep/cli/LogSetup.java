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
 * What the program says of itself, on standard error. In code, since reading it from a file takes a
 * quarter of a second; a {@code logback.xml} on the class path still wins.
 */
@ConfiguratorRank(LogSetup.AFTER_FILES)
public final class LogSetup extends ContextAwareBase implements Configurator {
  /** A stack that overflowed has a thousand. */
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
    // Its errors quote addresses, and those hold the token; the chat says what is wrong in its own
    // words.
    context.getLogger("org.telegram").setLevel(Level.OFF);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
