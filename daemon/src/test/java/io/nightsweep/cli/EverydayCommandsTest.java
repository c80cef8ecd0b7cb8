package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.ScheduledStart;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.UnsyncedJournal;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.report.Quantity;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Response;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.Surface;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people type every day does what they expect. */
@Tag("people")
class EverydayCommandsTest {
  private static final List<Entry> NIGHT = night(0.08, 7);
  private static final Metric NIGHT_METRIC = SweepState.fold(NIGHT).spec().metric();

  @TempDir private Path dir;

  private record Said(int code, String out, String err) {}

  @Test
  void sweepsAreListedAndTheFinishedOnesRemoved() throws IOException {
    assertThat(say("sweeps").out()).contains("no sweep in");
    SweepDirectory done = sweep("done", NIGHT.size());
    SweepDirectory half = sweep("half", NIGHT.size() / 2);
    assertThat(say("sweeps").out().lines())
        .hasSize(3)
        .anyMatch(l -> l.matches("done +winner +2026-01-01 \\d\\d:00 +p3 \\+8\\.\\d %"))
        .anyMatch(l -> l.matches("half +no daemon +2026-01-01 \\d\\d:00"));
    assertThat(say("clean").code()).isEqualTo(ExitCode.USAGE);
    Said refused = say("clean", "done", "half");
    assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(refused.err()).contains("nightsweep stop --sweep half");
    assertThat(done.root()).exists();
    Said asked = say("clean", "--all");
    assertThat(asked.code()).isEqualTo(ExitCode.USAGE);
    assertThat(asked.err())
        .containsPattern("--all would remove 1 sweep, \\d[\\d.]* [kM]B on disk: done; .*--yes");
    assertThat(done.root()).exists();
    assertThat(say("clean", "--all", "--yes").out().lines())
        .containsExactly("kept half, which has not finished", "removed done");
    assertThat(say("clean", "--all").out()).contains("no sweep in ", " has finished");
    assertThat(done.root()).doesNotExist();
    assertThat(half.root()).exists();
    assertThat(say("clean", "nosuch").code()).isEqualTo(ExitCode.NOT_FOUND);
  }

  /** Two jobs at once on two names of one machine slow each other down. */
  @Test
  void aStartSaysThatLocalNodesAreOneMachine() {
    SweepSpec sweep = Specs.kernels(2, Optional.of(9)).on(List.of("n1", "n2"));
    assertThat(StartCommand.nodes(sweep, true)).isEqualTo("n[1-2] (frozen from here on)");
    assertThat(StartCommand.nodes(sweep, false))
        .contains("all nodes are this machine, and jobs on several share its ");
  }

  /** What goes on stands first, then what people look for in the morning. */
  @Test
  void unfinishedSweepsAreListedFirstAndThenTheLatest() throws IOException {
    sweep("c-tonight", NIGHT.size());
    night(
        "a-yesterday",
        NIGHT.stream()
            .map(e -> new Entry(e.seq(), e.at().minus(Duration.ofDays(1)), e.event()))
            .toList());
    night(
        "b-goes-on",
        NIGHT.subList(0, NIGHT.size() / 2).stream()
            .map(e -> new Entry(e.seq(), e.at().minus(Duration.ofDays(2)), e.event()))
            .toList());
    String listed = say("sweeps").out();
    assertThat(listed.lines().map(line -> line.split(" ")[0]))
        .containsExactly("b-goes-on", "c-tonight", "a-yesterday", "no");
    // As the journal of a killed daemon has it, the sweep still runs.
    assertThat(listed)
        .containsPattern("b-goes-on +no daemon ")
        .contains("go on: nightsweep start")
        .doesNotContain("running");
  }

  /** A later sweep of the same name would find jobs of its names in the queue. */
  @Test
  void theQueueOfThisMachineForgetsTheJobsOfARemovedSweep() throws IOException {
    Path gone = job(1, sweep("done", NIGHT.size()));
    Path stays = job(2, sweep("half", NIGHT.size() / 2));
    assertThat(say("clean", "done").code()).isZero();
    assertThat(gone).doesNotExist();
    assertThat(stays).exists();
  }

