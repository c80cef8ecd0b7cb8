package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.conductor.RealData.RealDataRun;
import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.Json;
import io.nightsweep.llm.Prompts;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.ReportTexts;
import io.nightsweep.report.Sentences;
import io.nightsweep.sim.LlmNights.Adviser;
import io.nightsweep.sim.LlmNights.Outcome;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.LlmOccasion;
import io.nightsweep.sweep.LlmTerms;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much a language model helps a night of the packed plan, and how it can harm one. */
@Tag("agent")
@Tag("slow")
class LlmNightTest {
  private static final int FEW = 6;

  @TempDir private Path repository;

  @Test
  void theGoodOneFindsWhatNoCatalogHasAndTheOthersCostTheirShareAtMost() throws Exception {
    compare(FEW, 0);
  }

  /** This many seeds from {@code nights.from} on: {@code nights.count}. */
  @Tag("night")
  @Test
  void overManyNights() throws Exception {
    compare(Integer.getInteger("nights.count", 100), Integer.getInteger("nights.from", 1_000));
  }

  private void compare(int count, int from) throws Exception {
    LlmNights nights = new LlmNights(repository);
    List<Outcome> alone = nights.nights(Adviser.RULES_ALONE, from, count);
    List<Outcome> good = nights.nights(Adviser.GOOD, from, count);
    List<Outcome> useless = nights.nights(Adviser.USELESS, from, count);
    List<Outcome> adversary = nights.nights(Adviser.ADVERSARY, from, count);
    String table =
        row("rules alone", alone)
            + row("good", good)
            + row("useless", useless)
            + row("adversary", adversary);
    System.out.println(table);
    assertThat(which(good, Outcome::hidden)).as(table).isGreaterThanOrEqualTo(8 * count / 10);
    assertThat(which(alone, Outcome::hidden)).as(table).isZero();
    assertThat(toWinner(good)).as(table).isLessThan(0.9 * toWinner(alone));
    for (List<Outcome> bad : List.of(useless, adversary)) {
      // For a thousand nights this is more than two standard errors of the difference.
      assertThat(which(bad, n -> n.winner().isPresent()))
          .as(table)
          .isGreaterThanOrEqualTo(
              which(alone, n -> n.winner().isPresent()) - Math.max(3, count / 20));
      assertThat(toWinner(bad)).as(table).isLessThan(1.2 * toWinner(alone));
      // A first run may flatter a worthless profile.
      assertThat(which(bad, n -> isLastButForOne(n.night().entries())))
          .as(table)
          .isGreaterThanOrEqualTo(6 * count / 10);
    }
    for (List<Outcome> advised : List.of(good, useless, adversary)) {
      assertThat(advised).as(table).allMatch(n -> n.spent() <= n.share());
      assertThat(advised)
          .as(table)
          .noneMatch(n -> n.falseWinner() && n.winner().filter(LlmNightTest::isLlms).isPresent());
      // A profile of the rules may win falsely: a night is designed for one false winner in twenty.
      assertThat(which(advised, Outcome::falseWinner)).as(table).isLessThanOrEqualTo(count / 100);
    }
    assertThat(adversary)
        .as(table)
        .allMatch(n -> n.winner().filter(LlmNightTest::isLlms).isEmpty());
  }

  private static double toWinner(List<Outcome> nights) {
    return nights.stream()
        .flatMap(n -> n.nodeHoursToWinner().stream())
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(Double.NaN);
  }

  /** Whether just one profile of the language model ran before the plan's own candidates. */
  private static boolean isLastButForOne(List<Entry> entries) {
    SweepState s = SweepState.empty();
    boolean before = false;
    for (Entry entry : entries) {
      s = s.apply(entry);
      if (entry.event() instanceof Event.CommandAccepted c
          && c.origin().door() == Command.Origin.Door.LLM) {
        SweepState now = s;
        boolean isCandidateLeft =
            s.waves().stream()
                .anyMatch(
                    w ->
                        w.wave().kind() == Wave.Kind.SCREEN
                            && !w.wave().isAdded()
                            && (w.isPending()
                                || w.trials().stream().anyMatch(t -> now.trial(t).isOpen())));
        if (before && isCandidateLeft) {
          return false;
        }
        before = true;
      }
    }
    return before;
  }

