package io.nightsweep.report;

import static io.nightsweep.report.TuningNights.AG;
import static io.nightsweep.report.TuningNights.MODEL;
import static io.nightsweep.report.TuningNights.OVERLAP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.nightsweep.conductor.ActsOn;
import io.nightsweep.conductor.Standings;
import io.nightsweep.files.LockHolder;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.workload.maxtext.EnvPatchTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The report of a training cell: what the procedure requires, and how the report is extended. */
@Tag("xla")
@Tag("slow")
class TuningReportTest {
  /**
   * The sections that the procedure requires, in its order; sign flips if there is another
   * parallelism.
   */
  private static final List<String> REQUIRED =
      List.of(
          "TL;DR",
          "Inventory",
          "Effect of `configs/" + MODEL + ".env.sh` on PP=8",
          "Leaderboard",
          "Why the winning flag wins",
          "Negative findings",
          "Sign flips vs other parallelisms",
          "Recommended deployment",
          "Appendix: every attempt");

  @TempDir Path directory;

  @Test
  void everyRequiredSectionIsThereInTheProceduresOrder() throws Exception {
    String text = page(both(), "");
    List<String> headings =
        Pattern.compile("(?m)^## (.*)$").matcher(text).results().map(m -> m.group(1)).toList();
    assertThat(headings).containsSubsequence(REQUIRED);
    assertThat(page(both(), ".zh").lines().filter(l -> l.startsWith("## ")).count())
        .isEqualTo(headings.size());
    assertThat(text)
        .contains(
            "- Date: ", "- Model: ", "- Hardware: 2 nodes", "- Image: `", "- MaxText branch: `")
        .contains("- Base config: `configs/", "- `max_target_length`: `4096`", "- `steps`: `15`")
        .contains("- Metric: ", "over the steps 9 to 14", "| `" + MODEL + ".env.sh: NCCL_PROTO` |")
        .contains("⭐ **`ovl-2`** beats `baseline-deployed` by **+")
        .contains(
            "It wins because the step's greatest cost beside compute is `collective-permute` (30.0 % of the profiled window), which `"
                + OVERLAP
                + "=2` acts on.");
  }

  /** The winner may be any kind of profile: the rule depends on its settings. */
  @Test
  @Tag("shipped")
  void everyKindOfProfileIsExplainedByWhatTheCatalogsKnowOfItsSettings() {
    SweepState s = started("FSDP=8");
    assertThat(acting(s, Profile.of("ag-768M", Map.of(AG, "805306368"), Map.of(), Map.of())))
        .containsExactly(AG + "=805306368");
    assertThat(acting(s, Profile.of("mine", Map.of(OVERLAP, "3"), Map.of(), Map.of())))
        .containsExactly(OVERLAP + "=3");
    assertThat(acting(s, Profile.of("nccl", Map.of(), Map.of("NCCL_PROTO", "LL"), Map.of())))
        .containsExactly("NCCL_PROTO=LL");
    assertThat(acting(s, s.profile("ag-1G").stackedWith(s.profile("chan-8"))))
        .containsExactly(AG + "=1073741824", "NCCL_NCHANNELS_PER_NET_PEER=8");
    // The effect of another collective's threshold is no explanation.
    String rs = "--xla_gpu_reduce_scatter_combine_threshold_bytes";
    assertThat(acting(s, Profile.of("rs", Map.of(rs, "1"), Map.of(), Map.of()))).isEmpty();
    assertThat(acting(s, Profile.of("x", Map.of("--xla_nobody_knows", "1"), Map.of(), Map.of())))
        .isEmpty();
    Profile halved =
        Profile.of("mb-half", Map.of(), Map.of(), Map.of("num_pipeline_microbatches", "4"));
    assertThat(ActsOn.settings(started("PP=8"), halved, "idle"))
        .containsExactly("num_pipeline_microbatches=4");
  }

  /** As the packed plan expands the cell. */
  private static SweepState started(String parallelism) {
    return SweepState.empty()
        .apply(
            new Entry(
                1,
                Instant.EPOCH,
                new Event.SweepStarted("packed", 1, TuningNights.packed(parallelism))));
  }

  private static List<String> acting(SweepState s, Profile profile) {
    return ActsOn.settings(s, profile, "all-gather");
  }

