package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.journal.JournalReader;
import io.nightsweep.plan.InitFile;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.workload.StartingValues;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The untouched template with one typical mistake, run as processes of this machine: a halted sweep
 * first names the cause and what to do.
 */
@Tag("people")
class HaltedByMistakeIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path dir;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tokens/s, loss (?<loss>     | tok/s, loss (?<loss>                   | no-measurement: 0 of 10 lines match workload.pattern
          steps: 10 '               ' | steps: 20                              | too-few-steps: the last step in the log is step 9 (10 in all); with workload.steps 20
          do echo                     | do speed=$(zstdd -b); echo             | program-missing: a program, or a library or file that it needs, is not there
          do echo                     | do cat nosuch.tar; echo                | its log says 'cat: nosuch.tar: No such file or directory'
          do echo                     | do python3 -c 'import nosuch'; echo    | program-missing: line
          do echo                     | do f=$(readlink /proc/$$/fd/1); rm -f "$f"; mkfifo "$f"; echo | job.log is a pipe or a device and not a file
          do echo                     | do bash -c 'kill -SEGV $$'; echo       | program-crash: line
          """)
  void isToldByItsCauseFirst(String right, String wrong, String told) throws Exception {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    RealParts parts = new RealParts(dir.resolve("home"));
    String template =
        InitFile.text(parts.cluster(LocalSpec.LOCAL, state), "command", StartingValues.NONE);
    String text = template.replace(right.replaceAll(" *' *'", ""), wrong);
    assertThat(text).isNotEqualTo(template);
    SweepSpec spec = LocalSpec.of(text, parts, state, dir);
    try (Daemon daemon = Daemon.open(state, parts, InstantSource.system())) {
      SweepOrigin origin = new SweepOrigin(LocalSpec.LOCAL, "sweep.yaml", "test");
      assertThat(daemon.handle(new Request.Start("mine", text, origin, spec)))
          .isEqualTo(new Reply.Started("mine"));
      await().atMost(PATIENCE).until(() -> folded(state).phase() instanceof Phase.Halted);
    }
    Phase.Halted halted = (Phase.Halted) folded(state).phase();
    assertThat(Sentences.of(halted.cause(), Phrases.EN)).contains(told);
  }

  private static SweepState folded(StateDirectory state) throws IOException {
    return JournalReader.fold(state.sweep("mine").journal());
  }
}
