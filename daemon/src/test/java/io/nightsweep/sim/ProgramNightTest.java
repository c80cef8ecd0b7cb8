package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.report.ReportTexts;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Wave;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a night handles profiles that compile to a program that already runs. */
@Tag("hours")
@Tag("slow")
class ProgramNightTest {
  private static final Duration JOB = Duration.ofMinutes(8);

  /** Flags of the packed catalog: one that the HLO shows completely, and one that it does not. */
  private static final Catalog FLAGS = Specs.packed("xla", "cpd", "prio");

  private static final String SEEN = "cpd";

  @TempDir private Path repository;

  /**
   * The decision table. Beside each row's profile, {@code other} runs, which sets a flag that the
   * HLO shows completely and compiles to the program {@code x}. Of two equal programs the first to
   * run stays.
   */
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # what the second sets, its program, what it is
          cpd=2,                  baseline,    baseline-deployed
          cpd=2,                  x,           other
          cpd=2,                  y,           -
          cpd=2,                  ?,           -
          prio=true,              baseline,    -
          prio=true,              x,           -
          cpd=2 prio=true,        baseline,    -
          cpd=2 NCCL_PROTO=LL,    baseline,    -
          NCCL_PROTO=LL,          baseline,    -
          cpd=2 remat=full,       baseline,    -
          """)
  void aProfileIsAnotherOneWhereTheHloShowsAllOfIt(String sets, String program, String as) {
    Profile second = profile("second", sets);
    SweepState s =
        night(
                List.of(profile("other", SEEN + "=1"), second),
                Map.of("baseline-deployed", "baseline", "other", "x", "second", program))
            .state();
    Map<String, Event.ProfileDropped> same = new TreeMap<>(s.dropped());
    same.values().removeIf(d -> d.cause() != DropCause.SAME_PROGRAM);
    if (as.equals("-")) {
      assertThat(same).isEmpty();
      return;
    }
    assertThat(same).hasSize(1);
    String dropped = same.keySet().iterator().next();
    Cause.SameProgram why = (Cause.SameProgram) Objects.requireNonNull(same.get(dropped)).why();
    assertThat(List.of(dropped, why.as())).containsExactlyInAnyOrder("second", as);
    assertThat(why.sources()).as("both texts").hasSize(2);
    assertThat(runs(s, dropped)).as("one job told it").isEqualTo(1);
    assertThat(runs(s, "other") + runs(s, "second")).as("what stays runs on").isGreaterThan(2);
  }

  @Test
  void whatLeftTheRaceNeedsNoFurtherRunUnderAnotherName() {
    Response slow = new Response.Gain(-0.18);
    Surface surface =
        new Programmed(
            new DrawnSurface(Map.of("other", slow, "second", slow), 1000, Weather.calm(0.005), 3),
            Map.of(Profile.BASELINE, "baseline", "other", "x", "second", "x"));
    SweepSpec plain = spec(List.of(profile("other", SEEN + "=1"), profile("second", SEEN + "=2")));
    List<Wave> waves = new ArrayList<>(plain.plan().waves());
    // Enough that the noise is known, and one run of the candidate ends its race (0067).
    waves.set(
        0,
        new Wave("baseline", Wave.Kind.BASELINE, List.of(), Wave.When.ALWAYS, 5, Statement.NONE));
    SweepSpec spec = plain.with(new Plan("test", waves, List.of()));
    SweepState s = Specs.night(spec, surface, JOB, 3).run().state();
    assertThat(s.dropped().values())
        .extracting(Event.ProfileDropped::cause)
        .containsExactlyInAnyOrder(DropCause.RACED_OUT, DropCause.SAME_PROGRAM);
    assertThat(runs(s, "other") + runs(s, "second")).isEqualTo(2);
  }

  /** Its profiled run was autotuned differently from its first one. */
  @Test
  void theBaselinesProgramIsAnyThatItsJobsCompiled() {
    SweepSpec plain = spec(List.of(profile("p", SEEN + "=1")));
    List<Wave> waves = new ArrayList<>(plain.plan().waves());
    waves.add(
        1,
        new Wave(
            "evidence",
            Wave.Kind.EVIDENCE,
            List.of(),
            Wave.When.ALWAYS,
            1,
            Statement.words("profile")));
    Map<String, String> programs = Map.of(Profile.BASELINE, "baseline", "p", "other draw");
    SweepSpec spec = plain.with(new Plan("test", waves, List.of()));
    Night.Result night =
        Specs.night(spec, surface(programs), JOB, 3)
            .reading(
                (workload, request, job) ->
                    CompletableFuture.completedFuture(
                        List.of(
                            new Finding(
                                request.attempt(),
                                Finding.PROGRAM,
                                Statement.words(""),
                                List.of("job 2: dump"),
                                new TreeMap<>(Map.of("other draw", 1.0))))))
            .run();
    SweepState s = night.state();
    assertThat(s.dropped().values())
        .singleElement()
        .extracting(Event.ProfileDropped::why)
        .isInstanceOfSatisfying(
            Cause.SameProgram.class,
            why -> {
              assertThat(why.as()).isEqualTo(Profile.BASELINE);
              assertThat(why.sources()).contains("job 2: dump");
            });
    assertThat(SweepState.fold(night.entries())).isEqualTo(s);
  }

  @Test
  void noWaveIsPlannedWhileAProgramIsBeingRead() {
    List<Profile> inert =
        IntStream.rangeClosed(1, 7).mapToObj(i -> profile("p" + i, SEEN + "=" + i)).toList();
    Map<String, String> programs = new HashMap<>();
    inert.forEach(p -> programs.put(p.name(), "baseline"));
    programs.put(Profile.BASELINE, "baseline");
    SweepState s = night(inert, programs).state();
    assertThat(inert).allSatisfy(p -> assertThat(runs(s, p.name())).isEqualTo(1));
    // If no job leaves its program, chance makes some of them run again.
    assertThat(s.attempts().count()).isLessThan(night(inert, Map.of()).state().attempts().count());
  }

  /** Inert flags that a rehearsal is told about, or learns from an earlier sweep, save it jobs. */
  @Test
  void aRehearsalDrawsInertFlags() {
    List<Profile> flags =
        IntStream.rangeClosed(1, 12).mapToObj(i -> profile("p" + i, SEEN + "=" + i)).toList();
    SweepSpec spec = spec(flags);
    Assumptions none =
        Assumptions.of(spec, List.of(), Optional.of(0.008), Optional.of(Duration.ofMinutes(8)));
    assertThat(none.inert().value()).isZero();
    assertThat(fewestJobs(spec, none.changingNothing(0.9))).isLessThan(fewestJobs(spec, none));
    Map<String, String> programs = new HashMap<>(Map.of(Profile.BASELINE, "baseline"));
    flags.forEach(p -> programs.put(p.name(), p.name().length() > 2 ? p.name() : "baseline"));
    SweepState earlier = night(flags, programs).state();
    assertThat(Assumptions.of(spec, List.of(earlier), Optional.empty(), Optional.empty()).inert())
        .isEqualTo(new Assumptions.Assumed(9 / 12.0, "as sweep night showed"));
  }

  /** Jobs of the shortest nights, in which hardly any flag changes the program. */
  private static double fewestJobs(SweepSpec spec, Assumptions assumptions) {
    return new Rehearsal(spec, assumptions, Instant.EPOCH, 1)
        .quickly(24, done -> false)
        .jobs()
        .low();
  }

  @Test
  void theReportSaysItInOneSentenceOfBothLanguagesAndListsNoHashes() throws Exception {
    SweepState s =
        night(
                List.of(profile("a", SEEN + "=1"), profile("b", SEEN + "=2")),
                Map.of(Profile.BASELINE, "baseline", "a", "baseline", "b", "baseline"))
            .state();
    assertThat(ReportTexts.english(s).replace("\\", ""))
        .contains("its flags change nothing: its job compiled the baseline's own program (job of")
        .contains("same program")
        .contains("of 2 profiles tested none gains more than")
        .doesNotContain("the best is", "what the job compiled");
    assertThat(ReportTexts.chinese(s).replace("\\", ""))
        .contains("其标志不起任何作用：其作业编译出的程序与基线完全相同（job of");
  }

  /**
   * The packed plan and catalogs; half of the flags that the HLO shows completely have no effect.
   */
  @Test
  void nightsOfThePackedPlanSpendOneJobOnEachInertFlag() throws Exception {
    SweepSpec spec = new ShippedNights(repository, "FSDP=8", 1).spec();
    List<String> shown =
        spec.profiles().stream().filter(spec::isAllInHlo).map(Profile::name).toList();
    assertThat(shown).hasSizeGreaterThan(5).doesNotContain("prio", "ovl-2");
    long told = 0;
    for (long seed = 1; seed <= 2; seed++) {
      Map<String, Response> inert = new LinkedHashMap<>();
      SplittableRandom random = new SplittableRandom(seed);
      for (String name : shown) {
        if (random.nextInt(2) == 0) {
          inert.put(name, new Response.Inert());
        }
      }
      SweepState s = state(spec, inert, seed);
      for (String name : inert.keySet()) {
        assertThat(runs(s, name)).isLessThanOrEqualTo(1);
        told += s.dropped().values().stream().filter(d -> isInert(d, name)).count();
      }
    }
    assertThat(told).isPositive();
    assertThat(state(spec, Map.of(), 1).findings()).noneMatch(f -> f.is(Finding.PROGRAM));
  }

  private static boolean isInert(Event.ProfileDropped d, String name) {
    return d.profile().equals(name) && d.cause() == DropCause.SAME_PROGRAM;
  }

  private static SweepState state(SweepSpec spec, Map<String, Response> responses, long seed) {
    DrawnSurface surface = new DrawnSurface(responses, 1000, Weather.usual(0.008), seed);
    return new Night(spec, surface, Faults.none(), ShippedNights.JOB, seed).run().state();
  }

  private static long runs(SweepState s, String profile) {
    return s.attempts()
        .filter(a -> s.trialOf(a.id()).profile().equals(profile))
        .filter(a -> s.trialOf(a.id()).purpose() == Trial.Purpose.SCREEN)
        .count();
  }

  /**
   * @param sets ids of the catalog's entries, variables and settings, each with its value
   */
  private static Profile profile(String name, String sets) {
    TreeMap<String, String> flags = new TreeMap<>();
    TreeMap<String, String> env = new TreeMap<>();
    TreeMap<String, String> overrides = new TreeMap<>();
    for (String word : sets.split(" ")) {
      String[] parts = word.split("=");
      FLAGS.entries().stream()
          .filter(e -> e.id().equals(parts[0]))
          .findFirst()
          .ifPresentOrElse(
              e -> flags.put(e.setting(), parts[1]),
              () -> (parts[0].startsWith("NCCL") ? env : overrides).put(parts[0], parts[1]));
    }
    return Profile.of(name, flags, env, overrides);
  }

  private static Night.Result night(List<Profile> candidates, Map<String, String> programs) {
    return Specs.night(spec(candidates), surface(programs), JOB, 3).run();
  }

  private static SweepSpec spec(List<Profile> candidates) {
    SweepSpec plain =
        Specs.screening(candidates.stream().map(Profile::name).toList(), Optional.of(40), 2);
    return new SweepSpec(
        plain.cell(),
        plain.workload(),
        plain.settings(),
        plain.metric(),
        plain.configTags(),
        Stream.concat(Stream.of(Profile.baseline()), candidates.stream()).toList(),
        plain.plan(),
        plain.budget(),
        plain.policy(),
        plain.playbook(),
        List.of(FLAGS));
  }

  private static Surface surface(Map<String, String> programs) {
    return new Programmed(
        new DrawnSurface(
            Map.of("other", new Response.Gain(0.02), "second", new Response.Gain(0.02)),
            1000,
            Weather.calm(0.005),
            3),
        programs);
  }

  /** A surface with jobs that leave these programs; {@code ?} means that a job left none. */
  private record Programmed(Surface surface, Map<String, String> programs)
      implements AroundSurface {
    @Override
    public Optional<String> program(Profile profile) {
      return Optional.ofNullable(programs.get(profile.name())).filter(p -> !p.equals("?"));
    }
  }
}
