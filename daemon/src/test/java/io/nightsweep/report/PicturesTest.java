package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.journal.Json;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A search of a picture's bytes does not find a secret that is drawn in it. */
@Tag("guard")
class PicturesTest {
  private static final String SECRET = "hf_canaryInAPicture0123456789";

  @Test
  void aPictureOfSecretsIsPixelForPixelOneOfMasks() throws Exception {
    List<Charts.Chart> masked = Charts.of(called("***"), Phrases.EN);
    assertThat(masked)
        .extracting(Charts.Chart::name)
        .containsExactly(
            Charts.LEADERBOARD, Charts.TIMELINE, Charts.STEPS, Charts.BREAKDOWN, Charts.MEMORY);
    assertThat(Charts.of(called(SECRET), Phrases.EN)).isEqualTo(masked);
    assertThat(Charts.of(called("---"), Phrases.EN))
        .as("each but the breakdown draws them")
        .filteredOn(masked::contains)
        .extracting(Charts.Chart::name)
        .containsExactly(Charts.BREAKDOWN);
  }

  /** A night in which profiles, nodes and unit have the text in their names. */
  private static SweepState called(String text) throws IOException {
    SweepState s = SweepState.empty();
    for (Entry entry : TuningNights.fsdpEntries()) {
      String event =
          Json.mapper()
              .writeValueAsString(entry.event())
              .replaceAll(
                  "\"(baseline-no-env|ag-1G|ovl-2|prio|chan-8|n1|n2|tok/s/device)\"",
                  "\"$1 " + text + "\"");
      s = s.apply(new Entry(entry.seq(), entry.at(), Json.mapper().readValue(event, Event.class)));
    }
    return s;
  }
}