  /** If only compute is worth tuning, the step does not explain the winner. */
  @Test
  void aStepOfComputeAloneExplainsNoWinner() throws Exception {
    SweepState s = TuningNights.pp();
    Finding compute =
        new Finding(
            s.findings().getFirst().attempt(),
            Finding.DOMINANT,
            Statement.words("compute takes 97.0 %"),
            List.of(),
            new TreeMap<>(Map.of("compute", 0.97)));
    SweepState bound =
        s.apply(new Entry(s.seq() + 1, s.lastEventAt(), new Event.FindingMade(compute)));
    assertThat(TuningReport.of(bound, List.of()))
        .contains("does not show why: `compute` takes 97.0 %")
        .doesNotContain("It wins because");
  }

  @Test
  void theLeaderboardHasTheProceduresColumnsAndMarksTheWinner() throws Exception {
    String text = page(both(), "");
    assertThat(text)
        .contains("| Profile | Flags | Mean (tok/s/device) | Step (s) | Δ vs baseline | Interval |")
        .containsPattern("\\| ⭐ `ovl-2` \\| `" + OVERLAP + "=2` \\| 1\\d{3}\\.\\d \\|");
  }

  @Test
  void theMechanismIsCitedByJobAndFile() throws Exception {
    SweepState s = both();
    String text = page(s, "");
    String job =
        s.attempts()
            .filter(a -> s.trialOf(a.id()).wave().equals("evidence"))
            .map(AttemptState::job)
            .findFirst()
            .orElseThrow()
            .orElseThrow()
            .value();
    assertThat(text)
        .contains("`job " + job + ": xla_dump/module_0001.jit_train_step.txt`")
        .contains("`job " + job + ": tensorboard/node.xplane.pb`");
  }

  @Test
  void signFlipsAreShownFlagByFlag() throws Exception {
    String text = page(both(), "");
    List<String> rows = text.lines().filter(l -> l.contains(" | FSDP=8 sgd-v3 | ")).toList();
    assertThat(rows).hasSize(5);
    assertThat(rows)
        .filteredOn(l -> l.startsWith("| `" + AG) || l.startsWith("| `" + OVERLAP))
        .as("the signs are opposite, and one run in a cell proves none")
        .hasSize(2)
        .allMatch(l -> l.endsWith(l.contains(" | - | ") ? "| within the intervals |" : "| yes |"));
    assertThat(rows).filteredOn(l -> l.contains("CHANNELS")).noneMatch(l -> l.endsWith("| yes |"));
  }

  @Test
  void thePatchSelectsEachCellsRecipe() throws Exception {
    both();
    Path patch = ReportWriter.patch(directory.resolve("pp"), TuningNights.pp());
    String bash = Files.readString(patch);
    assertThat(page(TuningNights.pp(), "")).contains(bash);
    assertThat(sourced(bash, "dcn_fsdp_parallelism: 8\nsparse_matmul: true\n"))
        .contains(AG + "=1073741824")
        .doesNotContain(OVERLAP);
    assertThat(sourced(bash, "dcn_fsdp_parallelism: 8\n")).contains(AG + "=1073741824");
    assertThat(sourced(bash, "dcn_pipeline_parallelism: 8\nsparse_matmul: true\n"))
        .contains(OVERLAP + "=2")
        .doesNotContain(AG);
    // On PP the winner regresses the dense tag, so nothing is set there.
    assertThat(sourced(bash, "dcn_pipeline_parallelism: 8\n")).isEqualTo("--xla_image=1");
    assertThat(page(TuningNights.pp(), "")).contains("| regresses |", "The recipe is conditional");
  }

  /** A result without a reference to code and image cannot be reproduced. */
  @Test
  void theReportTheFiguresAndThePatchSayWhatWasMeasured() throws Exception {
    SweepState s = both();
    Map<String, String> software =
        s.inventory().stream()
            .filter(Fact::headline)
            .collect(Collectors.toMap(Fact::name, Fact::value));
    assertThat(software).containsKeys("image", "MaxText branch");
    String signature =
        Files.readString(ReportWriter.patch(directory.resolve("pp"), s))
            .lines()
            .filter(l -> l.startsWith("# PP=8 was measured with: "))
            .findFirst()
            .orElseThrow();
    JsonNode told =
        new JsonMapper()
            .readTree(Files.readString(directory.resolve("pp/tuning.json")))
            .at("/cells/0/provenance");
    String head = page(s, "").substring(0, page(s, "").indexOf("## TL;DR"));
    software.forEach(
        (name, value) -> {
          assertThat(told.path(name).asText()).isEqualTo(value);
          assertThat(signature).contains(name + " " + value);
          assertThat(head).contains("`" + value + "`");
        });
  }

