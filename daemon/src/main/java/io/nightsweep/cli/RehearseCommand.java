package io.nightsweep.cli;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.NodeChecks;
import io.nightsweep.journal.Json;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Loaded;
import io.nightsweep.plan.Prompter;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sim.Assumptions;
import io.nightsweep.sim.NoiseFamily;
import io.nightsweep.sim.Rehearsal;
import io.nightsweep.sim.Rehearsed;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "rehearse",
    mixinStandardHelpOptions = true,
    description =
        "Walks a sweep file through simulated nights: jobs, hours, node-hours, the smallest gain"
            + " that it finds, and whether the night ends before the plan does. Starts nothing,"
            + " asks no cluster unless one is named.")
final class RehearseCommand implements Callable<Integer> {
  private static final Duration USUAL_TIME = Duration.ofSeconds(20);
  private static final int FEWEST_NIGHTS = 96;
  private static final int MOST_NIGHTS = 600;

  @Spec private CommandSpec spec;
  @Mixin private StateFolder state;

  @Parameters(paramLabel = "SWEEP.YAML")
  private Path file = Path.of("sweep.yaml");

  @Option(
      names = "--cluster",
      completionCandidates = ClusterNames.class,
      description =
          "Pin the nodes on ${COMPLETION-CANDIDATES} as start does (default: take the file's"
              + " word).")
  private ClusterChoice.@Nullable Kind cluster;

  @Option(
      names = "--noise",
      paramLabel = "PERCENT",
      description = "Run-to-run noise, such as 0.8%% (default: what an earlier sweep showed).")
  private @Nullable String noise;

  @Option(
      names = "--noise-family",
      split = ",",
      paramLabel = "FAMILY",
      description =
          "What the noise is like, several with commas: ${COMPLETION-CANDIDATES} (default: usual).")
  private List<NoiseFamily> families = List.of(NoiseFamily.USUAL);

  @Option(
      names = "--job-minutes",
      paramLabel = "MINUTES",
      description =
          "The time of one job from start to end (default: what an earlier sweep showed).")
  private @Nullable Double jobMinutes;

  @Option(
      names = "--hangs",
      paramLabel = "PERCENT",
      description =
          "The share of jobs that hang until they are given up (default: what an earlier"
              + " sweep showed).")
  private @Nullable String hangs;

  @Option(
      names = "--inert",
      paramLabel = "PERCENT",
      description =
          "The share of flags that change nothing, among those whose whole effect the compiled HLO"
              + " shows (default: what an earlier sweep showed).")
  private @Nullable String inert;

  @Option(
      names = "--nights",
      paramLabel = "N",
      description = "How many (default: what 20 seconds allow, at least 96).")
  private @Nullable Integer nights;

  @Option(
      names = "--search-seconds",
      hidden = true,
      description = "How long to look for a budget that is enough, at most.")
  private long searchSeconds = USUAL_TIME.toSeconds();

  @Option(names = "--seed", description = "The same seed gives the same nights (default: 1).")
  private long seed = 1;

  @Option(names = "--json", description = "One JSON object.")
  private boolean json;

  @Override
  public Integer call()
      throws IOException, InterruptedException, InvalidInputException, ClusterUnreachableException {
    SweepSpec sweep = sweep();
    List<SweepState> earlier = Rehearsing.earlier(state.directory(), sweep.cell());
    Assumptions assumptions =
        Assumptions.of(
                sweep,
                earlier,
                Optional.ofNullable(noise).map(text -> fraction("--noise", text, 0.5)),
                Optional.ofNullable(jobMinutes).map(this::duration))
            .under(families);
    if (hangs != null) {
      assumptions = assumptions.hanging(fraction("--hangs", hangs, 0.5));
    }
    if (inert != null) {
      assumptions = assumptions.changingNothing(fraction("--inert", inert, 1));
    }
    Rehearsal rehearsal = new Rehearsal(sweep, assumptions, Instant.now(), seed);
    long began = System.nanoTime();
    int most = nights == null ? MOST_NIGHTS : wanted(nights);
    wait(
        "walking simulated nights, at most %d%s"
            .formatted(most, nights == null ? ", for about " + seconds(USUAL_TIME.toNanos()) : ""));
    Rehearsed result =
        rehearsal.atMost(most, nights == null ? shown(most).or(late()) : shown(most));
    clearLine();
    PrintWriter out = spec.commandLine().getOut();
    Optional<Rehearsal.Sought> enough =
        LatestRehearsal.latest(state.directory(), sweep, assumptions)
            .flatMap(LatestRehearsal::found)
            .filter(found -> !rehearsal.isEnough(result));
    if (json) {
      out.println(Json.mapper().writeValueAsString(result));
    } else {
      long took = System.nanoTime() - began;
      long end = System.nanoTime() + Math.max(took, Duration.ofSeconds(searchSeconds).toNanos());
      if (enough.isEmpty() && !rehearsal.isEnough(result)) {
        wait(
            "the plan does not fit its budget: looking for the cheapest one that is enough, for at"
                + " most about "
                + seconds(end - System.nanoTime()));
        enough = Rehearsing.enough(rehearsal, result, () -> System.nanoTime() > end);
      }
      List<String> pacing =
          new ArrayList<>(
              PacingText.lines(sweep, result, ZonedDateTime.now(ZoneId.systemDefault()), enough));
      RehearsalText.assumed(rehearsal, assumptions, result.smallestGain()).ifPresent(pacing::add);
      RehearsalText.lines(sweep, result, pacing).forEach(out::println);
    }
    // A start can simulate QUICK_NIGHTS nights itself, so only longer rehearsals are kept for it.
    if (result.nights() > Rehearsing.QUICK_NIGHTS) {
      LatestRehearsal.of(sweep, result, Instant.now(), enough).keep(state.directory());
    }
    return ExitCode.OK;
  }

