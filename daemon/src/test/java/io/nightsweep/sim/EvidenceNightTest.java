package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.EvidenceReader;
import io.nightsweep.evidence.Evidence;
import io.nightsweep.evidence.Samples;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.ReportTexts;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Occurrence;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Question;
import io.nightsweep.sweep.QuestionAbout;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How findings affect a night: order, gates, and a message if no candidate fits. */
@Tag("xla")
@Tag("slow")
class EvidenceNightTest {
  private static final Duration JOB = Duration.ofMinutes(8);

  @Test
  void candidatesOfTheDominantCostComeFirstAndThoseWithoutAMechanismNever() {
    SweepState s = night(Map.of("all-gather", 28.0, "while-loop", 1.0), "all-gather", 0.3).state();
    // There are no permutes.
    assertThat(s.dropped().values())
        .filteredOn(d -> d.cause() == DropCause.NO_MECHANISM)
        .extracting(Event.ProfileDropped::profile)
        .containsExactlyInAnyOrder("cpd-1G", "cpd-256M", "cpd-8G", "async-cp");
    assertThat(s.dropped().values())
        .filteredOn(d -> d.profile().equals("cpd-1G"))
        .singleElement()
        .satisfies(
            d -> {
              assertThat(d.why())
                  .isInstanceOfSatisfying(
                      Cause.NoMechanism.class,
                      why -> {
                        assertThat(why.mechanisms())
                            .isEqualTo(
                                Objects.requireNonNull(packed().plan().candidates().get("cpd-1G"))
                                    .mechanisms());
                        assertThat(why.sources()).allMatch(file -> file.endsWith(": dump"));
                      });
            });
    assertThat(screened(s, "flags-1")).containsExactlyInAnyOrder("ag-whole", "pipe-ag");
    assertThat(screened(s, "flags-2")).containsExactlyInAnyOrder("dbuf", "mem");
    assertThat(s.notices().values()).noneMatch(n -> n.notice() instanceof Notice.Incident);
  }

  @Test
  void noFlagWaveOpensBeforeTheEvidenceIsRead() {
    List<Entry> entries = night(Map.of("all-gather", 1.0), "all-gather", 0.3).entries();
    int finding = first(entries, e -> e instanceof Event.FindingMade);
    int flags =
        first(entries, e -> e instanceof Event.WaveOpened w && w.wave().startsWith("flags"));
    assertThat(finding).isLessThan(flags);
  }

  @Test
  void aDominantCostThatNoCandidateActsOnIsAFindingAndAMessageBeforeTheFlags() {
    List<Entry> entries =
        night(Map.of("all-gather", 28.0, "collective-permute", 7.0, "while-loop", 1.0), "idle", 0.4)
            .entries();
    int message =
        first(
            entries,
            e ->
                e instanceof Event.QuestionAsked q
                    && q.about() instanceof QuestionAbout.UnaddressedCost c
                    && c.cost().equals("idle")
                    && Math.round(c.sharePercent()) == 40);
    int told =
        first(
            entries,
            e ->
                e instanceof Event.NoticeIssued n
                    && n.notice().equals(new Notice.Asked(Question.UNADDRESSED)));
    int lapsed =
        first(
            entries,
            e -> e instanceof Event.QuestionLapsed q && q.question().equals(Question.UNADDRESSED));
    int flags =
        first(entries, e -> e instanceof Event.WaveOpened w && w.wave().startsWith("flags"));
    assertThat(message).isPositive().isLessThan(told);
    assertThat(told).isLessThan(lapsed);
    assertThat(lapsed).isLessThan(flags);
    // After the deadline the sweep says so and continues.
    assertThat(Duration.between(entries.get(message).at(), entries.get(flags).at()))
        .isBetween(Duration.ofMinutes(15), Duration.ofMinutes(17));
    assertThat(entries)
        .anyMatch(
            e ->
                e.event() instanceof Event.NoticeIssued n
                    && n.notice() instanceof Notice.Incident i
                    && i.what() instanceof Occurrence.NobodyAnswered);
    assertThat(entries)
        .filteredOn(
            e -> e.event() instanceof Event.FindingMade f && f.finding().is(Finding.UNADDRESSED))
        .hasSize(1);
  }

