package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.measure.Observation.Stage;
import io.nightsweep.measure.RacingAdvice.AwaitConfirmation;
import io.nightsweep.measure.RacingAdvice.Conclude;
import io.nightsweep.measure.RacingAdvice.Confirm;
import io.nightsweep.measure.RacingAdvice.Drop;
import io.nightsweep.measure.RacingAdvice.Move;
import io.nightsweep.measure.RacingAdvice.Replicate;
import io.nightsweep.measure.RacingAdvice.Screen;
import io.nightsweep.sweep.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RacingTest {

  private static final double[] NOISE = {0.004, -0.006, 0.003, 0.005, -0.007, 0.001};

  private final List<Observation> runs = new ArrayList<>();
  private final List<ConfirmationPlan> plans = new ArrayList<>();
  private final Map<String, List<String>> parts = new TreeMap<>();

  private void run(String profile, Stage stage, double gain) {
    runs.add(
        new Observation(
            profile,
            profile.equals("base"),
            stage,
            stage + "-block",
            "",
            7 + gain + NOISE[runs.size() % NOISE.length],
            0.001,
            600.0 * runs.size()));
  }

  private void screen(Map<String, Double> gains, int rounds) {
    for (int round = 0; round < rounds; round++) {
      run("base", Stage.SCREENING, 0);
      new TreeMap<>(gains).forEach((profile, gain) -> run(profile, Stage.SCREENING, gain));
    }
  }

  private Leaderboard board() {
    return Leaderboard.of(Comparison.of(runs), plans, Map.of(), parts, RacingPolicy.defaults(20));
  }

  private RacingAdvice advice(int waiting, int jobsLeft) {
    return Racing.advise(board(), Set.of(), Racing::mayGain, waiting, jobsLeft);
  }

  private Move move(int waiting, int jobsLeft) {
    return advice(waiting, jobsLeft).next();
  }

  @Test
  void screensWhatHasNotRunWithTheBestBesideIt() {
    screen(Map.of("base", 0.0), 2);
    assertThat(move(20, 100)).isEqualTo(new Screen(List.of()));
    screen(Map.of("good", 0.03, "fair", 0.02, "poor", -0.05), 1);
    assertThat(move(17, 90)).isEqualTo(new Screen(List.of("good", "fair")));
  }

  @Test
  void dropsWhatCannotGainAndSaysWhy() {
    screen(Map.of("good", 0.03, "poor", -0.08), 3);
    assertThat(advice(0, 90).drops())
        .singleElement()
        .satisfies(
            drop -> {
              assertThat(drop.profile()).isEqualTo("poor");
              assertThat(drop.why())
                  .isInstanceOfSatisfying(
                      Cause.RacedOut.class,
                      why -> {
                        assertThat(why.percent()).isBetween(-8.0, -7.0);
                        assertThat(why.runs()).isEqualTo(3);
                      });
            });
    assertThat(advice(0, 90).drops()).extracting(Drop::profile).doesNotContain("good");
  }

  /** The nodes' noise is far larger than usual gains, and this gain is larger than both. */
  @Test
  void followsAGainThatStandsOutOfTheNoiseHoweverLargeThatIs() {
    double[] wild = {0.19, -0.22, 0.17, -0.15, 0.21, -0.18, 0.2, -0.2};
    for (double noise : wild) {
      run("base", Stage.SCREENING, noise);
    }
    run("fast", Stage.SCREENING, 0.95);
    run("plain", Stage.SCREENING, 0.3);
    Leaderboard board = board();
    assertThat(board.noise().total()).isBetween(0.15, 0.3);
    Standing fast = board.of("fast").orElseThrow();
    assertThat(fast.promise()).as("what is expected hides it").isLessThan(0.05);
    assertThat(Racing.isPromising(fast)).isTrue();
    assertThat(Racing.isPromising(board.of("plain").orElseThrow())).isFalse();
  }

  @Test
  void replicatesWhatIsNotClearYet() {
    screen(Map.of("a", 0.015, "b", 0.012), 1);
    screen(Map.of("poor", -0.08), 3);
    assertThat(move(0, 60)).isInstanceOf(Replicate.class);
  }

  /** Another replicate would show as much as a fresh run does, but would not count. */
  @Test
  void confirmsALeaderThatGainsMoreLikelyThanNot() {
    screen(Map.of("a", 0.023, "b", 0.01), 3);
    Leaderboard board =
        Leaderboard.of(Comparison.of(runs), plans, Map.of(), Map.of(), RacingPolicy.defaults(20));
    assertThat(board.of("a").orElseThrow().promise()).isBetween(0.6, 0.8);
    assertThat(move(0, 60))
        .isInstanceOfSatisfying(
            Confirm.class, next -> assertThat(next.plan().profile()).isEqualTo("a"));
  }

  /**
   * For a stack, the results of its parts replace one run of its own; for a single candidate
   * nothing does.
   */
  @Test
  void confirmsAStackThatLeadsAfterOneRun() {
    screen(Map.of("a", 0.02, "b", 0.015), 3);
    run("base", Stage.SCREENING, 0);
    run("new", Stage.SCREENING, 0.04);
    assertThat(move(0, 60)).isEqualTo(new Replicate(List.of("new", "b", "a")));
    parts.put("new", List.of("a", "b"));
    assertThat(move(0, 60))
        .isInstanceOfSatisfying(
            Confirm.class, next -> assertThat(next.plan().profile()).isEqualTo("new"));
  }

  /** A profile that gets no more runs does not keep the leader from its fresh runs. */
  @Test
  void confirmsALeaderThatHasMadeAllItsRunsWhileAHopelessProfileIsStillThere() {
    screen(Map.of("a", 0.0115, "hopeless", 0.0), 1);
    for (int i = 0; i < 7; i++) {
      run("base", Stage.SCREENING, 0);
      run("a", Stage.SCREENING, 0.0115);
    }
    RacingAdvice advice = advice(0, 60);
    assertThat(advice.drops()).isEmpty();
    assertThat(advice.next())
        .isInstanceOfSatisfying(
            Confirm.class, next -> assertThat(next.plan().profile()).isEqualTo("a"));
  }

  @Test
  void confirmsALeaderThatConvincesWithFewRunsIfItsGainIsLarge() {
    screen(Map.of("a", 0.10, "b", 0.0, "c", -0.01), 3);
    assertThat(move(0, 60))
        .isInstanceOfSatisfying(
            Confirm.class,
            confirm -> {
              assertThat(confirm.plan().profile()).isEqualTo("a");
              assertThat(confirm.plan().runsPerArm()).isBetween(3, 4);
            });
  }

  /** Three runs that agree by chance do not drop a profile that one more run would bring back. */
  @Test
  void dropsNothingWhileFewRepeatsTellHowMuchRunsDiffer() {
    run("base", Stage.SCREENING, 0);
    run("base", Stage.SCREENING, 0);
    screen(Map.of("poor", -0.08), 1);
    assertThat(advice(0, 90).drops()).isEmpty();
    assertThat(Racing.lost(board())).extracting(Drop::profile).containsExactly("poor");
    screen(Map.of("poor", -0.08), 1);
    assertThat(advice(0, 90).drops()).extracting(Drop::profile).containsExactly("poor");
  }

  @Test
  void waitsForAConfirmationUnderWayAndGivesUpAHopelessOne() {
    screen(Map.of("a", 0.015), 3);
    plans.add(new ConfirmationPlan("a", 10));
    assertThat(move(0, 40)).isEqualTo(new AwaitConfirmation("a"));
    for (int i = 0; i < 9; i++) {
      run("base", Stage.CONFIRMATION, 0);
      run("a", Stage.CONFIRMATION, -0.01);
    }
    assertThat(move(0, 22)).isInstanceOf(Conclude.class);
  }

  @Test
  void aProfileThatLeftDuringItsConfirmationHoldsNobodyUp() {
    screen(Map.of("a", 0.03, "b", 0.025), 3);
    plans.add(new ConfirmationPlan("a", 4));
    Leaderboard board = board();
    assertThat(Racing.advise(board, Set.of(), Racing::mayGain, 0, 40).next())
        .isEqualTo(new AwaitConfirmation("a"));
    assertThat(Racing.advise(board, Set.of("a"), Racing::mayGain, 0, 40).next())
        .isInstanceOfSatisfying(
            Confirm.class, next -> assertThat(next.plan().profile()).isEqualTo("b"));
  }

  @Test
  void keepsEnoughJobsForAConfirmation() {
    screen(Map.of("a", 0.04, "b", 0.01), 2);
    assertThat(move(10, 14)).isInstanceOf(Confirm.class);
    assertThat(move(0, 3)).isEqualTo(new Conclude("the jobs left do not carry a confirmation"));
  }

  @Test
  void concludesWhenNothingIsLeft() {
    screen(Map.of("a", -0.05, "b", -0.07), 4);
    assertThat(move(0, 40)).isEqualTo(new Conclude("no profile is left that may gain"));
  }
}
