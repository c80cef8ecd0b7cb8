package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.report.ReportReading;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sim.ShippedNights.Truth;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both reports of a packed night with a winner and its cross-check, read beside the journal. */
@Tag("shipped")
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

    // A reading that passes whatever it reads would show nothing.
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
}
