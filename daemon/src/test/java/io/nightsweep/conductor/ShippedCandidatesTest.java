package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.advisor.AdvisedProfile;
import io.nightsweep.advisor.Advisor;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sim.ShippedWinner;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Catalog;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which candidates of the packed plan and catalogs suit a cell. */
@Tag("shipped")
class ShippedCandidatesTest {
  private static final AttemptId ATTEMPT = new TrialId(1).attempt(1);

  @TempDir Path repository;

  /**
   * Candidates that conflict according to a catalog, and two values of one setting, never stack.
   */
  @ParameterizedTest
  @ValueSource(strings = {"FSDP=8", "PP=8", "TP=8"})
  void stacksHoldTheCatalogsConflicts(String parallelism) throws Exception {
    SweepSpec spec = ShippedWinner.spec(repository, parallelism);
    SweepState s = new Story(spec).state();
    List<String> names = List.copyOf(spec.plan().candidates().keySet());
    int refused = 0;
    for (String one : names) {
      for (String other : names) {
        boolean apart = isDeclared(spec, one, other) || isDeclared(spec, other, one);
        boolean twice = !Set.copyOf(keys(s.profile(one))).equals(minus(s, one, other));
        assertThat(Stacks.fit(s, s.profile(one), s.profile(other)))
            .as("%s with %s", one, other)
            .isEqualTo(!apart && !twice);
        refused += apart ? 1 : 0;
      }
    }
    assertThat(refused).isPositive();
  }

  /**
   * The ends of a chain of conflicts fit together; a person's own value counts as the catalog's
   * setting.
   */
  @Test
  void conflictsHoldForSettingsWhateverTheProfileIsCalled() throws Exception {
    String entry =
        """
          - id: %1$s
            env: %1$s_SIZE
            type: integer
            values: [4]
            parallelisms: {any: {sign: mixed, why: who knows}}
            conflicts: [%2$s]
            about: a link of a chain
        """;
    Files.writeString(
        Files.createDirectories(repository.resolve("flags")).resolve("chain.yaml"),
        "about: a chain\nentries:\n"
            + entry.formatted("a", "b")
            + entry.formatted("b", "c")
            + entry.formatted("c", "b"));
    SweepSpec spec =
        SweepFile.parse(
                "sweep.yaml",
                """
                model: m
                parallelism: ranks=1
                slot: {nodelist: n1}
                workload: {kind: command, command: echo, pattern: '(?<step>\\d+) (?<value>\\d+)', steps: 9}
                metric: {name: speed, better: higher}
                catalogs: [chain]
                profiles: {mine: {env: {a_SIZE: 7, OTHER: 1}}}
                plan: {waves: [{name: all, kind: screen, select: {from: [profiles, catalogs]}}]}
                """,
                Resources.below(repository))
            .onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
    SweepState s = new Story(spec).state();
    for (String first : List.of("a", "mine")) {
      assertThat(Stacks.fit(s, s.profile(first), s.profile("b"))).as(first + ", b").isFalse();
      assertThat(Stacks.fit(s, s.profile("b"), s.profile(first))).as("b, " + first).isFalse();
      assertThat(Stacks.fit(s, s.profile(first), s.profile("c"))).as(first + ", c").isTrue();
    }
  }

  /** The published leaders: three values of one threshold, and two others. */
  @Test
  void theStackWaveTriesOnlyWhatFitsTogether() throws Exception {
    Story story = new Story(ShippedWinner.spec(repository, "FSDP=8"));
    Map<String, Double> values =
        Map.of(
            "ag-512M",
            1110.0,
            "ag-1G",
            1108.0,
            "ag-rs-1G",
            1106.0,
            "chan-8",
            1050.0,
            "prio",
            1030.0);
    measured(story, Trial.Purpose.CONTROL, "baseline", Map.of(Profile.BASELINE, 1000.0));
    measured(story, Trial.Purpose.SCREEN, "flags-1", values);
    assertThat(Stacks.of(story.view()))
        .extracting(Profile::parts)
        .containsExactly(List.of("ag-512M", "chan-8"), List.of("ag-512M", "chan-8", "prio"));
  }

  /** A threshold is checked against the collective that it combines, and a buffer against none. */
  @Test
  void bytesOfOneCollectiveMakeCandidatesOfItsOwnThresholdAlone() throws Exception {
    SweepSpec spec = ShippedWinner.spec(repository, "FSDP=8");
    Story story = new Story(spec);
    measured(story, Trial.Purpose.CONTROL, "baseline", Map.of(Profile.BASELINE, 1000.0));
    TreeMap<String, Double> nothing = new TreeMap<>();
    spec.plan().candidates().keySet().forEach(c -> nothing.put(c, 1000.0));
    measured(story, Trial.Purpose.SCREEN, "flags-1", nothing);
    List<Profile> before = proposed(story);
    story.told(
        finding(
            Finding.THRESHOLD,
            Map.of("all-gather", 20e6, "largest bytes", 20e6, "smallest bytes", 5.0)));
    List<Profile> more = proposed(story).stream().filter(p -> !before.contains(p)).toList();
    assertThat(more)
        .as("a value below 20 MB and one above")
        .hasSizeGreaterThan(1)
        .allMatch(p -> keys(p).contains("--xla_gpu_all_gather_combine_threshold_bytes"))
        .allMatch(p -> p.env().isEmpty())
        .noneMatch(p -> keys(p).equals(Set.of("--xla_gpu_reduce_scatter_combine_threshold_bytes")));
  }

