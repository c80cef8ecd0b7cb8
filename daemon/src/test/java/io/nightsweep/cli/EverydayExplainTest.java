package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.sim.AlteredSurface;
import io.nightsweep.sim.Response;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.Surface;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Explains a profile, or a sweep that showed too little, together with what to do. */
@Tag("people")
class EverydayExplainTest extends OverPastNights {

  /** The word "undecided" alone does not say what people can do. */
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
        .contains("next      the sweep runs it again if that may decide\n");
    sweep("done", NIGHT.size());
    assertThat(say("explain", "p3", "--sweep", "done").out()).doesNotContain("why  ", "next  ");
  }

  @Test
  void aProfileWhoseJobsCrashIsExplainedWithWhatToDo() throws IOException {
    Surface honest = Specs.surface(0.08, 0.002);
    List<Entry> entries =
        Specs.night(
                Specs.kernels(4, 60),
                new AlteredSurface(honest) {
                  @Override
                  public Optional<Response.Fails> failure(Profile profile, String configTag) {
                    return profile.name().equals("p2")
                        ? Optional.of(new Response.Fails("oom-gpu", 0.5))
                        : Optional.empty();
                  }
                },
                Duration.ofMinutes(2),
                7)
            .run()
            .entries();
    night("crashed", entries);
    assertThat(say("explain", "p2").out())
        .containsPattern("failed    t\\d+a\\d+ as ")
        .contains("next      fix what its log shows; then start again\n");
    night(
        "goes-on",
        entries.stream().takeWhile(e -> !(e.event() instanceof Event.SweepFinished)).toList());
    assertThat(say("explain", "p2", "--sweep", "goes-on").out())
        .contains(
            "next      fix what its log shows; then try it again: nightsweep add --sweep goes-on"
                + " 'p2-again OMPI_MCA_knob=2'\n");
  }

  private static List<Entry> ofFewJobs(int profiles, int jobs) {
    return Specs.night(
            Specs.kernels(profiles, jobs), Specs.surface(0.08, 0.002), Duration.ofMinutes(4), 7)
        .run()
        .entries();
  }

  /**
   * A person who gave too small a budget learns the sufficient one wherever the end is reported.
   */
  @Test
  void aBudgetThatWasTooSmallIsNamedAtTheEndWithOneThatWouldDo() throws Exception {
    night("starved", ofFewJobs(6, 8));
    Pattern told =
        Pattern.compile(
            "The budget `?\\{jobs: 8, hours: 12\\.0}`? was too small for the plan; cut short: .*"
                + " Judging by the jobs so far, `?\\{jobs: (\\d+), hours: 12\\.0}`? would be"
                + " enough for all of it");
    for (String text : List.of(say("status").out(), say("report").out())) {
      assertThat(told.matcher(text).results().map(m -> Integer.valueOf(m.group(1))))
          .singleElement()
          .satisfies(jobs -> assertThat(jobs).isBetween(20, 60));
    }
    assertThat(say("explain", "p3").out())
        .containsPattern("why       .*; the budget ended before more could be made")
        .containsPattern("next      start again with 'budget: \\{jobs: \\d+, hours: 12.0}'");
    Typed refused = say("budget", "--jobs", "40");
    assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(refused.err())
        .contains(
            "a larger budget does not continue it; start it again with a larger 'budget' in"
                + " its file");
  }

  @Test
  void withoutAProfileExplainTellsHowTheSweepStands() throws IOException {
    sweep("done", NIGHT.size());
    assertThat(say("explain").out())
        .contains("p3 wins by +8.", "p3  wins: +8.", "p1  ")
        .doesNotContain("=>");
    assertThat(say("explain", "--last", "3").out()).contains("decided").doesNotContain("p3 wins");
    assertThat(say("explain", "nonesuch").err()).contains("'nonesuch'. Its profiles: ");
    night("starved", ofFewJobs(4, 3));
    assertThat(say("explain", "p3", "--sweep", "starved").out())
        .contains("no run of it was measured before the sweep ended");
    assertThat(say("status", "--sweep", "starved").out())
        .contains("cut  screen-1       0/", "no profile that was measured promises")
        .doesNotContain("[####################]");
  }

  /** If a person ended a job, there is nothing to investigate. */
  @Test
  void aJobThatWasCancelledWithItsProfileIsNoFailure() throws IOException {
    List<String> skipped = new ArrayList<>();
    List<Entry> entries =
        Specs.night(Specs.kernels(4, 60), Specs.surface(0.08, 0.002), Duration.ofMinutes(2), 7)
            .told(
                s ->
                    skipped.isEmpty()
                        ? s.inFlight().stream()
                            .map(a -> s.trialOf(a.id()))
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

  /** Runs under way when a profile left the race may change its result. */
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
        .containsPattern(
            "`p3` .* left the race, since its .* since, it stands at \\+8\\.\\d+ % \\(")
        .doesNotContain("-3.30 %");
  }
}