  private SweepSpec sweep()
      throws IOException, InvalidInputException, ClusterUnreachableException, InterruptedException {
    Loaded loaded = SweepFile.load(file);
    ZonedDateTime now = ZonedDateTime.now(ZoneId.systemDefault());
    if (cluster == null) {
      SweepSpec read = loaded.onPaper(now);
      doubts(loaded, read);
      return Rehearsing.planned(
          read, s -> NodeChecks.onPaper(s, now.toInstant()), state.directory());
    }
    Cluster named =
        Places.parts().cluster(Places.choice(cluster, loaded.transport()), state.directory());
    SweepSpec read = loaded.resolve(named, Prompter.nobody(), now);
    doubts(loaded, read);
    return Rehearsing.planned(
        read,
        s -> NodeChecks.fitted(s, named, Places.parts().nodeGate(), now.toInstant()),
        state.directory());
  }

  /** Prints reasons in the sweep file itself why the nights may find nothing. */
  private void doubts(Loaded loaded, SweepSpec read) {
    if (!json) {
      PrintWriter err = spec.commandLine().getErr();
      loaded.doubts(read).forEach(p -> err.println("warning  " + p));
      err.flush();
    }
  }

  private static IntPredicate late() {
    long end = System.nanoTime() + USUAL_TIME.toNanos();
    return done -> done >= FEWEST_NIGHTS && System.nanoTime() > end;
  }

  /** Shows the progress on a terminal; never stops the rehearsal. */
  private IntPredicate shown(int most) {
    return done -> {
      if (!json && Terminal.shows()) {
        System.err.printf("\r%d of at most %d nights ", done, most);
        System.err.flush();
      }
      return false;
    };
  }

  /** Says what takes time, so that silence does not look like a hang. */
  private void wait(String what) {
    if (!json) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(what + " ...");
      err.flush();
    }
  }

  private static String seconds(long nanos) {
    return Math.max(1, Math.round(nanos / 1e9)) + " s";
  }

  private void clearLine() {
    if (!json && Terminal.shows()) {
      System.err.printf("\r%40s\r", "");
      System.err.flush();
    }
  }

  private int wanted(int given) {
    if (given < 1) {
      throw new ParameterException(
          spec.commandLine(), "--nights " + given + ": expected a number of at least 1");
    }
    return given;
  }

  private double fraction(String option, String text, double below) {
    try {
      String number = text.strip().replaceFirst("\\s*%$", "");
      double value = Double.parseDouble(number) / 100;
      if (value > 0 && value < below) {
        return value;
      }
    } catch (NumberFormatException e) {
      // The exception below reports it.
    }
    throw new ParameterException(
        spec.commandLine(),
        option
            + " "
            + text
            + ": expected a percentage such as 0.8%, below "
            + Math.round(100 * below)
            + "%");
  }

  private Duration duration(double minutes) {
    if (!(minutes > 0 && minutes < 1e5)) {
      throw new ParameterException(
          spec.commandLine(), "--job-minutes " + minutes + ": expected minutes above 0");
    }
    return Duration.ofMillis(Math.max(1, Math.round(minutes * 60_000)));
  }
}
