package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.NodeChecks;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.sim.Assumptions;
import io.nightsweep.sim.Budgets;
import io.nightsweep.sim.Rehearsal;
import io.nightsweep.sim.Rehearsed;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** For a budget that is too small, the rehearsal names one that suffices. */
@Tag("verdicts")
@Tag("slow")
class RehearsedBudgetTest {
  @TempDir Path dir;

  private RehearsedFile file;

  @BeforeEach
  void write() throws Exception {
    file = new RehearsedFile(dir);
  }

  @Test
  void aBudgetThatIsTooSmallIsToldWithTheCheapestThatWouldDo() throws Exception {
    file.write("n[1-2]", 12, "{jobs: 22}");
    String small = file.say("--nights", "16", "--job-minutes", "10").out();
    assertThat(small)
        .containsPattern(
            "not completed: .*, since in most nights the budget of 22 jobs ends before");
    Matcher enough = Pattern.compile("cheapest budget that is enough: (\\d+) jobs").matcher(small);
    assertThat(enough.find()).as(small).isTrue();
    file.write("n[1-2]", 12, "{jobs: " + enough.group(1) + "}");
    assertThat(file.say("--nights", "16", "--job-minutes", "10").out())
        .doesNotContain("not completed");
  }

  /** A newcomer's first budget may be a tenth of what the plan needs. */
  @Test
  @Tag("people")
  void aBudgetThatIsFarTooSmallIsToldWithOneThatWouldDo() throws Exception {
    file.write("n[1-2]", 3, "{jobs: 4}");
    assertThat(file.say("--nights", "8", "--job-minutes", "10", "--search-seconds", "600").out())
        .containsPattern("cheapest budget that is enough: (1[0-9]|[2-9][0-9]) jobs");
  }

  /** If the noise hides the expected gains, even a budget that cuts nothing finds nothing. */
  @Test
  @Tag("people")
  void aBudgetThatCarriesAPlanWithoutFindsIsNotCalledEnough() throws Exception {
    file.write("n[1-2]", 1, "{jobs: 60}");
    SweepSpec spec = file.spec();
    Rehearsal rehearsal =
        new Rehearsal(
            spec.with(
                spec.plan()
                    .withWaves(
                        waves ->
                            waves.stream().filter(w -> w.kind() != Wave.Kind.CONFIRM).toList())),
            Assumptions.of(spec, List.of(), Optional.empty(), Optional.empty()),
            Instant.EPOCH,
            1);
    Rehearsed rehearsed = rehearsal.quickly(8, done -> true);
    assertThat(rehearsed.isCarried()).isTrue();
    assertThat(rehearsal.isEnough(rehearsed)).isFalse();
  }

  /**
   * The search for a budget ends with its time: without a memory each rehearsal of a file would
   * name another one.
   */
  @Test
  @Tag("people")
  void everyRehearsalOfAFileNamesTheBudgetThatTheFirstFound() throws Exception {
    file.write("n[1-2]", 6, "{jobs: 8}");
    StateDirectory state = new StateDirectory(file.state());
    SweepSpec spec =
        Rehearsing.planned(file.spec(), s -> NodeChecks.onPaper(s, Instant.now()), state);
    Assumptions assumptions = Assumptions.of(spec, List.of(), Optional.empty(), Optional.empty());
    Budget found = Budgets.ofJobs(97);
    LatestRehearsal.of(
            spec,
            new Rehearsal(spec, assumptions, Instant.now(), 1).quickly(8, done -> false),
            Instant.now(),
            Optional.of(new Rehearsal.Sought.Found(found)))
        .keep(state);
    String named = "cheapest budget that is enough: 97 jobs\n";
    assertThat(file.say("--nights", "8").out()).contains(named);
    file.rehearse("--nights", "24");
    assertThat(file.say("--nights", "8").out()).contains(named);
  }

  /**
   * If the budget's hours suffice, the rehearsal suggests no more hours. It finds this out last,
   * and the usual time may be too short for that on a busy machine.
   */
  @Test
  @Tag("people")
  void theCheapestBudgetLeavesALimitThatIsEnough() throws Exception {
    file.write("n[1-2]", 3, "{jobs: 4, hours: 20}");
    assertThat(file.say("--nights", "8", "--job-minutes", "1", "--search-seconds", "600").out())
        .containsPattern("cheapest budget that is enough: (1[0-9]|[2-9][0-9]) jobs and 20 h");
    file.write("n[1-2]", 3, "{jobs: 400, hours: 1}");
    assertThat(file.say("--nights", "8", "--job-minutes", "10", "--search-seconds", "600").out())
        .containsPattern("cheapest budget that is enough: 400 jobs and [2-9] h");
  }

  @Test
  @Tag("people")
  void whyNoBudgetIsNamedIsSaid() throws Exception {
    file.write("n[1-2]", 6, "{jobs: 4}");
    SweepSpec spec = file.spec();
    Rehearsal rehearsal =
        new Rehearsal(
            spec,
            Assumptions.of(spec, List.of(), Optional.empty(), Optional.empty()),
            Instant.EPOCH,
            1);
    assertThat(rehearsal.enough(() -> true)).isEqualTo(new Rehearsal.Sought.Unfinished(1));
    assertThat(pacing(spec, rehearsal, new Rehearsal.Sought.Unfinished(1)))
        .endsWith("the search for a budget that is enough took too long: more than this one");
    assertThat(pacing(spec, rehearsal, new Rehearsal.Sought.Unfinished(4)))
        .endsWith("more than 4 times this one");
    assertThat(pacing(spec, rehearsal, new Rehearsal.Sought.Nowhere(32)))
        .contains("no budget up to 32 times this one is enough; fewer candidates would help");
  }

  private static String pacing(SweepSpec spec, Rehearsal rehearsal, Rehearsal.Sought sought) {
    return PacingText.lines(
            spec,
            rehearsal.quickly(8, done -> true),
            ZonedDateTime.now(ZoneOffset.UTC),
            Optional.of(sought))
        .getLast();
  }
}