  @Test
  void howLongAnAnswerIsWaitedForIsTheSweepFilesChoice() throws Exception {
    SweepSpec file =
        SweepFile.parse(
                "sweep.yaml",
                """
                model: allreduce
                parallelism: ranks=2
                slot: {nodelist: "n[1-2]"}
                workload: {kind: kernels, kernel: allreduce, sizes: "200000"}
                profiles: {p: {env: {OMPI_MCA_knob: "1"}}}
                policy: {answerWithin: 0s}
                """,
                Resources.beside(Path.of("nowhere/sweep.yaml")))
            .onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
    List<Entry> entries =
        night(spec().with(file.policy()), List.of(), Map.of("all-gather", 28.0), "idle", 0.4)
            .run()
            .entries();
    int asked = first(entries, e -> e instanceof Event.QuestionAsked);
    int flags =
        first(entries, e -> e instanceof Event.WaveOpened w && w.wave().startsWith("flags"));
    assertThat(asked).isLessThan(flags);
    assertThat(entries.get(flags).at()).isBefore(entries.get(asked).at().plusSeconds(120));
  }

  @Test
  void whatAPersonAddsForTheCostRunsFirstAndTheCatalogsCandidatesFollowAtOnce() {
    Profile own = Profile.of("own", Map.of(), Map.of("OMPI_MCA_knob", "99"), Map.of());
    Night.Result night = asked(new Command.AddProfiles(List.of(own)));
    List<String> opened =
        night.entries().stream()
            .map(Entry::event)
            .filter(Event.WaveOpened.class::isInstance)
            .map(e -> ((Event.WaveOpened) e).wave())
            .toList();
    assertThat(opened).startsWith("baseline", "evidence", "added+1", "flags-1");
    assertThat(night.entries()).noneMatch(e -> e.event() instanceof Event.QuestionLapsed);
  }

  @Test
  void aNoLeavesTheCatalogsCandidatesOut() {
    SweepState s = asked(new Command.Deny(Question.UNADDRESSED)).state();
    assertThat(s.isFinished()).isTrue();
    assertThat(s.wave("flags-1").orElseThrow().skipped()).contains(new Cause.SkippedByCommand());
    assertThat(screened(s, "flags-1")).isEmpty();
  }

  private static Night.Result asked(Command answer) {
    return night(
            spec(), List.of(), Map.of("all-gather", 28.0, "collective-permute", 7.0), "idle", 0.4)
        .told(
            s ->
                s.openQuestions().containsKey(Question.UNADDRESSED)
                    ? Optional.of(answer)
                    : Optional.empty())
        .run();
  }

  /** A run of them would only measure the baseline again. */
  @Test
  void candidatesThatTheDeployedStateSetsAlreadyAreDroppedWithTheReason() {
    SweepSpec spec = spec(List.of("cpd-1G", "chan-8"), List.of("chan-4", "ag-whole"));
    List<Event> facts =
        List.of(
            new Event.InventoryTaken(
                List.of(
                    new Fact("m.env.sh: NCCL_NCHANNELS_PER_NET_PEER", "\"8\"", false),
                    new Fact(
                        "m.env.sh, not for every cell: NCCL_NCHANNELS_PER_NET_PEER",
                        "\"4\"",
                        false))));
    SweepState s = night(spec, facts, Map.of("all-gather", 28.0), "all-gather", 0.3).run().state();
    assertThat(s.dropped().get("chan-8"))
        .isEqualTo(
            new Event.ProfileDropped(
                "chan-8", DropCause.ALREADY_SET, new Cause.AlreadySet(List.of("m.env.sh"))));
    assertThat(Optional.ofNullable(s.dropped().get("chan-4")))
        .as("what only some cells of the model get is a candidate like any other")
        .matches(d -> d.isEmpty() || d.get().cause() != DropCause.ALREADY_SET);
    assertThat(ReportTexts.english(s))
        .contains("already set: the state as deployed sets it already");
  }

  /**
   * A truncated dump and an invalid profile: both are reported, and the rest of the night is
   * unchanged.
   */
  @Test
  void evidenceThatCannotBeReadIsSaidAndChangesNothingElse(@TempDir Path job) throws Exception {
    String dump =
        Files.readString(Samples.file("module.jit_train_step.gpu_after_optimizations.txt"));
    Files.writeString(
        job.resolve("module_0001.jit_train_step.sm_9.0_gpu_after_optimizations.txt"),
        dump.substring(0, dump.length() / 2));
    Files.writeString(job.resolve("node.xplane.pb"), "<html>503 Service Unavailable</html>");
    Night.Result night =
        Specs.night(spec(), Specs.surface(0, 0.005), JOB, 3)
            .reading(
                (workload, request, id) ->
                    CompletableFuture.completedFuture(
                        Evidence.of(
                            request.attempt(),
                            id.value(),
                            List.of(job),
                            request.spec().everyProfile(),
                            request.spec().cell().nodes().size())))
            .run();
    SweepState s = night.state();
    assertThat(s.findings())
        .hasSize(2)
        .allMatch(
            f -> f.is(Finding.UNREADABLE) && Phrases.EN.text(f.statement()).contains("expected"))
        .allMatch(f -> f.sources().getFirst().startsWith("job "));
    assertThat(s.isFinished()).isTrue();
    assertThat(s.trials().values()).noneMatch(TrialState::isOpen);
    assertThat(s.dropped().values()).noneMatch(d -> d.cause() == DropCause.NO_MECHANISM);
    assertThat(SweepState.fold(night.entries())).isEqualTo(s);
    assertThat(screened(s, "flags-1")).hasSize(4);
  }