  @Test
  void chartsShowTheBoardTheBreakdownTheStepsAndTheMemory() throws Exception {
    both();
    String text = page(TuningNights.pp(), "");
    for (String chart : List.of("leaderboard", "breakdown", "steps", "memory", "timeline")) {
      Path png = directory.resolve("pp/charts/" + chart + ".png");
      assertThat(ImageIO.read(png.toFile()).getWidth()).isEqualTo(1000);
      assertThat(text).contains("](charts/" + chart + ".png)");
    }
  }

  /** They have English labels only if the machine has no font with Chinese characters. */
  @Test
  @Tag("people")
  void theChineseReportHasChartsWithChineseLabels() throws Exception {
    both();
    String text = Files.readString(directory.resolve("pp/" + MODEL + "-tuning.zh.md"));
    for (String chart : List.of("leaderboard", "breakdown", "steps", "memory", "timeline")) {
      assertThat(text).contains("](charts/" + chart + ".zh.png)");
      assertThat(directory.resolve("shared").resolve(MODEL + "-charts"))
          .isDirectoryRecursivelyContaining("glob:**/" + chart + ".zh.png");
      byte[] english = Files.readAllBytes(directory.resolve("pp/charts/" + chart + ".png"));
      byte[] chinese = Files.readAllBytes(directory.resolve("pp/charts/" + chart + ".zh.png"));
      assertThat(Arrays.equals(english, chinese)).as(chart).isNotEqualTo(Canvas.canShow("步"));
    }
  }

  /** A wander too small to see is not printed as "0.00 %". */
  @Test
  @Tag("people")
  void whatCannotBeSeenOfTheBaselineIsNoFigure() throws Exception {
    both();
    assertThat(Files.readString(directory.resolve("pp/" + MODEL + "-tuning.md")))
        .contains("0.04 % within a run); the baseline wandered by less than this noise can show");
    assertThat(Files.readString(directory.resolve("fsdp/" + MODEL + "-tuning.md")))
        .contains("the baseline wandered by 0.50 %");
  }

  @Test
  void theFiguresKeepToTheirSchema() throws Exception {
    both();
    for (Path file :
        List.of(
            directory.resolve("pp/tuning.json"),
            directory.resolve("shared/" + MODEL + "-tuning.json"))) {
      assertThat(
              SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                  .getSchema(SchemaLocation.of("classpath:templates/report/tuning.schema.json"))
                  .validate(new JsonMapper().readTree(Files.readString(file))))
          .isEmpty();
    }
    assertThat(TuningFile.read(Files.readString(directory.resolve("pp/tuning.json"))))
        .singleElement()
        .satisfies(c -> assertThat(c.cells()).isEqualTo(CellSummary.of(TuningNights.pp())));
  }

  /** A hand-written page is extended; it has both cells, and every link leads to a file. */
  @Test
  void aSecondParallelismExtendsThePageAndKeepsWhatAPersonWrote() throws Exception {
    Path shared = Files.createDirectories(directory.resolve("shared"));
    Path page = shared.resolve(MODEL + "-tuning.md");
    byte[] written = "# My notes\r\n\nkeep\tthis \u00e9 ".getBytes(StandardCharsets.ISO_8859_1);
    Files.write(page, written);
    both();
    assertThat(Files.readAllBytes(page)).startsWith(written);
    String text = new String(Files.readAllBytes(page), StandardCharsets.UTF_8);
    assertThat(text).contains("# " + MODEL + " FSDP=8: tuning", "# " + MODEL + " PP=8: tuning");
    assertThat(
            new ArrayList<>(
                Pattern.compile("\\]\\(([^)]*png)\\)").matcher(text).results().toList()))
        .hasSizeGreaterThan(8)
        .extracting(MatchResult::group)
        .allSatisfy(
            link -> assertThat(shared.resolve(link.substring(2, link.length() - 1))).exists());
    byte[] before = Files.readAllBytes(page);
    both();
    assertThat(Files.readAllBytes(page).length).isCloseTo(before.length, Offset.offset(4000));
    assertThat(TuningFile.read(Files.readString(shared.resolve(MODEL + "-tuning.json"))))
        .extracting(OtherCell::parallelism)
        .containsExactly("FSDP=8", "PP=8");
  }

