package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.report.Phrases;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The reason for a refused command is in the language of the page that sent it. */
@Tag("page")
class RefusalsInChineseTest {
  @Test
  void everyRefusalOfACommandReadsChinese() {
    List<Entry> night =
        Specs.night(Specs.kernels(3, 20), Specs.surface(0.05, 0.004), Duration.ofMinutes(4), 1)
            .run()
            .entries();
    SweepState running = SweepState.fold(night.subList(0, night.size() / 2));
    SweepState finished = SweepState.fold(night);
    for (Command command :
        List.of(
            new Command.Resume(Optional.empty(), Optional.empty()),
            new Command.SkipProfile("baseline-deployed"),
            new Command.SkipProfile("unheard-of"),
            new Command.SetBudget(Optional.empty(), Optional.empty(), Optional.empty()),
            new Command.SetBudget(Optional.of(1), Optional.empty(), Optional.empty()),
            new Command.SetBudget(
                Optional.empty(), Optional.of(Duration.ofSeconds(1)), Optional.empty()),
            new Command.SetBudget(Optional.empty(), Optional.empty(), Optional.of(1e9)),
            new Command.AddProfiles(List.of()),
            new Command.AddProfiles(List.of(running.profiles().get("p1"))),
            new Command.Validate(),
            new Command.Approve("unheard-of"))) {
      assertThat(chinese(running, command)).as(command.toString()).containsPattern("\\p{IsHan}");
    }
    Entry last = night.get(night.size() / 2);
    SweepState paused =
        running.apply(
            new Entry(
                last.seq(),
                last.at(),
                new Event.CommandAccepted(
                    new Command.Pause(), new Command.Origin(Command.Origin.Door.HTTP, "ada"))));
    assertThat(chinese(paused, new Command.Pause()))
        .contains("nightsweep resume")
        .containsPattern("\\p{IsHan}");
    assertThat(chinese(finished, new Command.Pause())).containsPattern("\\p{IsHan}");
    assertThat(
            chinese(
                finished,
                new Command.SetBudget(Optional.of(90), Optional.empty(), Optional.empty())))
        .contains("'budget'")
        .containsPattern("\\p{IsHan}");
  }

  private static String chinese(SweepState s, Command command) {
    return Phrases.ZH.text(Admission.refusal(s, command, Command.Origin.Door.HTTP).orElseThrow());
  }
}