  @Test
  void evidenceThatNeverComesDoesNotHoldTheNightUp() {
    SweepSpec spec = spec();
    SweepState s =
        Specs.night(spec, Specs.surface(0, 0.005), JOB, 3)
            .reading((workload, request, job) -> new CompletableFuture<>())
            .run()
            .state();
    assertThat(s.isFinished()).isTrue();
    assertThat(screened(s, "flags-1")).hasSize(4);
  }

  static Night.Result night(Map<String, Double> seen, String dominant, double share) {
    return night(spec(), List.of(), seen, dominant, share).run();
  }

  private static Night night(
      SweepSpec spec, List<Event> before, Map<String, Double> seen, String dominant, double share) {
    EvidenceReader reader =
        (workload, request, job) ->
            CompletableFuture.completedFuture(
                List.of(
                    new Finding(
                        request.attempt(),
                        Finding.MECHANISMS,
                        Statement.words("seen"),
                        List.of("job " + job + ": dump"),
                        new TreeMap<>(seen)),
                    new Finding(
                        request.attempt(),
                        Finding.DOMINANT,
                        Statement.words("dominant"),
                        List.of("job " + job + ": profile"),
                        new TreeMap<>(Map.of(dominant, share)))));
    return Specs.night(spec, Specs.surface(0, 0.005), JOB, 3).after(before).reading(reader);
  }

  private static SweepSpec spec() {
    return spec(
        List.of("cpd-1G", "cpd-256M", "cpd-8G", "mem"),
        List.of("async-cp", "dbuf", "ag-whole", "pipe-ag"));
  }

  /**
   * Candidates as the packed plan expands them from the packed catalogs, in the test's own waves.
   */
  private static SweepSpec spec(List<String> first, List<String> second) {
    SweepSpec packed = packed();
    List<Wave> waves = new ArrayList<>();
    waves.add(
        new Wave(
            "baseline",
            Wave.Kind.BASELINE,
            List.of(Profile.BASELINE),
            Wave.When.ALWAYS,
            1,
            Statement.words("noise")));
    waves.add(
        new Wave(
            "evidence",
            Wave.Kind.EVIDENCE,
            List.of(),
            Wave.When.ALWAYS,
            1,
            Statement.words("mechanism")));
    waves.add(screen("flags-1", first));
    waves.add(screen("flags-2", second));
    List<String> chosen = Stream.concat(first.stream(), second.stream()).toList();
    TreeMap<String, Plan.Candidate> candidates = new TreeMap<>(packed.plan().candidates());
    candidates.keySet().retainAll(chosen);
    assertThat(candidates).hasSameSizeAs(chosen);
    return new SweepSpec(
        packed.cell(),
        packed.workload(),
        packed.settings(),
        packed.metric(),
        packed.configTags(),
        packed.profiles().stream()
            .filter(p -> p.isBaseline() || candidates.containsKey(p.name()))
            .toList(),
        new Plan("test", waves, List.of(), candidates, List.of()),
        packed.budget(),
        packed.policy(),
        packed.playbook(),
        List.of());
  }

  private static SweepSpec packed() {
    String text =
        """
        model: m
        parallelism: PP=8
        slot: {nodelist: "n[1-8]"}
        workload: {kind: maxtext, repository: /opt/tuning}
        """;
    try {
      return SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("nowhere/sweep.yaml")))
          .onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
    } catch (InvalidInputException e) {
      throw new AssertionError(e);
    }
  }

  private static Wave screen(String name, List<String> profiles) {
    return new Wave(
        name, Wave.Kind.SCREEN, profiles, Wave.When.ALWAYS, 1, Statement.words("flags"));
  }

  /** Profiles that first ran in the wave; contenders may run again beside them. */
  private static List<String> screened(SweepState s, String wave) {
    Map<String, String> first = new LinkedHashMap<>();
    s.trials().values().stream()
        .map(t -> t.trial())
        .filter(t -> t.purpose() == Trial.Purpose.SCREEN)
        .forEach(t -> first.putIfAbsent(t.profile(), t.wave()));
    return first.entrySet().stream()
        .filter(e -> e.getValue().equals(wave))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static int first(List<Entry> entries, Predicate<Event> which) {
    for (int i = 0; i < entries.size(); i++) {
      if (which.test(entries.get(i).event())) {
        return i;
      }
    }
    return Integer.MAX_VALUE;
  }
}