  /** If an older sweep's report is requested again, it does not replace a newer one. */
  @Test
  void theLaterSweepOfACellCounts() throws Exception {
    both();
    Path shared = directory.resolve("shared");
    Path page = shared.resolve(MODEL + "-tuning.md");
    Path figures = shared.resolve(MODEL + "-tuning.json");
    long started = TuningNights.pp().startedAt().orElseThrow().toEpochMilli();
    Files.writeString(
        figures,
        Files.readString(figures)
            .replace("\"startedAtMillis\" : " + started, "\"startedAtMillis\" : " + (started + 1)));
    byte[] before = Files.readAllBytes(page);
    ReportWriter.write(directory.resolve("pp"), shared, TuningNights.pp());
    assertThat(Files.readAllBytes(page)).isEqualTo(before);
    assertThat(figures).content().contains("\"startedAtMillis\" : " + (started + 1));
  }

  /** The sweep's own pages show its state while the model's page is locked. */
  @Test
  @Tag("guard")
  @Timeout(120)
  void aLockThatAnotherProcessHoldsStopsNoReport() throws Exception {
    Path shared = Files.createDirectories(directory.resolve("shared"));
    Path own = directory.resolve("own");
    SweepState s = TuningNights.pp();
    try (LockHolder holder = LockHolder.of(shared.resolve("." + MODEL + ".lock"))) {
      assertThat(holder).isNotNull();
      assertThatThrownBy(() -> ReportWriter.write(own, shared, s))
          .hasMessageContaining("another process has held the lock");
    }
    assertThat(own.resolve(MODEL + "-tuning.md")).isRegularFile();
    assertThat(shared.resolve(MODEL + "-tuning.md")).doesNotExist();
    ReportWriter.write(own, shared, s);
    assertThat(shared.resolve(MODEL + "-tuning.md")).isRegularFile();
  }

  @Test
  void aPageThatIsALinkStaysOne() throws Exception {
    Path shared = Files.createDirectories(directory.resolve("shared"));
    Path elsewhere = Files.writeString(directory.resolve("mine.md"), "# Mine\n");
    Path page = Files.createSymbolicLink(shared.resolve(MODEL + "-tuning.md"), elsewhere);
    both();
    assertThat(page).isSymbolicLink();
    assertThat(elsewhere).content().startsWith("# Mine\n").contains("PP=8: tuning");
  }

  @Test
  void aFileOfFiguresThatIsNotOursIsLeftAlone() throws Exception {
    Path figures =
        Files.createDirectories(directory.resolve("shared")).resolve(MODEL + "-tuning.json");
    Files.writeString(figures, "{ \"mine\": tr");
    both();
    assertThat(figures).hasContent("{ \"mine\": tr");
  }

  /** The FSDP night's report and then the PP night's, on one page. */
  private SweepState both() throws Exception {
    Path shared = directory.resolve("shared");
    ReportWriter.write(directory.resolve("fsdp"), shared, TuningNights.fsdp());
    ReportWriter.write(directory.resolve("pp"), shared, TuningNights.pp());
    assertThat(Standings.winner(TuningNights.pp())).isPresent();
    return TuningNights.pp();
  }

  private String page(SweepState s, String suffix) throws Exception {
    return Files.readString(
        directory
            .resolve(s.cell().parallelism().equals("PP=8") ? "pp" : "fsdp")
            .resolve(MODEL + "-tuning" + suffix + ".md"));
  }

  @Test
  void anIntervalWithoutSenseIsNoBound() {
    Phrases t = Phrases.EN;
    assertThat(TuningReport.bound(t, 4, 0.02, "ag"))
        .isEqualTo(
            "Bounded: of 4 profiles that ran more than once, none can gain more than +2.02 % (`ag`) at the level of these intervals.");
    assertThat(TuningReport.bound(t, 4, 11.02, "ag"))
        .startsWith("Not bounded: the runs of 4 profiles are too few or too noisy")
        .doesNotContain("%");
  }

  /** A profile may lead without being confirmed: the text must not say that none is worth it. */
  @Test
  void aConfirmationThatIsNotOpenedDoesNotDenyTheLeader() {
    assertThat(Phrases.EN.text("why.need.profile_worth_confirming"))
        .isEqualTo("no profile leads by enough for the remaining jobs to confirm it");
  }

  private String sourced(String bash, String yml) throws Exception {
    return EnvPatchTest.sourced(
        directory, MODEL, bash, yml, "", "--xla_image=1", "source \"$1\"; source \"$1\"");
  }
}
