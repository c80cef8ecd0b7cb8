package io.nightsweep.engine;

import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sweep.SweepSpec;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Optional;

/** Reads sweep files as a start with jobs as processes of this machine does. */
final class LocalSpec {
  static final ClusterChoice LOCAL = ClusterChoice.of(ClusterChoice.Kind.LOCAL, Map.of());

  private LocalSpec() {}

  static SweepSpec of(String text, RealParts parts, StateDirectory state, Path folder)
      throws Exception {
    return SweepFile.parse("sweep.yaml", text, Resources.beside(folder.resolve("sweep.yaml")))
        .resolve(
            parts.cluster(LOCAL, state),
            (key, question, choices) -> Optional.empty(),
            ZonedDateTime.now(ZoneOffset.UTC));
  }
}