  /** A job that ran for a second, as the queue keeps it. */
  private Path job(int id, SweepDirectory sweep) throws IOException {
    Path queue = Files.createDirectories(dir.resolve("state").resolve("local"));
    return Files.writeString(
        queue.resolve(id + ".json"),
        """
        {"id":%d,"name":"ns-%s-t0001a1","user":"me","nodes":["n1"],"directory":"%s","limitMillis":1000,
         "pid":1,"birth":1,"startedAt":1000,"endedAt":2000,"cancelledAt":0,"overtimeAt":0}
        """
            .formatted(id, sweep.id(), sweep.job(AttemptId.parse("t0001a1")).directory()));
  }

  /** Jobs leave paths that no single call of the system takes, and what nobody can remove. */
  @Test
  @Tag("guard")
  void whatAJobLeftHoldsUpTheRemovalOfItsOwnSweepAlone() throws Exception {
    SweepDirectory busy = sweep("busy", NIGHT.size());
    SweepDirectory deep = sweep("deep", NIGHT.size());
    Path jobs = Files.createDirectories(deep.root().resolve("jobs"));
    shell("cd " + jobs + " && mkdir -p $(printf '%0200d/' $(seq 40))");
    Path mounted = Files.createDirectories(busy.root().resolve("jobs").resolve("t0001a1"));
    shell("mount -t tmpfs -o size=64k tmpfs " + mounted);
    try {
      Said said = say("clean", "--all", "--yes");
      assertThat(said.code()).isEqualTo(ExitCode.FAILED);
      assertThat(said.out().lines()).containsExactly("removed deep");
      assertThat(said.err()).contains("busy could not be removed", mounted.toString());
      assertThat(deep.root()).doesNotExist();
      assertThat(say("sweeps").out()).as("what is left is known").contains("busy");
    } finally {
      shell("umount " + mounted);
    }
    assertThat(say("clean", "busy").code()).isEqualTo(ExitCode.OK);
    assertThat(busy.root()).doesNotExist();
  }

  private static void shell(String line) throws Exception {
    assertThat(new ProcessBuilder("sh", "-c", line).inheritIO().start().waitFor()).isZero();
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
    List<Entry> entries =
        NIGHT.stream()
            .map(
                e ->
                    e.event() instanceof Event.SweepStarted begun
                        ? new Entry(
                            e.seq(),
                            e.at(),
                            new Event.SweepStarted(
                                begun.sweep(), begun.seed(), withOverrides(begun.spec())))
                        : e)
            .toList();
    night("overrides", entries);
    say("report");
    assertThat(say("status").out())
        .contains("  to deploy: set BATCH=3 (settings of the workload)\n")
        .doesNotContain("env.sh");
  }

  private static SweepSpec withOverrides(SweepSpec spec) {
    return new SweepSpec(
        spec.cell(),
        spec.workload(),
        spec.settings(),
        spec.metric(),
        spec.configTags(),
        spec.profiles().stream()
            .map(
                p ->
                    p.isBaseline()
                        ? p
                        : Profile.of(
                            p.name(), Map.of(), Map.of(), Map.of("BATCH", p.name().substring(1))))
            .toList(),
        spec.plan(),
        spec.budget(),
        spec.policy(),
        spec.playbook(),
        spec.catalogs());
  }

  /** An empty answer leaves people in doubt whether something is broken. */
  @Test
  void whereNothingWasProfiledTheEvidenceSaysSoAndWhy() throws IOException {
    sweep("night", NIGHT.size());
    assertThat(say("report", "--evidence").out())
        .isEqualTo("no evidence: the plan kernels has no wave that profiles a run\n");
    assertThat(say("report", "--evidence", "--json").out()).isEmpty();
  }

  /** Five percent are the usual target, which nobody has to write down and so nobody knows. */
  @Test
  void aWaveThatTheTargetSparesSaysWhichTargetThatIs() throws IOException {
    sweep("night", NIGHT.size());
    String skipped = "skipped: the target gain of 5.0 % is reached";
    assertThat(say("status").out()).contains(skipped + " (policy.targetGain)");
    assertThat(say("report").out()).contains(skipped);
  }

  /** "Undecided" alone leaves people with nothing to do. */
  @Test
  void anUndecidedProfileIsExplainedWithWhatIsMissingAndWhatWouldDecide() throws IOException {
    int half = NIGHT.size() / 2;
    sweep("half", half);
    String undecided =
        Standings.board(SweepState.fold(NIGHT.subList(0, half))).standings().stream()
            .filter(st -> st.verdict() instanceof Verdict.Undecided)
            .map(Standing::profile)
            .findFirst()
            .orElseThrow();
    assertThat(say("explain", undecided).out())
        .containsPattern("why       (a single run decides nothing|its |\\d+ of \\d+ fresh runs)")
        .contains("next      the sweep runs it again where that may decide\n");
    sweep("done", NIGHT.size());
    assertThat(say("explain", "p3", "--sweep", "done").out()).doesNotContain("why  ", "next  ");
  }

