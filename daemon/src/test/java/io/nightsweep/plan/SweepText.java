package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.List;

/** A sweep file's text, read for a cluster of four nodes. */
final class SweepText {
  static final ZonedDateTime EVENING = ZonedDateTime.parse("2026-03-02T19:00:00+01:00");

  private SweepText() {}

  static Loaded load(Path folder, String text) throws Exception {
    return SweepFile.parse("sweep.yaml", text, Resources.beside(folder.resolve("sweep.yaml")));
  }

  /** Fails if there is no problem. */
  static List<String> problems(Path folder, String text) {
    InvalidInputException e =
        catchThrowableOfType(
            InvalidInputException.class,
            () -> load(folder, text).resolve(FakeCluster.fourNodes(), Prompter.nobody(), EVENING));
    assertThat(e).as("problems of\n%s", text).isNotNull();
    return e.problems().stream().map(Problem::toString).toList();
  }
}