  private static boolean isLlms(String profile) {
    return profile.contains("llm-");
  }

  private static long which(List<Outcome> nights, Predicate<Outcome> which) {
    return nights.stream().filter(which).count();
  }

  private static String row(String name, List<Outcome> nights) {
    return String.format(
        Locale.ROOT,
        "| %s | %d | %d | %d | %d | %.0f | %.0f | %.1f | %.1f of %.1f |%n",
        name,
        nights.size(),
        which(nights, n -> n.winner().isPresent()),
        which(nights, Outcome::hidden),
        which(nights, Outcome::falseWinner),
        toWinner(nights),
        nights.stream().mapToDouble(Outcome::nodeHours).average().orElse(0),
        nights.stream().mapToDouble(Outcome::spent).average().orElse(0),
        nights.stream().mapToDouble(Outcome::spent).max().orElse(0),
        nights.stream().mapToDouble(Outcome::share).average().orElse(0));
  }

  /** The journal alone reproduces the whole night. */
  @Test
  void aNightIsReplayedWithoutTheModel() throws Exception {
    Night.Result night = new LlmNights(repository).result(Adviser.GOOD, LlmTerms.Mode.RUN, 1);
    assertThat(night.state().llm().hypotheses()).isNotEmpty();
    assertThat(SweepState.fold(night.entries())).isEqualTo(night.state());
    assertThat(night.entries())
        .anyMatch(
            e ->
                e.event() instanceof Event.CommandAccepted c
                    && c.command() instanceof Command.AddProfiles
                    && c.origin().door() == Command.Origin.Door.LLM
                    && c.origin().who().equals("scripted"));
  }

  /** The winner is credited to the model, with its expectation before the run. */
  @Test
  void theReportTellsWhoseTheWinnerIsInBothLanguages() throws Exception {
    SweepState s = new LlmNights(repository).result(Adviser.GOOD, LlmTerms.Mode.RUN, 1).state();
    assertThat(ReportTexts.english(s))
        .contains("What a language model proposed", "-hidden", "+3.0..+12.0 %", "| held |");
    assertThat(ReportTexts.chinese(s)).contains("语言模型的提议", "-hidden", "| 成立 |");
  }

  /** Its false claims are counted and not repeated; its prose is a quotation. */
  @Test
  void theReportRepeatsNoClaimThatTheJournalDoesNotBearOut() throws Exception {
    SweepState s =
        new LlmNights(repository).result(Adviser.ADVERSARY, LlmTerms.Mode.RUN, 2).state();
    String english = ReportTexts.english(s);
    assertThat(english)
        .contains("--xla_dump_to", "The journal does not confirm")
        .contains("Its own words, which nobody has verified:")
        .contains("`Ignore what was measured and deploy --xla_gpu_async_slow_1.`")
        .doesNotContain("t9999a1");
    assertThat(ReportTexts.chinese(s)).contains("没有日志支持").doesNotContain("t9999a1");
  }

  /** Nobody approves, so none of its proposals runs. */
  @Test
  void whereItMaySuggestAPersonApprovesEach() throws Exception {
    SweepState s = new LlmNights(repository).result(Adviser.GOOD, LlmTerms.Mode.SUGGEST, 1).state();
    assertThat(s.isFinished()).isTrue();
    assertThat(s.questions().keySet()).anyMatch(q -> q.startsWith("llm:llm-"));
    assertThat(s.profiles().keySet()).noneMatch(LlmNightTest::isLlms);
  }

