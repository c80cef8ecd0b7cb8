package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.util.DefaultJoranConfigurator;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

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

  @Test
  void itIsFoundAndAFileOnTheClassPathGoesBeforeIt() {
    assertThat(ServiceLoader.load(Configurator.class)).hasAtLeastOneElementOfType(LogSetup.class);
    assertThat(rank(LogSetup.class)).isLessThan(rank(DefaultJoranConfigurator.class));
  }

  private static int rank(Class<?> configurator) {
    return Objects.requireNonNull(configurator.getAnnotation(ConfiguratorRank.class)).value();
  }
}
