package io.nightsweep.sim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.BoardMemo;
import io.nightsweep.conductor.Conductor;
import io.nightsweep.evidence.Evidence;
import io.nightsweep.evidence.Samples;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.report.EventLines;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.ReportTexts;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Chinese report contains no English sentence of Nightsweep's. */
@Tag("shipped")
@Tag("slow")
class ChineseReportTest {
  /**
   * Names, quotes and settings are code; a person's own words and a file's path are not sentences.
   */
  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|(`+).*?\\1");

  private static final Pattern SENTENCE =
      Pattern.compile("[A-Za-z][a-z']+(?:[ ,]+[A-Za-z][a-z']*){2,}");

  /** Nights that two tests read. */
  private static final Map<String, List<Entry>> WALKED = new HashMap<>();

  private static List<Entry> walked(Map.Entry<String, Callable<List<Entry>>> night)
      throws Exception {
    List<Entry> known = WALKED.get(night.getKey());
    if (known == null) {
      known = night.getValue().call();
      WALKED.put(night.getKey(), known);
    }
    return known;
  }

  @Test
  void nightsOfEveryKindReadChinese() throws Exception {
    readChinese("quiet-1|faulty-[1-8]|evidence-.*|advised-1|rough-1?[1-9]");
  }

  @Tag("night")
  @Test
  void everyRoughNightReadsChinese() throws Exception {
    readChinese("rough-.*");
  }

  private static void readChinese(String nights) throws Exception {
    for (Map.Entry<String, Callable<List<Entry>>> night : GoldenNights.all().entrySet()) {
      if (night.getKey().matches(nights)) {
        assertThat(english(SweepState.fold(walked(night)))).as(night.getKey()).isEmpty();
      }
    }
  }

  @Test
  void nightsOfTunedCellsReadChinese() {
    assertThat(english(ReportTexts.fsdp())).isEmpty();
    assertThat(english(ReportTexts.pp())).isEmpty();
  }

  /** By the pattern, two words are not a sentence. */
  @Test
  void theLargestResultOfACollectiveReadsChinese() {
    assertThat(
            Phrases.ZH.text(
                Statement.phrase(
                    "receives",
                    Statement.row(
                        ", ",
                        Statement.phrase("largest", "all-reduce 2.8 MiB", "1.1 MiB"),
                        Statement.phrase("largest", "all-to-all 1.0 KiB", "256.0 KiB")))))
        .isEqualTo("每个设备每步接收：all-reduce 2.8 MiB（最大结果 1.1 MiB）, all-to-all 1.0 KiB（最大结果 256.0 KiB）");
  }

  /**
   * The texts of 'explain' and of the page for every event and for every decision that led to one.
   */
  @Test
  void explanationsReadChinese() throws Exception {
    Set<String> english = new TreeSet<>();
    for (Map.Entry<String, Callable<List<Entry>>> night : GoldenNights.all().entrySet()) {
      if (night.getKey().matches("faulty-[1-3]|evidence-.*|advised-1|packed PP.*|rough-[1-6]")) {
        SweepState s = SweepState.empty();
        BoardMemo memo = new BoardMemo();
        for (Entry e : walked(night)) {
          english.addAll(english(EventLines.of(e.event(), Phrases.ZH), e.event()));
          if (s.startedSpec().isPresent() && !(e.event() instanceof Event.AttemptProgressed)) {
            for (Decision decision : Conductor.decide(s, e.at(), memo)) {
              english.addAll(english(Phrases.ZH.text(decision.because()), e.event()));
            }
          }
          s = s.apply(e);
        }
      }
    }
    assertThat(english).isEmpty();
  }

  /** Sentences except those by a person, a job or the cluster, and names that people gave. */
  private static Set<String> english(String words, Event event) {
    String said =
        switch (event) {
          case Event.AttemptJudged e -> quotes(e.judgement());
          case Event.ClusterUnreachable e -> e.error();
          case Event.StorageFailed e -> e.error();
          case Event.NoticeUnsent e -> Phrases.ZH.text(e.because());
          default -> "";
        };
    return SENTENCE
        .matcher(words)
        .results()
        .map(m -> m.group())
        .filter(sentence -> !said.contains(sentence))
        // A simulated workload's own words.
        .filter(sentence -> !sentence.equals("not in this build"))
        .collect(Collectors.toSet());
  }

  private static String quotes(Judgement judgement) {
    return judgement instanceof Judgement.Failed failed
        ? failed.diagnosis().quotes().stream().map(q -> q.text()).collect(Collectors.joining("\n"))
        : "";
  }

  /** Every wave of the packed plan, and all that the rules say about real evidence. */
  @ParameterizedTest
  @ValueSource(strings = {"FSDP=8", "PP=8", "TP=8", "PP=4,FSDP=2"})
  void thePackedPlanAndRealEvidenceReadChinese(String parallelism, @TempDir Path job)
      throws Exception {
    SweepSpec spec = packed(parallelism);
    Files.copy(
        Samples.file("module.jit_train_step.gpu_after_optimizations.txt"),
        job.resolve("module_0001.jit_train_step.sm_9.0_gpu_after_optimizations.txt"));
    try (InputStream packed =
        new GZIPInputStream(Files.newInputStream(Samples.file("sample.xplane.pb.gz")))) {
      Files.copy(packed, job.resolve("node.xplane.pb"));
    }
    AttemptId attempt = new AttemptId(new TrialId(1), 1);
    List<Finding> findings =
        new ArrayList<>(Evidence.of(attempt, "7", List.of(job), spec.profiles(), 2));
    findings.addAll(Evidence.of(attempt, "8", List.of(job.resolve("empty")), spec.profiles(), 2));
    assertThat(findings).extracting(Finding::kind).contains(Finding.DOMINANT, Finding.MECHANISMS);
    SweepState s =
        SweepState.empty()
            .apply(new Entry(1, Instant.EPOCH, new Event.SweepStarted("packed", 1, spec)));
    for (Finding finding : findings) {
      s = s.apply(new Entry(s.seq() + 1, Instant.EPOCH, new Event.FindingMade(finding)));
    }
    assertThat(english(s)).isEmpty();
  }

  /** Each of these files is unreadable for a different reason. */
  @Test
  void evidenceThatCannotBeReadReadsChinese(@TempDir Path root) throws Exception {
    String dump = "module_0001.jit_train_step.sm_9.0_gpu_after_optimizations.txt";
    byte[] module =
        Files.readAllBytes(Samples.file("module.jit_train_step.gpu_after_optimizations.txt"));
    Map<String, byte[]> damaged =
        Map.of(
            "empty/" + dump,
            new byte[0],
            "prose/" + dump,
            "no module\n".getBytes(UTF_8),
            "cut/" + dump,
            Arrays.copyOf(module, module.length / 2),
            "early/" + dump,
            Arrays.copyOf(module, 200),
            "profile/node.xplane.pb",
            "no profile".getBytes(UTF_8),
            "trace/node.trace.json.gz",
            zipped("{}"));
    AttemptId attempt = new AttemptId(new TrialId(1), 1);
    for (Map.Entry<String, byte[]> file : damaged.entrySet()) {
      String[] name = file.getKey().split("/");
      Path folder = Files.createDirectories(root.resolve(name[0]));
      Files.write(folder.resolve(name[1]), file.getValue());
      List<Path> job = List.of(folder);
      List<Finding> findings = new ArrayList<>(Evidence.of(attempt, "7", job, List.of(), 2));
      findings.add(Evidence.programOf(attempt, "7", job));
      assertThat(findings)
          .as(file.getKey())
          .allSatisfy(
              f ->
                  assertThat(SENTENCE.matcher(Phrases.ZH.text(f.statement())).results())
                      .as(f.statement().toString())
                      .isEmpty());
    }
  }

  private static byte[] zipped(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(UTF_8));
    }
    return packed.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "the build cannot parse --xla_gpu_a=x",
        "no kernel 'a'; there are b, c",
        "'gpusPerTask' is 'x'; expected a whole number of at most four digits",
        "the model's configuration has no per_device_batch_size; find it by a batch-size sweep"
            + " first, and set workload.per_device_batch_size",
        "asked n1 to resume; usable again",
        "not resumed, since somebody set it aside for a reason of their own: DIMM",
        "n1: 1 of 2 links active; n2: 2 of 2 links active",
        "rank 3 on n1: line 7 says 'x', exit code 1",
        "its files were not read within 15 minutes"
      })
  void whatARefusalOrARemedySaysReadsChinese(String english) {
    assertThat(SENTENCE.matcher(Phrases.ZH.said(english)).results()).isEmpty();
    assertThat(Phrases.ZH.said(english)).containsPattern("\\p{IsHan}");
  }

  private static List<String> english(SweepState s) {
    String page = CODE.matcher(ReportTexts.chinese(s)).replaceAll("``");
    return SENTENCE.matcher(page).results().map(m -> m.group()).distinct().toList();
  }

  private static SweepSpec packed(String parallelism) throws Exception {
    String text =
        """
        model: deepseek3-671b
        parallelism: %s
        slot: {nodelist: "n[1-2]"}
        workload: {kind: maxtext, repository: /opt/tuning}
        """
            .formatted(parallelism);
    return SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("nowhere/sweep.yaml")))
        .onPaper(ZonedDateTime.parse("2026-03-02T19:00:00+01:00"));
  }
}