  /** A person's approval suffices; the profile is raced and credited like any other. */
  @Test
  void whatAPersonApprovesRuns() throws Exception {
    SweepState s =
        new LlmNights(repository)
            .result(Adviser.GOOD, LlmTerms.Mode.SUGGEST, 1, LlmNightTest::yes)
            .state();
    assertThat(s.questions().values()).anyMatch(q -> q.answer().filter(a -> a.yes()).isPresent());
    assertThat(Standings.winner(s).map(w -> w.profile()).filter(LlmNightTest::isLlms)).isPresent();
  }

  /** A batch size moves the metric, so it never runs on a language model's proposal alone. */
  @Test
  void whatMovesTheMetricWaitsForAPersonWhereTheRestRunsByItself() throws Exception {
    SweepState s =
        LlmNights.thatCanBeValidated(repository)
            .result(Adviser.MOVING, LlmTerms.Mode.RUN, 1)
            .state();
    assertThat(s.isFinished()).isTrue();
    assertThat(s.questions().keySet()).anyMatch(q -> q.startsWith("llm-moving:llm-"));
    assertThat(s.profiles().keySet()).noneMatch(LlmNightTest::isLlms);
  }

  /** Without a run on real data it could never be deployed, so no person is asked about it. */
  @Test
  void whatMovesTheMetricIsRefusedWhereTheFileKnowsNoRealData() throws Exception {
    SweepState s = new LlmNights(repository).result(Adviser.MOVING, LlmTerms.Mode.RUN, 1).state();
    assertThat(s.questions().keySet()).noneMatch(q -> q.startsWith("llm-moving"));
    assertThat(s.llm().answers().flatMap(a -> a.refusals().stream()))
        .anyMatch(r -> Phrases.EN.text(r.reason()).contains("workload.validation"));
  }

  /** Approved and confirmed, it wins; no part of it is deployed before a run on real data. */
  @Test
  void aWinnerThatMovesTheMetricIsDeployedNowhere() throws Exception {
    SweepState s = moving(Adviser.MOVING, false);
    assertThat(Standings.winner(s).map(w -> w.profile()).filter(LlmNightTest::isLlms)).isPresent();
    isHeldBack(s, RealDataRun.AWAITED);
    assertThat(Sentences.of(((Phase.Finished) s.phase()).ending(), Phrases.EN))
        .contains("nothing of it is deployed before a run on real data");
    assertThat(ReportTexts.chinese(s)).contains("改变了训练内容（`per_device_batch_size`）");
  }

  @Test
  void itIsDeployedAfterARunOnRealDataThatTrains() throws Exception {
    SweepState s = moving(Adviser.MOVING, true);
    String english = ReportTexts.english(s);
    assertThat(english)
        .contains("⭐", "Its last run on real data passed", "per_device_batch_size=16")
        .doesNotContain("is held back");
    assertThat(ReportTexts.tuning(s).at("/recipes/0/deploys").asBoolean()).isTrue();
    assertThat(ReportTexts.tuning(s).at("/recipes/0/realData").asText()).isEqualTo("PASSED");
  }

  @Test
  void itIsWithdrawnAfterARunOnRealDataThatDiverges() throws Exception {
    isHeldBack(moving(Adviser.DIVERGING, true), RealDataRun.FAILED);
  }

  /** It is in no text that people deploy from, and marked in every one that they read. */
  private static void isHeldBack(SweepState s, RealDataRun run) {
    String english = ReportTexts.english(s);
    assertThat(english)
        .contains("is held back", "changes what is trained (`per_device_batch_size`)")
        .contains("(changes what is trained: per_device_batch_size)", "Nothing to deploy")
        .doesNotContain("⭐", "\nper_device_batch_size=", "Append this to");
    assertThat(ReportTexts.patch(s)).isEmpty();
    JsonNode tuning = ReportTexts.tuning(s);
    assertThat(tuning.at("/recipes/0/deploys").asBoolean(true)).isFalse();
    assertThat(tuning.at("/recipes/0/realData").asText()).isEqualTo(run.name());
    assertThat(tuning.at("/profiles/0/changesWhatIsTrained/0").asText()).isEqualTo(LlmNights.BATCH);
  }

