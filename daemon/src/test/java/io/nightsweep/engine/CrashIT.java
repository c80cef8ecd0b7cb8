package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.journal.JournalReader;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kills the daemon repeatedly during a real sweep. */
@Tag("sweep")
class CrashIT {
  /** Guards against a hang. */
  private static final Duration LIMIT = Duration.ofMinutes(12);

  private static final String BASELINE = "baseline-deployed";
  private static final int BASELINES = 4;

  private final SlurmLab lab = SlurmLab.up();
  private final Path home = lab.home();

  @Test
  void killedAtTenRandomMomentsItLosesNoTrialAndSubmitsNoJobTwice() throws Exception {
    losesNoTrialAndSubmitsNoJobTwice(10, 16);
  }

  @Test
  @Tag("night")
  void killedAtTwentyFiveRandomMomentsItLosesNoTrialAndSubmitsNoJobTwice() throws Exception {
    losesNoTrialAndSubmitsNoJobTwice(25, 40);
  }

  /**
   * @param profiles each runs once, so that racing drops none: any other end means a loss
   */
  private void losesNoTrialAndSubmitsNoJobTwice(int kills, int profiles) throws Exception {
    // If the test is run again, Slurm's records include its first run too.
    int told = Files.exists(lab.books()) ? Files.readString(lab.books()).length() : 0;
    SweepState disturbed = run(kills, profiles);
    // A run that looks like a straggler is repeated as a separate trial, which may be raced out.
    assertThat(disturbed.trials().values())
        .filteredOn(t -> t.trial().profile().equals(BASELINE) || t.trial().repetition() == 1)
        .allSatisfy(
            t -> assertThat(t.disposition()).containsInstanceOf(Disposition.Measured.class));
    assertThat(disturbed.trials().values())
        .allMatch(t -> t.disposition().filter(CrashIT::isMeasuredOrRacedOut).isPresent());
    List<String> measured =
        disturbed.trials().values().stream().map(t -> t.trial().profile()).toList();
    assertThat(measured.stream().filter(p -> !p.equals(BASELINE)).distinct())
        .containsExactlyInAnyOrderElementsOf(names(profiles));
    assertThat(Collections.frequency(measured, BASELINE)).isGreaterThanOrEqualTo(BASELINES);
    Map<String, Long> jobs =
        Files.readString(lab.books())
            .substring(told)
            .lines()
            .filter(l -> l.contains(" Name=ns-" + disturbed.sweep() + "-"))
            .map(l -> l.replaceAll("^.* Name=(\\S+) .*$", "$1"))
            .collect(Collectors.groupingBy(n -> n, TreeMap::new, Collectors.counting()));
    assertThat(jobs.keySet())
        .containsExactlyInAnyOrderElementsOf(
            disturbed.attempts().map(AttemptState::jobName).toList());
    assertThat(jobs.values()).allMatch(n -> n == 1);
  }

  private static boolean isMeasuredOrRacedOut(Disposition disposition) {
    return disposition instanceof Disposition.Measured
        || (disposition instanceof Disposition.Dropped d && d.why() instanceof Cause.RacedOut);
  }

  private static List<String> names(int profiles) {
    return IntStream.rangeClosed(1, profiles).mapToObj("p%d"::formatted).toList();
  }

  private static String sweep(int profiles) {
    List<String> names = names(profiles);
    return """
        model: allreduce
        parallelism: ranks=2
        slot: {nodelist: "n[3-4]"}
        workload:
          {kind: kernels, kernel: allreduce, sizes: 4096, dtype: f32, iterations: 4, trials: 4, warmup: 1}
        profiles:
        %s
        plan:
          waves:
            - {name: baseline, kind: baseline, profiles: [baseline-deployed], repetitions: %d, why: noise}
            - {name: screen, kind: screen, profiles: [%s], why: each of them once}
        budget: {jobs: 90, hours: 1}
        policy: {plausibleGain: 900%%, jobTimeLimit: 2m}
        playbook: kernels
        """
        .formatted(
            names.stream()
                .map(name -> "  %s: {env: {OMPI_MCA_crash_test: %s}}".formatted(name, name))
                .collect(Collectors.joining("\n")),
            BASELINES,
            String.join(", ", names));
  }

  private SweepState run(int kills, int profiles) throws Exception {
    StateDirectory state = new StateDirectory(lab.shared("state-crash"));
    SweepDirectory directory = start(state, sweep(profiles));
    Path log = lab.shared("state-crash").resolve("daemon.out");
    Random random = new Random(20261120);
    Instant limit = Instant.now().plus(LIMIT);
    int killed = 0;
    while (!JournalReader.fold(directory.journal()).isFinished()) {
      assertThat(Instant.now()).as("the sweep ends in time; see " + log).isBefore(limit);
      long before = Files.size(directory.journal());
      try (DaemonProcess daemon = DaemonProcess.start(state.root(), home, log)) {
        while (daemon.isAlive() && Files.size(directory.journal()) == before) {
          Thread.sleep(5);
        }
        // Counts the time at work, however long the start took.
        long life = killed < kills ? random.nextInt(1_300) : LIMIT.toMillis();
        Instant end = Instant.now().plusMillis(life);
        while (daemon.isAlive() && Instant.now().isBefore(end)) {
          Thread.sleep(20);
        }
        if (daemon.isAlive()) {
          daemon.kill();
          killed++;
        }
      }
    }
    assertThat(killed).as("kills while the sweep was under way").isEqualTo(kills);
    return JournalReader.fold(directory.journal());
  }

  /** Submits the sweep as the command line would, and ends that daemon at once. */
  private SweepDirectory start(StateDirectory state, String sweep) throws Exception {
    try (Daemon daemon = Daemon.open(state, new RealParts(home), InstantSource.system())) {
      Reply reply = daemon.handle(new LabSweep(lab, "crash", sweep).request());
      return state.sweep(((Reply.Started) reply).sweep());
    }
  }
}
