package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Standing;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A winner that may have done less work than the baseline is reported with what to check. */
@Tag("people")
class CautionsTest {
  private static final List<Entry> NIGHT =
      Specs.night(Specs.kernels(4, 60), Specs.surface(0.61, 0.002), Duration.ofMinutes(5), 7)
          .run()
          .entries();
  private static final SweepState END = SweepState.fold(NIGHT);

  @Test
  void nothingIsSaidOfAWinnerWhoseJobsAreLikeTheBaselines() {
    assertThat(Standings.winner(END).map(Standing::profile)).contains("p3");
    assertThat(CautionText.ofWinner(END, Phrases.EN)).isEmpty();
    assertThat(TuningReport.of(END, List.of())).doesNotContain("Look at");
  }

  @Test
  void aLogThatIsUnlikeTheBaselinesIsToldBesideTheWin() {
    List<Entry> entries = new ArrayList<>(NIGHT);
    Finding unlike =
        new Finding(
            fresh().getLast().id(),
            Finding.UNLIKE_LOG,
            Statement.row(
                "; ",
                Statement.phrase("log-more", "half of the rows"),
                Statement.phrase("log-less", "rows verified: 17")),
            List.of("/jobs/t0031a1/job.log:4", "/jobs/t0030a1/job.log:9"));
    Entry last = entries.getLast();
    entries.add(new Entry(last.seq() + 1, last.at(), new Event.FindingMade(unlike)));
    SweepState s = SweepState.fold(entries);
    String told =
        "Look at its logs before it is deployed: its runs print a line that the baseline's do not";
    assertThat(CautionText.ofWinner(s, Phrases.EN))
        .singleElement()
        .asString()
        .contains(told, "'half of the rows'", "'rows verified: 17'", "/jobs/t0031a1/job.log:4");
    assertThat(TuningReport.of(s, List.of())).contains(told);
    assertThat(ProfileVerdict.lines(s, "p3"))
        .anyMatch(line -> line.startsWith("caution   " + told));
    assertThat(CautionText.ofWinner(s, Phrases.ZH))
        .singleElement()
        .asString()
        .containsPattern("\\p{IsHan}")
        .contains("'half of the rows'");
    assertThat(Standings.winner(s)).as("no veto").isPresent();
  }

  @Test
  void jobsThatEndFarSoonerThanTheirGainExplainsAreToldBesideTheWin() {
    SweepState s =
        SweepState.fold(NIGHT.stream().map(e -> withEvent(e, shortened(e.event(), 0.2))).toList());
    assertThat(CautionText.ofWinner(s, Phrases.EN))
        .singleElement()
        .asString()
        .containsPattern(
            "they end after .*, while the baseline's end after .* explains no job shorter than");
    SweepState explained =
        SweepState.fold(NIGHT.stream().map(e -> withEvent(e, shortened(e.event(), 0.6))).toList());
    assertThat(CautionText.ofWinner(explained, Phrases.EN)).isEmpty();
  }

  @Test
  void freshRunsThatFailAfterTheirLastStepAreToldBesideTheWin() {
    List<AttemptId> own = ids(Purpose.CONFIRM, "p3");
    assertThat(CautionText.ofWinner(failed(own), Phrases.EN))
        .singleElement()
        .asString()
        .contains(
            "%d of its %d fresh runs ended with a failure".formatted(own.size(), own.size()),
            "(exit code 3)");
    List<AttemptId> all = new ArrayList<>(own);
    all.addAll(ids(Purpose.CONFIRM_CONTROL, Profile.BASELINE));
    assertThat(CautionText.ofWinner(failed(all), Phrases.EN))
        .as("the baseline's do so too")
        .isEmpty();
  }

  private static SweepState failed(List<AttemptId> attempts) {
    return SweepState.fold(
        NIGHT.stream()
            .map(
                e ->
                    e.event() instanceof Event.AttemptEnded ended
                            && attempts.contains(ended.attempt())
                        ? withEvent(e, failed(ended))
                        : e)
            .toList());
  }

  private static Event failed(Event.AttemptEnded ended) {
    JobEnd end = ended.end();
    return new Event.AttemptEnded(
        ended.attempt(),
        new JobEnd(JobEnd.State.FAILED, 3, end.startedAt(), end.endedAt(), end.source()));
  }

  private static Entry withEvent(Entry e, Event event) {
    return new Entry(e.seq(), e.at(), event);
  }

  /** Makes the winner's fresh runs take this share of their time. */
  private static Event shortened(Event event, double share) {
    return event instanceof Event.AttemptEnded ended
        ? fresh().stream()
            .filter(a -> a.id().equals(ended.attempt()))
            .findFirst()
            .<Event>map(a -> new Event.AttemptEnded(a.id(), shortened(a, ended.end(), share)))
            .orElse(event)
        : event;
  }

  private static JobEnd shortened(AttemptState a, JobEnd end, double share) {
    long millis = Math.round(share * a.elapsed().orElseThrow().toMillis());
    return new JobEnd(
        end.state(),
        end.exitCode(),
        end.startedAt(),
        a.startedAt().orElseThrow().plusMillis(millis),
        end.source());
  }

  private static List<AttemptState> fresh() {
    return runs(Purpose.CONFIRM, "p3").toList();
  }

  private static List<AttemptId> ids(Purpose purpose, String profile) {
    return runs(purpose, profile).map(AttemptState::id).toList();
  }

  private static Stream<AttemptState> runs(Purpose purpose, String profile) {
    return END.attempts()
        .filter(a -> END.trialOf(a.id()).purpose() == purpose)
        .filter(a -> END.trialOf(a.id()).profile().equals(profile));
  }
}