  @Test
  void aProfileWhoseJobsCrashIsExplainedWithWhatToDo() throws IOException {
    Surface honest = Specs.surface(0.08, 0.002);
    List<Entry> entries =
        new Night(
                Specs.kernels(4, Optional.of(60)),
                new Surface() {
                  @Override
                  public double effect(Profile profile, String configTag) {
                    return honest.effect(profile, configTag);
                  }

                  @Override
                  public double baseline(String configTag) {
                    return honest.baseline(configTag);
                  }

                  @Override
                  public double drift(double hours) {
                    return honest.drift(hours);
                  }

                  @Override
                  public double noise(SplittableRandom random) {
                    return honest.noise(random);
                  }

                  @Override
                  public Optional<Response.Fails> failure(Profile profile, String configTag) {
                    return profile.name().equals("p2")
                        ? Optional.of(new Response.Fails("oom-gpu", 0.5))
                        : Optional.empty();
                  }
                },
                Faults.none(),
                Duration.ofMinutes(2),
                7)
            .run()
            .entries();
    night("crashed", entries);
    assertThat(say("explain", "p2").out())
        .containsPattern("failed    t\\d+a\\d+ as ")
        .contains("next      mend what its log shows; then start again\n");
    night(
        "goes-on",
        entries.stream().takeWhile(e -> !(e.event() instanceof Event.SweepFinished)).toList());
    assertThat(say("explain", "p2", "--sweep", "goes-on").out())
        .contains(
            "next      mend what its log shows; then try it again: nightsweep add --sweep goes-on"
                + " 'p2-again OMPI_MCA_knob=2'\n");
  }

