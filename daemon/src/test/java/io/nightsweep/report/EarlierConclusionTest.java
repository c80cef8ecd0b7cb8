package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.SweepFinished.SweepOutcome;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A confirmed recipe stays on the model's page until another sweep has concluded. */
@Tag("people")
@Tag("slow")
class EarlierConclusionTest {
  private static final String IN_PROGRESS = "a sweep is in progress";

  @TempDir private Path directory;
  private Path shared;
  private Path page;
  private Path patch;
  private Path figures;

  private static final List<Entry> NIGHT =
      Specs.night(Specs.kernels(8), Specs.surface(0.06, 0.005), Duration.ofMinutes(8), 7)
          .run()
          .entries();

  @BeforeEach
  void aFinishedSweep() throws IOException {
    shared = directory.resolve("shared");
    page = shared.resolve("allreduce-tuning.md");
    patch = shared.resolve("allreduce-tuning.env.sh");
    figures = shared.resolve("allreduce-tuning.json");
    SweepState finished = SweepState.fold(NIGHT);
    assertThat(Standings.winner(finished)).isPresent();
    write(finished);
    assertThat(page).content().contains("**`p3`** beats").doesNotContain(IN_PROGRESS);
    assertThat(patch).content().contains("OMPI_MCA_knob");
  }

  @Test
  void startingAgainKeepsTheConfirmedRecipeAndSaysThatASweepIsInProgress() throws IOException {
    byte[] recipe = Files.readAllBytes(patch);
    byte[] known = Files.readAllBytes(figures);
    write(nextDay(1));
    write(nextDay(NIGHT.size() / 2));
    assertThat(page).content().contains("**`p3`** beats").containsOnlyOnce(IN_PROGRESS);
    assertThat(shared.resolve("allreduce-tuning.zh.md")).content().contains("有一次扫描正在进行");
    assertThat(patch).hasBinaryContent(recipe);
    assertThat(figures).hasBinaryContent(known);
  }

  @Test
  void aSweepThatIsStoppedTakesNothingAway() throws IOException {
    List<Entry> stopped = new ArrayList<>(shifted(NIGHT.size() / 4));
    Entry last = stopped.getLast();
    stopped.add(
        new Entry(
            last.seq() + 1,
            last.at(),
            new Event.CommandAccepted(
                new Command.Stop(Command.Stop.Mode.CANCEL),
                new Command.Origin(Command.Origin.Door.CLI, "me"))));
    stopped.add(
        new Entry(
            last.seq() + 2,
            last.at(),
            new Event.SweepFinished(
                SweepOutcome.STOPPED, new SweepEnding.StoppedByCommand(Command.Stop.Mode.DRAIN))));
    write(SweepState.fold(stopped));
    assertThat(page)
        .content()
        .contains("**`p3`** beats")
        .containsOnlyOnce(IN_PROGRESS)
        .contains("stopped before its end");
    assertThat(patch).content().contains("OMPI_MCA_knob");
  }

  @Test
  void aSweepThatConcludesTakesThePlaceOfTheEarlierOne() throws IOException {
    write(nextDay(NIGHT.size() / 2));
    SweepState second = nextDay(NIGHT.size());
    write(second);
    assertThat(page).content().doesNotContain(IN_PROGRESS).containsOnlyOnce("**`p3`** beats");
    assertThat(page).content().contains(Figures.time(second.startedAt().orElseThrow()));
    String once = Files.readString(page);
    write(nextDay(NIGHT.size() / 2));
    write(second);
    assertThat(page).content().isEqualTo(once);
  }

  /** The sweep that wrote the section keeps updating it. */
  @Test
  void aSweepMayReplaceItsOwnSection() throws IOException {
    Files.delete(page);
    Files.delete(figures);
    write(nextDay(NIGHT.size() / 2));
    assertThat(page).content().contains("Preliminary").doesNotContain(IN_PROGRESS);
    write(nextDay(NIGHT.size()));
    assertThat(page).content().contains("**`p3`** beats").doesNotContain("Preliminary");
  }

  /**
   * A name that cannot be a file name keeps its valid characters, and differs from names that keep
   * the same.
   */
  @Test
  void aModelOfAnotherNameTakesNothingAway() throws IOException {
    for (String model : List.of("模型", "数据", "a b", "a/b", "x".repeat(400), "x".repeat(401))) {
      write(of(model));
    }
    try (Stream<Path> pages = Files.list(shared)) {
      assertThat(pages.filter(p -> p.toString().endsWith("-tuning.md"))).hasSize(7);
    }
    assertThat(page).content().contains("**`p3`** beats", "# allreduce");
  }

  private static SweepState of(String model) {
    return SweepState.fold(
        NIGHT.stream()
            .map(
                e ->
                    e.event() instanceof Event.SweepStarted started
                        ? new Entry(
                            e.seq(),
                            e.at(),
                            new Event.SweepStarted(
                                started.sweep(), started.seed(), named(started.spec(), model)))
                        : e)
            .toList());
  }

  private static SweepSpec named(SweepSpec spec, String model) {
    return Specs.in(
        spec,
        new Cell(model, spec.cell().parallelism(), spec.cell().nodes(), spec.cell().partition()));
  }

  private void write(SweepState s) throws IOException {
    ReportWriter.write(directory.resolve("own"), shared, s);
  }

  /** The same night a day later, up to this number of events. */
  private static SweepState nextDay(int events) {
    return SweepState.fold(shifted(events));
  }

  private static List<Entry> shifted(int events) {
    return NIGHT.stream()
        .limit(events)
        .map(e -> new Entry(e.seq(), e.at().plus(Duration.ofDays(1)), e.event()))
        .toList();
  }
}
