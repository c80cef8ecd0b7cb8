package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.ScheduledStart;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.Json;
import io.nightsweep.report.Quantity;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.SweepSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people type every day does what they expect. */
@Tag("people")
class EverydayCommandsTest extends OverPastNights {

  /** Two simultaneous jobs on two names of one machine slow each other down. */
  @Test
  void aStartSaysThatLocalNodesAreOneMachine() {
    SweepSpec sweep = Specs.kernels(2, 9).on(List.of("n1", "n2"));
    assertThat(StartCommand.nodes(sweep, true)).isEqualTo("n[1-2] (frozen from here on)");
    assertThat(StartCommand.nodes(sweep, false))
        .contains("all nodes are this machine, and jobs on several share its ");
  }

  @Test
  void aFinishedSweepsStatusSaysWhatCanBeDoneWithIt() throws IOException {
    SweepDirectory first = sweep("night", NIGHT.size());
    assertThat(say("status").out())
        .contains("] finished  jobs", "  p3 wins by +8.", "  next: nightsweep report\n")
        .doesNotContain("compare", "--sweep");
    sweep("night-2", NIGHT.size());
    say("report", "--sweep", "night-2");
    String again = say("status", "--sweep", "night-2").out();
    assertThat(again)
        .contains("nightsweep report --sweep night-2", "nightsweep compare night night-2")
        .containsPattern("to deploy: \\S+/night-2/report/\\S+-tuning\\.env\\.sh\n");
    assertThat(first.root()).exists();
  }

  /** A file that sets nothing deploys nothing. */
  @Test
  void ofAWinnerOfOverridesAloneTheStatusSaysWhatToSetInstead() throws IOException {
    night("overrides", with(Specs::ofBatches));
    say("report");
    assertThat(say("status").out())
        .contains("  to deploy: set BATCH=3 (settings of the workload)\n")
        .doesNotContain("env.sh");
  }

  /** An empty answer would leave people in doubt whether something is broken. */
  @Test
  void whereNothingWasProfiledTheEvidenceSaysSoAndWhy() throws IOException {
    sweep("night", NIGHT.size());
    assertThat(say("report", "--evidence").out())
        .isEqualTo("no evidence: the plan kernels has no wave that profiles a run\n");
    assertThat(say("report", "--evidence", "--json").out()).isEmpty();
  }

  /**
   * The usual target is five percent; since nobody has to write it down, people may not know it.
   */
  @Test
  void aWaveThatTheTargetSparesSaysWhichTargetThatIs() throws IOException {
    sweep("night", NIGHT.size());
    String skipped = "skipped: the target gain of 5.0 % is reached";
    assertThat(say("status").out()).contains(skipped + " (policy.targetGain)");
    assertThat(say("report").out()).contains(skipped);
  }

