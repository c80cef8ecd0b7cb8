package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.DefaultJoranConfigurator;
import ch.qos.logback.core.ConsoleAppender;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class LogSetupTest {
  @Test
  void warningsOfOthersAndNewsOfOursAreShownAndTokensNever() {
    LoggerContext context = new LoggerContext();
    new LogSetup().configure(context);
    assertThat(context.getLogger("org.eclipse.Any").getEffectiveLevel()).isEqualTo(Level.WARN);
    assertThat(context.getLogger("io.nightsweep.Any").getEffectiveLevel()).isEqualTo(Level.INFO);
    assertThat(context.getLogger("org.telegram.Any").getEffectiveLevel()).isEqualTo(Level.OFF);
    assertThat(context.getLogger("ROOT").iteratorForAppenders().next().isStarted()).isTrue();
  }

  /** An error of sbatch or ssh may quote an address with its password. */
  @Test
  @Tag("guard")
  void whatIsLoggedIsMaskedStackTracesIncluded() {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(MDC.getMDCAdapter());
    new LogSetup().configure(context);
    Logger root = context.getLogger("ROOT");
    LoggingEvent event =
        new LoggingEvent(
            "",
            root,
            Level.WARN,
            "sbatch: {}",
            new IOException("proxy http://me:canary@proxy:3128"),
            new Object[] {"HF_TOKEN=canarycanary \u001b[2J " + "x".repeat(100_000)});
    ConsoleAppender<?> appender = (ConsoleAppender<?>) root.iteratorForAppenders().next();
    String line =
        new String(((MaskingEncoder) appender.getEncoder()).encode(event), StandardCharsets.UTF_8);
    assertThat(line)
        .contains("sbatch: HF_TOKEN=***")
        .endsWith("\n")
        .doesNotContain("canary", "\u001b")
        .hasSizeLessThan(17_000);
    LoggingEvent thrown =
        new LoggingEvent(
            "", root, Level.WARN, "failed", new IOException("http://me:canary@proxy"), null);
    assertThat(
            new String(
                ((MaskingEncoder) appender.getEncoder()).encode(thrown), StandardCharsets.UTF_8))
        .contains("failed\n", "java.io.IOException: http://***@proxy\n", "\tat ")
        .doesNotContain("canary");
  }

  @Test
  void itIsFoundAndAFileOnTheClassPathGoesBeforeIt() {
    assertThat(ServiceLoader.load(Configurator.class)).hasAtLeastOneElementOfType(LogSetup.class);
    assertThat(rank(LogSetup.class)).isLessThan(rank(DefaultJoranConfigurator.class));
  }

  private static int rank(Class<?> configurator) {
    return Objects.requireNonNull(configurator.getAnnotation(ConfiguratorRank.class)).value();
  }
}