  /** Even if larger buffers do well, none is proposed beyond the catalog's range. */
  @Test
  void aLeadingBufferIsRefinedWithinTheCatalogsRange() throws Exception {
    Story story = new Story(ShippedWinner.spec(repository, "FSDP=8"));
    measured(story, Trial.Purpose.CONTROL, "baseline", Map.of(Profile.BASELINE, 1000.0));
    measured(story, Trial.Purpose.SCREEN, "flags-1", Map.of("buff16M", 1020.0));
    List<String> sizes = new ArrayList<>();
    for (String wave : List.of("flags-2", "flags-3", "race")) {
      List<Profile> buffers =
          proposed(story).stream().filter(p -> p.env().containsKey("NCCL_BUFFSIZE")).toList();
      TreeMap<String, Double> better = new TreeMap<>();
      for (Profile buffer : buffers) {
        story.told(new Event.ProfileAdded(buffer));
        sizes.add(buffer.env().get("NCCL_BUFFSIZE"));
        better.put(buffer.name(), 1020.0 + 10 * sizes.size());
      }
      measured(story, Trial.Purpose.SCREEN, wave, better);
    }
    assertThat(sizes).contains("33554432", "67108864").doesNotContain("134217728");
  }

  /** On this step every candidate of the permute still has an effect. */
  @Test
  void aPermuteThatIsCompiledIntoSendsAndReceivesIsStillAPermute() throws Exception {
    SweepSpec spec = ShippedWinner.spec(repository, "PP=8");
    List<String> ofThePermute =
        spec.plan().candidates().entrySet().stream()
            .filter(c -> c.getValue().mechanisms().contains("collective-permute"))
            .map(Map.Entry::getKey)
            .toList();
    assertThat(ofThePermute).contains("cpd-1G", "mb-x2");
    Story story =
        new Story(spec)
            .told(
                finding(Finding.MECHANISMS, Map.of("send", 14.0, "recv", 14.0, "while-loop", 1.0)));
    story.decisions(Mechanisms::judge).forEach(d -> story.told(Story.event(d)));
    SweepState s = story.state();
    assertThat(s.dropped().keySet()).isNotEmpty().doesNotContainAnyElementsOf(ofThePermute);
    assertThat(ofThePermute).allMatch(p -> ActsOn.acts(s, p, "send"));
    assertThat(ActsOn.acts(s, "ovl-2", "recv")).isTrue();
  }

  /**
   * The env file's XLA_FLAGS and the flags that the compiler received, which include the image's
   * own.
   */
  @Test
  void whatTheEnvFileOrTheImageSetsAlreadyIsNoCandidate() throws Exception {
    Story story =
        new Story(ShippedWinner.spec(repository, "FSDP=8"))
            .told(
                new Event.InventoryTaken(
                    List.of(
                        new Fact(
                            "deepseek3-671b.env.sh: XLA_FLAGS",
                            "\"$XLA_FLAGS"
                                + " --xla_gpu_all_gather_combine_threshold_bytes=1073741824\"",
                            false))),
                finding(
                    Finding.FLAGS,
                    Map.of(
                        "xla_gpu_enable_latency_hiding_scheduler", 1.0,
                        "xla_gpu_enable_highest_priority_async_stream", 0.0,
                        "options", 3.0)));
    story.decisions(Mechanisms::judge).forEach(d -> story.told(Story.event(d)));
    assertThat(story.state().dropped()).containsOnlyKeys("ag-1G", "lhs");
    assertThat(story.state().dropped().values()).allMatch(d -> d.cause() == DropCause.ALREADY_SET);
  }

  private static List<Profile> proposed(Story story) {
    return Advisor.next(story.state(), story.view().board(), 100).stream()
        .map(AdvisedProfile::profile)
        .toList();
  }

  private static Event finding(String kind, Map<String, Double> figures) {
    return new Event.FindingMade(
        new Finding(
            ATTEMPT,
            kind,
            Statement.words("as read"),
            List.of("job 1: step.txt"),
            new TreeMap<>(figures)));
  }

  /** Three runs of each. */
  private static void measured(
      Story story, Trial.Purpose purpose, String wave, Map<String, Double> values) {
    String[] profiles =
        values.keySet().stream().flatMap(p -> Stream.of(p, p, p)).toArray(String[]::new);
    int from = story.state().nextTrial().number();
    story.opened(wave, purpose, profiles);
    for (int i = 0; i < profiles.length; i++) {
      AttemptId attempt = new TrialId(from + i).attempt(1);
      double value = Objects.requireNonNull(values.get(profiles[i])) * (1 + 0.004 * (i % 3 - 1));
      story
          .submitted(attempt)
          .judged(
              attempt,
              new Judgement.Measured(new Measurement(value, List.of(), 0, 0, new TreeMap<>())))
          .told(new Event.TrialClosed(attempt.trial(), new Disposition.Measured(attempt)));
    }
  }

  private static boolean isDeclared(SweepSpec spec, String one, String other) {
    return entry(spec, one).conflicts().contains(entry(spec, other).id());
  }

  private static Catalog.CatalogEntry entry(SweepSpec spec, String profile) {
    Plan.Candidate candidate = spec.plan().candidates().get(profile);
    return spec.catalogs().stream()
        .flatMap(c -> c.entries().stream())
        .filter(e -> e.id().equals(Objects.requireNonNull(candidate).entry()))
        .findFirst()
        .orElseThrow();
  }

  private static Set<String> minus(SweepState s, String one, String other) {
    Set<String> left = new HashSet<>(keys(s.profile(one)));
    left.removeAll(keys(s.profile(other)));
    return left;
  }

  private static Set<String> keys(Profile profile) {
    Set<String> keys = new HashSet<>(profile.flags().keySet());
    keys.addAll(profile.env().keySet());
    keys.addAll(profile.overrides().keySet());
    return keys;
  }
}