  @Test
  void anExportNeverReplacesAFile() throws IOException {
    sweep("done", NIGHT.size());
    Path file = Files.writeString(dir.resolve("page.html"), "mine");
    Typed said = say("page", "--export", file.toString());
    assertThat(said.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(said.err()).contains("is there already");
    assertThat(file).hasContent("mine");
  }

  @Test
  void aFolderThatIsNotThereIsNamedAsSuch() throws IOException {
    sweep("done", NIGHT.size());
    Path folder = dir.resolve("none");
    assertThat(say("page", "--export", folder.resolve("page.html").toString()).err())
        .isEqualTo("error: there is no folder " + folder + "\n");
    Path file = Files.writeString(dir.resolve("file"), "");
    assertThat(Typed.line("man", "--dir", file.toString()).err())
        .isEqualTo("error: " + file + " is there already, and is not a folder\n");
  }

  @Test
  void whatHasNoEffectIsRefused() throws IOException {
    sweep("done", NIGHT.size());
    String page = dir.resolve("page.html").toString();
    assertThat(say("page", "--sweep", "other").code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(say("page", "--close", "--export", page).code()).isEqualTo(ExitCode.USAGE);
    assertThat(say("grant", "--revoke").code()).isEqualTo(ExitCode.USAGE);
    assertThat(say("grant", "--scope", "read").code()).isEqualTo(ExitCode.USAGE);
    assertThat(say("explain", "--last", "-1").code()).isEqualTo(ExitCode.USAGE);
    assertThat(say("start", "--together", "a.yaml", "a.yaml").err())
        .isEqualTo("each file can be named only once\n");
  }

  @Test
  void verboseIsTakenBehindTheCommandAsWell() {
    assertThat(say("sweeps", "-v").code()).isZero();
  }

  @Test
  void aDemoThatItsNodesCannotSeeSaysSoBeforeItSetsUpAnything() throws Exception {
    Path checkout = Files.createTempDirectory(Path.of("/tmp"), "checkout");
    Path launcher = checkout.resolve("nightsweep");
    Files.copy(Path.of("../nightsweep"), launcher);
    try {
      Process demo =
          new ProcessBuilder("bash", launcher.toString(), "demo").redirectErrorStream(true).start();
      String said = new String(demo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(demo.waitFor()).as(said).isEqualTo(ExitCode.UNFIT);
      assertThat(said).contains(checkout.toString(), "have a /tmp of their own");
      assertThat(checkout.toFile().list()).containsExactly("nightsweep");
    } finally {
      Files.delete(launcher);
      Files.delete(checkout);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1.44532e+09, B/s, 1.45 GB/s",
    "999, B/s, 999 B/s",
    "0.0123, s, 12.3 ms",
    "0, s, 0.00 s",
    "1, s, 1.00 s",
    "1000, Hz, 1.00 kHz",
    "1006.5, tok/s, 1006.5 tok/s",
    "NaN, B/s, -"
  })
  void aMeasuredValueIsReadable(double value, String unit, String read) {
    assertThat(Quantity.of(value, unit)).isEqualTo(read);
  }

  @Test
  void watchNamesTheProfileAndItsFigure() throws Exception {
    SweepDirectory done = sweep("done", NIGHT.size());
    StringWriter out = new StringWriter();
    new Watcher(new PrintWriter(out), new DaemonWord(new StateDirectory(dir.resolve("state"))))
        .follow(done, s -> false);
    assertThat(out.toString())
        .containsPattern("p3 measured 1\\.0\\d kB/s \\(t\\d+a1\\)")
        .containsPattern("p3 measured 1\\.0\\d kB/s, so far \\+\\d\\.\\d % \\(t\\d+a1\\)")
        .doesNotContain("e+0");
  }

  @Test
  void aFileIsScheduledOnceForAnHour() throws IOException {
    Path file = dir.resolve("sweep.yaml");
    Files.writeString(file, say("init", "--workload", "command", "--cluster", "local").out());
    Path schedule = Files.createDirectories(dir.resolve("state").resolve("scheduled"));
    ScheduledStart waiting =
        new ScheduledStart(
            3,
            file.toAbsolutePath(),
            ClusterChoice.Kind.LOCAL,
            Instant.now().plus(Duration.ofHours(2)),
            false,
            ZoneId.systemDefault(),
            Optional.empty());
    Files.write(schedule.resolve("3.json"), Json.mapper().writeValueAsBytes(waiting));
    Typed again = say("start", file.toString(), "--cluster", "local", "--at", "03:00");
    assertThat(again.code()).as(again.err()).isEqualTo(ExitCode.REFUSED);
    assertThat(again.err())
        .contains(
            "sweep.yaml is scheduled already, as 3, ",
            "to replace that: nightsweep schedule --remove 3, then this again");
  }

  /** Otherwise only the report says so, in the morning. */
  @Test
  @Tag("people")
  void statusWarnsOfANoiseThatHidesTheTarget() throws IOException {
    night("noisy", PastNights.of(4, 0.0, 0.15, 7));
    assertThat(say("status").out())
        .contains("  warning  The target of +5.0 % is too small for this sweep: ");
    night("quiet", NIGHT);
    assertThat(say("status", "--sweep", "quiet").out()).doesNotContain("is too small for this");
  }

  @Test
  @Tag("people")
  void aGainThatWasConfirmedWasNotHiddenByTheNoise() throws IOException {
    night("few-jobs", PastNights.of(4, 0.6, 0.15, 7));
    assertThat(say("status", "--sweep", "few-jobs").out())
        .contains("finished", "p3 wins by")
        .doesNotContain("is too small for this");
  }

  @Test
  @Tag("people")
  void aWeeklyStartIsShownWithTheHourThatIsNext() throws IOException {
    Path schedule = Files.createDirectories(dir.resolve("state").resolve("scheduled"));
    Instant first = Instant.now().minus(Duration.ofDays(8));
    ScheduledStart weekly =
        new ScheduledStart(
            3,
            dir.resolve("sweep.yaml").toAbsolutePath(),
            ClusterChoice.Kind.LOCAL,
            first,
            true,
            ZoneId.systemDefault(),
            Optional.of(new ScheduledStart.StartOutcome(first, true, "started night", true)));
    Files.write(schedule.resolve("3.json"), Json.mapper().writeValueAsBytes(weekly));
    assertThat(say("schedule").out().lines().toList().getFirst())
        .endsWith(
            ScheduleCommand.hour(first.atZone(ZoneId.systemDefault()).plusWeeks(2))
                + ", then every week");
  }
}
