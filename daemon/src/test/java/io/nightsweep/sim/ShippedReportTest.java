package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.conductor.Standings;
import io.nightsweep.engine.EvidenceReader;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.report.ReportReading;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sim.ShippedNights.Truth;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Both reports of a packed night with a winner and its cross-check, checked against the journal.
 */
@Tag("shipped")
@Tag("slow")
class ShippedReportTest {
  @TempDir private Path folder;

  @Test
  void bothReportsTellWhatTheJournalHolds() throws Exception {
    Night.Result night =
        new ShippedNights(folder.resolve("repository"), "FSDP=4,TP=2", 2)
            .result(Truth.PUBLISHED, 3);
    SweepState end = night.state();
    Path journal = folder.resolve("journal.jsonl");
    try (FileJournal file = FileJournal.open(journal, entry -> {})) {
      for (Entry entry : night.entries()) {
        file.append(entry.at(), List.of(entry.event()));
      }
    }
    Path reports = Files.createDirectory(folder.resolve("report"));
    ReportWriter.write(reports, end);
    String tag = end.spec().primaryTag().name();
    assertThat(Standings.winner(end)).isPresent();

    new ReportReading(reports, journal, end).holds(tag);

    // A reading that always passes would prove nothing.
    Path page = ReportWriter.page(reports, end);
    String whole = Files.readString(page);
    String row = "(\\| (?:⭐ )?`" + Standings.winner(end).orElseThrow().profile() + "` \\|.*\\| ";
    for (String falsified :
        List.of(
            whole.replaceFirst(row + ")\\d", "$19"),
            whole.replaceFirst(row + ")win \\|", "$1loss |"),
            whole.replaceFirst(row + ")\\+(\\d[\\d.]* % \\| \\+)", "$1+9$2"),
            whole.replaceFirst("\\| holds \\|", "| regresses |"))) {
      assertThat(falsified).isNotEqualTo(whole);
      Files.writeString(page, falsified);
      ReportReading reading = new ReportReading(reports, journal, end);
      assertThatThrownBy(() -> reading.holds(tag)).isInstanceOf(AssertionError.class);
    }
  }

  /**
   * The winner's own profile is shown beside the deployed one, and the reason is checked against
   * it.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0.2 | 112 | Its own profile confirms that: `all-gather` takes 0.54 s there instead of 0.9 s, in a window of 2.7 s instead of 3 s.
          0.2 | 112 | Its compiled step runs `all-gather` 112 times instead of 28.
          0.4 | 28  | Its own profile does not confirm that: `all-gather` takes 1.08 s there and 0.9 s as deployed, in windows of 2.7 s and 3 s.
          0.4 | 28  | What fell most in its own profile is `compute`: 1.62 s instead of 1.8 s, in a window of 2.7 s instead of 3 s.
          """)
  void whyTheWinnerWinsIsHeldAgainstItsOwnProfile(double share, double runs, String sentence)
      throws Exception {
    EvidenceReader reader =
        (workload, request, job) ->
            request.trial().purpose() != Trial.Purpose.EVIDENCE
                ? EvidenceReader.nothing().begin(workload, request, job)
                : CompletableFuture.completedFuture(
                    request.trial().profile().equals(Profile.BASELINE)
                        ? evidence(request.attempt(), 3, 0.3, 28)
                        : evidence(request.attempt(), 2.7, share, runs));
    SweepState end =
        new ShippedNights(folder.resolve("repository"), "FSDP=8", 1)
            .result(Truth.PUBLISHED, reader, 3)
            .state();
    Path reports = Files.createDirectory(folder.resolve("report"));
    ReportWriter.write(reports, end);
    assertThat(ReportWriter.page(reports, end))
        .content()
        .contains("It wins because the step's greatest cost beside compute is `all-gather`")
        .contains(sentence);
  }

  private static List<Finding> evidence(
      AttemptId attempt, double window, double share, double runs) {
    return List.of(
        finding(attempt, Finding.MECHANISMS, Map.of("all-gather", runs, "reduce-scatter", 28.0)),
        finding(attempt, Finding.BREAKDOWN, Map.of("window", window, "compute", 0.6 * window)),
        finding(attempt, Finding.COMMUNICATION, Map.of("all-gather between nodes", share)),
        finding(attempt, Finding.DOMINANT, Map.of("all-gather", share)));
  }

  private static Finding finding(AttemptId attempt, String kind, Map<String, Double> figures) {
    return new Finding(
        attempt, kind, Statement.words("seen"), List.of("job 7: a file"), new TreeMap<>(figures));
  }
}