  /** Whoever gave too little learns what would have done, wherever the end is told. */
  @Test
  void aBudgetThatWasTooSmallIsNamedAtTheEndWithOneThatWouldDo() throws Exception {
    List<Entry> starved =
        new Night(
                Specs.kernels(6, Optional.of(8)),
                Specs.surface(0.08, 0.002),
                Faults.none(),
                Duration.ofMinutes(4),
                7)
            .run()
            .entries();
    night("starved", starved);
    Pattern told =
        Pattern.compile(
            "The budget `?\\{jobs: 8, hours: 12\\.0}`? was too small for the plan; cut short: .*"
                + " By the jobs so far, `?\\{jobs: (\\d+), hours: 12\\.0}`? would carry all of it");
    for (String text : List.of(say("status").out(), say("report").out())) {
      assertThat(told.matcher(text).results().map(m -> Integer.valueOf(m.group(1))))
          .singleElement()
          .satisfies(jobs -> assertThat(jobs).isBetween(20, 60));
    }
    assertThat(say("explain", "p3").out())
        .containsPattern("why       .*; the budget ended before more could be made")
        .containsPattern("next      start again with 'budget: \\{jobs: \\d+, hours: 12.0}'");
    Said refused = say("budget", "--jobs", "40");
    assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(refused.err())
        .contains("no budget takes it up again; start it again with a larger 'budget' in its file");
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 60, 80})
  void aLongLineIsBrokenBetweenWordsAndKeepsPathsWhole(int columns) {
    String path = "/home/ann/.local/state/nightsweep/sweeps/zipper-ranks-2/jobs/t0001a1/job.log";
    String line =
        "  no-measurement: 0 of 8 lines match workload.pattern; try it on " + path + " now";
    List<String> parts = Wrapped.line(line, columns);
    assertThat(parts).hasSizeGreaterThan(1);
    assertThat(parts).filteredOn(part -> part.length() > columns).allMatch(p -> p.endsWith(path));
    assertThat(parts.subList(1, parts.size())).allMatch(part -> part.startsWith("      "));
    assertThat(String.join(" ", parts.stream().map(String::strip).toList()))
        .isEqualTo(line.strip());
    assertThat(Wrapped.line(line, Integer.MAX_VALUE)).containsExactly(line);
  }

  @Test
  void withoutAProfileExplainTellsHowTheSweepStands() throws IOException {
    sweep("done", NIGHT.size());
    assertThat(say("explain").out())
        .contains("p3 wins by +8.", "p3  wins: +8.", "p1  ")
        .doesNotContain("=>");
    assertThat(say("explain", "--last", "3").out()).contains("decided").doesNotContain("p3 wins");
    assertThat(say("explain", "nonesuch").err()).contains("'nonesuch'. Its profiles: ");
    List<Entry> starved =
        new Night(
                Specs.kernels(4, Optional.of(3)),
                Specs.surface(0.08, 0.002),
                Faults.none(),
                Duration.ofMinutes(4),
                7)
            .run()
            .entries();
    night("starved", starved);
    assertThat(say("explain", "p3", "--sweep", "starved").out())
        .contains("nothing was measured of it before the sweep ended");
    assertThat(say("status", "--sweep", "starved").out())
        .contains("cut  screen-1       0/", "no profile that was measured promises")
        .doesNotContain("[####################]");
  }

  /** Nothing is to be looked into where a person's word ended a job. */
  @Test
  void aJobThatWasCancelledWithItsProfileIsNoFailure() throws IOException {
    List<String> skipped = new ArrayList<>();
    List<Entry> entries =
        new Night(
                Specs.kernels(4, Optional.of(60)),
                Specs.surface(0.08, 0.002),
                Faults.none(),
                Duration.ofMinutes(2),
                7)
            .told(
                s ->
                    skipped.isEmpty()
                        ? s.inFlight().stream()
                            .map(a -> s.trial(a.id().trial()).trial())
                            .filter(t -> t.purpose() == Trial.Purpose.SCREEN)
                            .map(Trial::profile)
                            .filter(p -> !p.equals(Profile.BASELINE))
                            .findFirst()
                            .map(
                                p -> {
                                  skipped.add(p);
                                  return new Command.SkipProfile(p);
                                })
                        : Optional.empty())
            .run()
            .entries();
    assertThat(SweepState.fold(entries).attempts().filter(AttemptState::isCancelled)).isNotEmpty();
    night("skipped", entries);
    assertThat(say("status").out()).doesNotContain("failed");
    assertThat(say("explain", skipped.getFirst()).out())
        .contains("skipped")
        .doesNotContain("failed");
    assertThat(say("report").out()).contains("| cancelled |").doesNotContain("## Failures");
  }

  /** Runs that were under way when a profile left the race may say otherwise. */
  @Test
  void whatTheRaceSawStandsBehindWhatIsKnownNow() throws IOException {
    List<Entry> entries = new ArrayList<>(NIGHT.subList(0, NIGHT.size() - 1));
    entries.removeIf(e -> e.event() instanceof Event.SweepFinished);
    Entry last = entries.getLast();
    entries.add(
        new Entry(
            last.seq() + 1,
            last.at(),
            new Event.ProfileDropped(
                "p3",
                Event.ProfileDropped.DropCause.RACED_OUT,
                new Cause.RacedOut(-3.3, 1, 1, 0.01))));
    night("raced", entries);
    String left = "when it left the sweep: -3.30 % after 1 run; the chance of";
    assertThat(say("explain", "p3").out())
        .containsPattern(
            "verdict   now, by \\d+ runs, wins: \\+8\\.\\d+ % .*; " + Pattern.quote(left));
    assertThat(say("report").out())
        .containsPattern("`p3` .* left the race when its .* now it stands at \\+8\\.\\d+ % \\(")
        .doesNotContain("-3.30 %");
  }

  @Test
  void anExportNeverReplacesAFile() throws IOException {
    sweep("done", NIGHT.size());
    Path file = Files.writeString(dir.resolve("page.html"), "mine");
    Said said = say("page", "--export", file.toString());
    assertThat(said.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(said.err()).contains("is there already");
    assertThat(file).hasContent("mine");
  }

  @Test
  void aMistypedCommandNamesTheNearestOne() {
    Said said = plain("strat", "sweep.yaml");
    assertThat(said.code()).isEqualTo(ExitCode.USAGE);
    assertThat(said.err()).contains("there is no command 'strat'; did you mean 'start'?");
  }

  @Test
  void verboseIsTakenBehindTheCommandAsWell() {
    assertThat(say("sweeps", "-v").code()).isZero();
  }

  @Test
  void aManualPageIsReadableOnATerminal() {
    String page = plain("man", "init").out();
    assertThat(page)
        .startsWith("NAME\n    nightsweep-init - Writes a commented starting sweep.yaml")
        .contains("\n    -o, --output FILE\n        Write here, ")
        .doesNotContainPattern("(?m)^\\.|\\\\");
    assertThat(page.lines()).allMatch(line -> line.length() <= 81);
  }

  @Test
  void helpCutsNoSentence() {
    String help = plain("help").out().replaceAll("\\s+", " ");
    assertThat(help)
        .contains("or a file of your own. Leaves a bundle of rows")
        .contains("the smallest gain that it finds")
        .contains("from a YAML file or as one in quotes.");
  }

  @Test
  void whatAnEncodingLacksIsWrittenInWhatItHas() {
    assertThat(shown("⭐ `p3` Δ +5 %…  ▁█▌ naïve 步", StandardCharsets.US_ASCII))
        .isEqualTo("* `p3` delta +5 %~  .## na?ve ?");
    assertThat(shown("⭐ naïve", StandardCharsets.ISO_8859_1)).isEqualTo("* naïve");
    String all = "⭐ Δ ▌ naïve 步 😀";
    assertThat(shown(all, StandardCharsets.UTF_8)).isEqualTo(all);
  }

  private static String shown(String text, Charset encoding) {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintWriter out =
        Transliterated.of(
            new PrintStream(written, true, StandardCharsets.UTF_8),
            encoding,
            () -> Integer.MAX_VALUE);
    out.print(text);
    out.flush();
    return written.toString(encoding);
  }

  @Test
  void completionLeavesFilesToTheShell() throws Exception {
    Path script = Files.writeString(dir.resolve("completion"), plain("completion").out());
    Files.createFile(dir.resolve("my-sweep.yaml"));
    Process bash =
        new ProcessBuilder(
                "bash", "--norc", "-c", "source '" + script + "' && complete -p nightsweep")
            .redirectErrorStream(true)
            .start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(said).isZero();
    assertThat(said).contains("-o default");
  }

  /** As the README and all hints write them. */
  @Test
  void whereJobsRunIsCompletedAndShownInSmallLetters() throws Exception {
    assertThat(plain("completion").out()).contains("\"slurm\" \"local\"").doesNotContain("SLURM");
    for (String command : List.of("init", "doctor", "start", "rehearse", "demo", "bench")) {
      assertThat(plain("help", command).out()).as(command).contains("slurm, local");
    }
  }

  @Test
  void onlyWhatActsOnASweepAsksWhichOne() throws Exception {
    for (String command :
        List.of("init", "doctor", "rehearse", "start", "demo", "bench", "serve", "compare")) {
      assertThat(plain("help", command).out())
          .as(command)
          .contains("--state")
          .doesNotContain("--sweep");
    }
    for (String command : List.of("status", "watch", "pause", "report", "explain", "page")) {
      assertThat(plain("help", command).out()).as(command).contains("--state=DIR", "--sweep=ID");
    }
  }

  @Test
  void helpBeginsWithWhatItIsForAndWhereToBegin() throws Exception {
    assertThat(plain("help").out().lines().limit(6).collect(Collectors.joining(" ")))
        .contains("Finds faster settings for a program", "nightsweep demo", "nightsweep init")
        .doesNotContain("cell");
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
    Said again = say("start", file.toString(), "--cluster", "local", "--at", "03:00");
    assertThat(again.code()).as(again.err()).isEqualTo(ExitCode.REFUSED);
    assertThat(again.err())
        .contains(
            "sweep.yaml is scheduled already, as 3, ",
            "to replace that: nightsweep schedule --remove 3, then this again");
  }

  @Test
  void twoNightsOfACellAreComparedWithIntervals() throws IOException {
    sweep("monday", NIGHT.size());
    night("tuesday", night(0.08, 8));
    night("wednesday", night(0.02, 9));
    String alike = say("compare", "monday", "tuesday").out();
    assertThat(alike)
        .containsPattern(
            "baseline of B over A: [+-]0\\.\\d % \\([+-]\\d\\.\\d to [+-]\\d\\.\\d %\\)")
        .containsPattern("p3 +\\+8\\.\\d % +\\d+ +\\+[78]\\.\\d % +\\d+")
        .doesNotContainPattern("p3.*changed");
    assertThat(say("compare", "monday", "wednesday").out())
        .containsPattern("p3.*\\(-.* to -.* %\\)  changed");
    assertThat(say("compare", "monday", "wednesday", "--json").out())
        .contains("\"profile\":\"p3\"", "\"lowPercent\":-");
    assertThat(alike).as("a single run").containsPattern("p\\d.* 1  [+-]\\d.*too few runs");
    assertThat(alike)
        .as("the gain that the report publishes")
        .contains(String.format(Locale.ROOT, "%+.1f", ((SweepEnding.Won) ending(NIGHT)).percent()));
    night("halted", NIGHT.subList(0, 1));
    assertThat(say("compare", "monday", "halted").out())
        .contains("baseline of B over A: not known, since one of them measured no baseline");
    Said unknown = say("compare", "monday", "tuesdy");
    assertThat(unknown.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(unknown.err()).contains("did you mean 'tuesday'?");
  }

  /** A baseline in MB/s over one in seconds is no figure. */
  @Test
  void sweepsOfOtherProgramsAreComparedWithoutAFigureOfTheirBaselines() throws IOException {
    Metric seconds = new Metric("busbwBytesPerSecond", "s", Metric.Better.LOWER);
    night("sorted", NIGHT);
    night("hashed", nightOf("openssl", seconds, "set -e\nopenssl speed\ndate"));
    night("timed", nightOf("openssl", seconds, "set -e\ntime openssl speed\ndate"));
    night("served", nightOf("nginx", NIGHT_METRIC, "set -e\nab -n 9"));
    assertThat(say("compare", "sorted", "served").out())
        .contains(
            "not the same  model: allreduce and nginx\n",
            "not the same  workload.command: - and set -e ...\n",
            "baseline of B over A: not told, since A and B measure different things\n");
    Said refused = say("compare", "sorted", "hashed");
    assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(refused.out()).doesNotContain("%");
    assertThat(refused.err())
        .contains(
            "sorted and hashed cannot be compared",
            "metric: busbwBytesPerSecond (B/s, higher is better) and busbwBytesPerSecond (s, lower is"
                + " better)");
    assertThat(say("compare", "hashed", "timed").out())
        .contains(
            "not the same  workload.command: ... openssl speed ... and ... time openssl speed"
                + " ...\n")
        .containsPattern("baseline of B over A: [+-]?0\\.0 %");
  }

  /** The same night of another cell. */
  private static List<Entry> nightOf(String model, Metric metric, String command) {
    return NIGHT.stream()
        .map(
            e ->
                e.event() instanceof Event.SweepStarted begun
                    ? new Entry(
                        e.seq(),
                        e.at(),
                        new Event.SweepStarted(
                            begun.sweep(),
                            begun.seed(),
                            specOf(model, metric, command, begun.spec())))
                    : e)
        .toList();
  }

  private static SweepSpec specOf(String model, Metric metric, String command, SweepSpec spec) {
    TreeMap<String, String> settings = new TreeMap<>(spec.settings());
    settings.put("command", command);
    return new SweepSpec(
        new Cell(model, spec.cell().parallelism(), spec.cell().nodes(), Optional.empty()),
        spec.workload(),
        settings,
        metric,
        spec.configTags(),
        spec.profiles(),
        spec.plan(),
        spec.budget(),
        spec.policy(),
        spec.playbook(),
        spec.catalogs());
  }

  private static SweepEnding ending(List<Entry> night) {
    return ((Phase.Finished) SweepState.fold(night).phase()).ending();
  }

  private SweepDirectory sweep(String id, int events) throws IOException {
    return night(id, NIGHT.subList(0, events));
  }

  private static List<Entry> night(double gain, int seed) {
    return new Night(
            Specs.kernels(4, Optional.of(60)),
            Specs.surface(gain, 0.002),
            Faults.none(),
            Duration.ofMinutes(2),
            seed)
        .run()
        .entries();
  }

  private SweepDirectory night(String id, List<Entry> entries) throws IOException {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    state.create();
    SweepDirectory directory = state.sweep(id);
    Files.createDirectories(directory.root());
    try (FileJournal journal = UnsyncedJournal.open(directory.journal(), e -> {})) {
      for (Entry entry : entries) {
        Event event =
            entry.event() instanceof Event.SweepStarted s
                ? new Event.SweepStarted(id, s.seed(), s.spec())
                : entry.event();
        journal.append(entry.at(), List.of(event));
      }
    }
    return directory;
  }

  private Said say(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--state", dir.resolve("state").toString()));
    Said said = plain(all.toArray(String[]::new));
    return new Said(said.code(), withoutFolder(said.out()), withoutFolder(said.err()));
  }

  /** Commands in texts name it, as {@link TypeableTest} shows. */
  private String withoutFolder(String said) {
    return said.replace(" --state " + dir.resolve("state"), "");
  }

  private static Said plain(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new Said(code, out.toString(), err.toString());
  }
}
