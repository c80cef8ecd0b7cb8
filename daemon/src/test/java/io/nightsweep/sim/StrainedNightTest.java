package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.cluster.JobFiles;
import io.nightsweep.cluster.JobScript;
import io.nightsweep.conductor.Standings;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.measure.Standing;
import io.nightsweep.report.ComparedRuns;
import io.nightsweep.report.CountedRuns;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.NodeStrain;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In the middle of a night, a node is slowed to a third while the better candidate has its only
 * run. If the node's samples show nothing, that run ends the profile; if they show the throttling,
 * the run is repeated once, and the verdict is the usual one.
 */
@Tag("hours")
class StrainedNightTest {
  private static final String BETTER = "p7";
  private static final double GAIN = 0.06;

  /** What the nodes' own counters grow by in a job of 480 seconds. */
  private static final String SOUND =
      """
      node=%s cpus=8
      at=1000 throttledMicroseconds=0 ticks=0 stolenTicks=0 load=3.10
      at=1480 throttledMicroseconds=1200000 ticks=384000 stolenTicks=90 load=3.40
      """;

  private static final String THROTTLED =
      """
      node=%s cpus=8
      at=1000 throttledMicroseconds=0 ticks=0 stolenTicks=0 load=3.10
      at=1480 throttledMicroseconds=336000000 ticks=384000 stolenTicks=90 load=3.40
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void theVerdictIsUnharmed(long seed) {
    SweepState unseen = night(seed, "unseen", SOUND);
    TrialId only = firstLook(unseen).orElseThrow().trial().id();
    assertThat(unseen.trials().values())
        .as("other candidates ran before it")
        .anyMatch(
            t -> t.trial().purpose() == Purpose.SCREEN && t.trial().id().number() < only.number());
    assertThat(unseen.strains()).isEmpty();
    assertThat(unseen.dropped()).as("the slow run ends the profile").containsKey(BETTER);
    assertThat(Standings.winner(unseen)).isEmpty();

    SweepState told = night(seed, "told", THROTTLED);
    assertThat(told.strains())
        .singleElement()
        .satisfies(
            strained -> {
              assertThat(strained.attempt()).isEqualTo(only.attempt(1));
              assertThat(strained.strain().node()).isEqualTo("n2");
              assertThat(strained.strain().kind()).isEqualTo(NodeStrain.Kind.THROTTLED);
              assertThat(strained.strain().value()).isCloseTo(0.7, within(1e-9));
            });
    assertThat(told.dropped()).doesNotContainKey(BETTER);
    assertThat(Standings.winner(told)).map(Standing::profile).contains(BETTER);
    assertThat(Standings.winner(told).orElseThrow().confirmation().orElseThrow().logGain())
        .as("the slow run does not count")
        .isCloseTo(Math.log1p(GAIN), within(0.01));
    assertThat(Standings.stragglers(told)).extracting(t -> t.trial().id()).contains(only);
    assertThat(ComparedRuns.of(told, BETTER, Phrases.EN))
        .filteredOn(
            run -> run.words().contains("; not counted in any estimate, since it is far from"))
        .hasSize(1);
    // The page's mean and number of runs for a profile are of the same runs.
    assertThat(CountedRuns.on(told, told.spec().primaryTag().name()).of(BETTER))
        .hasSize(Standings.board(told).of(BETTER).orElseThrow().estimate().runs());
  }

  /**
   * @param slowed samples of the second node during the slow run
   */
  private SweepState night(long seed, String name, String slowed) {
    SweepSpec spec = Specs.kernels(8, 90);
    List<Wave> waves = new ArrayList<>(spec.plan().waves());
    waves.addFirst(
        Specs.wave("gate", Wave.Kind.NODE_GATE, List.of(), Wave.When.ALWAYS, 1, "nodes"));
    SweepDirectory files = new SweepDirectory(folder.resolve(name));
    return Specs.night(
            spec.with(new Plan("kernels", waves, List.of())),
            new SlowOnce(Specs.surface(0, 0.005)),
            Duration.ofMinutes(8),
            seed)
        .in(files)
        .told(
            s -> {
              s.inFlight().forEach(a -> sample(s, files, a.id(), slowed));
              return Optional.empty();
            })
        .run()
        .state();
  }

  /** Writes what {@code watch.sh} on the job's nodes writes. */
  private static void sample(SweepState s, SweepDirectory files, AttemptId attempt, String slowed) {
    JobFiles job = files.job(attempt);
    boolean slow = firstLook(s).filter(t -> t.trial().id().attempt(1).equals(attempt)).isPresent();
    try {
      Files.createDirectories(job.directory());
      if (!Files.exists(job.watch())) {
        JobScript.watch(job);
        Files.writeString(job.samples(0), SOUND.formatted("n1"));
        Files.writeString(job.samples(1), (slow ? slowed : SOUND).formatted("n2"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<TrialState> firstLook(SweepState s) {
    return s.trials().values().stream()
        .filter(t -> t.trial().profile().equals(BETTER))
        .filter(t -> t.trial().purpose() == Purpose.SCREEN)
        .findFirst();
  }

  /** A surface on which the better candidate gains, but its first run meets a slow node. */
  private static final class SlowOnce implements Surface {
    private final Surface quiet;
    private double slowAt = -1;

    SlowOnce(Surface quiet) {
      this.quiet = quiet;
    }

    @Override
    public double effect(Profile profile, String configTag) {
      return profile.name().equals(BETTER) ? Math.log1p(GAIN) : 0;
    }

    @Override
    public double baseline(String configTag) {
      return quiet.baseline(configTag);
    }

    @Override
    public double drift(double hours) {
      return 0;
    }

    @Override
    public double noise(SplittableRandom random) {
      return quiet.noise(random);
    }

    @Override
    public double disturbance(SurfaceRun run, SplittableRandom random) {
      if (!run.profile().name().equals(BETTER)) {
        return 0;
      }
      slowAt = slowAt < 0 ? run.hours() : slowAt;
      return run.hours() == slowAt ? Math.log(1 / 3.0) : 0;
    }
  }
}