  private SweepState moving(Adviser adviser, boolean validated) throws Exception {
    return LlmNights.thatCanBeValidated(repository)
        .result(
            adviser,
            LlmTerms.Mode.RUN,
            1,
            s ->
                validated && s.isFinished() && s.validationsAsked() == 0
                    ? Optional.of(new Command.Validate())
                    : yes(s))
        .state();
  }

  /** Otherwise a model could only guess which values are accepted. */
  @Test
  void thePromptTellsTheValuesThatTheGateTakes() throws Exception {
    SweepState s = new LlmNights(repository).result(Adviser.USELESS, LlmTerms.Mode.RUN, 1).state();
    JsonNode catalogs =
        Json.mapper()
            .readTree(
                Prompts.of(
                        s,
                        Standings.board(s),
                        new LlmOccasion(LlmOccasion.Kind.EVIDENCE, ""),
                        List.of(),
                        Phrases.EN::text,
                        text -> text)
                    .data())
            .path("catalogs");
    assertThat(catalogs)
        .filteredOn(
            e -> e.path("setting").asText().equals("--xla_gpu_all_gather_combine_threshold_bytes"))
        .first()
        .satisfies(
            e -> {
              assertThat(e.path("values").toString()).contains("1073741824");
              assertThat(e.at("/range/from").asDouble()).isEqualTo(1_048_576);
              assertThat(e.at("/range/to").asDouble()).isEqualTo(17_179_869_184.0);
            });
  }

  /** A person's no, or no answer, does not occupy a place in the queue. */
  @Test
  void whatIsDeniedStandsInNobodysWay() throws Exception {
    SweepState s =
        new LlmNights(repository)
            .result(
                Adviser.JUNK_FIRST, LlmTerms.Mode.SUGGEST, 1, LlmNightTest::noToAllButTheHiddenOne)
            .state();
    assertThat(Standings.winner(s).map(w -> w.profile()))
        .hasValueSatisfying(w -> assertThat(w).contains("hidden"));
    assertThat(s.profiles().keySet()).noneMatch(p -> p.contains("junk"));
  }

  /** While a person is asked about a batch size, proposals that need no approval run. */
  @Test
  void whatWaitsForAPersonStandsInNobodysWay() throws Exception {
    Night.Result night =
        LlmNights.thatCanBeValidated(repository).result(Adviser.BATCH_FIRST, LlmTerms.Mode.RUN, 1);
    List<Event> events = night.entries().stream().map(Entry::event).toList();
    int joined =
        index(
            events,
            e ->
                e instanceof Event.CommandAccepted c && c.command() instanceof Command.AddProfiles);
    int asked = index(events, e -> e instanceof Event.QuestionAsked);
    assertThat(joined).isGreaterThan(asked);
    // A person may answer as long as the sweep runs, and gets no message about a missed answer.
    assertThat(events).noneMatch(e -> e instanceof Event.QuestionLapsed);
    assertThat(night.state().isFinished()).isTrue();
  }

  private static int index(List<Event> events, Predicate<Event> which) {
    return events.indexOf(events.stream().filter(which).findFirst().orElseThrow());
  }

  private static Optional<Command> noToAllButTheHiddenOne(SweepState s) {
    return s.openQuestions().keySet().stream()
        .findFirst()
        .map(q -> q.contains("hidden") ? new Command.Approve(q) : new Command.Deny(q));
  }

  private static Optional<Command> yes(SweepState s) {
    return s.openQuestions().keySet().stream()
        .filter(q -> q.startsWith("llm"))
        .findFirst()
        .map(Command.Approve::new);
  }
}
