package io.nightsweep.cli;

import static io.nightsweep.cli.Served.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.ScheduledStart;
import io.nightsweep.engine.ScheduledStarts;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Requests of people to a daemon: a start at a given hour, several starts at once, another budget.
 */
@Tag("guard")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class StartedSweepsTest {
  @TempDir Path dir;

  @AutoClose private Served served;

  @BeforeEach
  void open() {
    served = new Served(dir);
  }

  @Test
  @Tag("people")
  void aBudgetBelowWhatIsUsedIsRefusedAndAnotherSaysWhatHolds() throws Exception {
    served.serve();
    served.startPaused();
    assertThat(served.say("budget", "--jobs", "0"))
        .startsWith("" + ExitCode.REFUSED)
        .contains("a budget of 0 jobs is not possible", "'nightsweep stop' ends a sweep");
    assertThat(served.say("budget", "--hours", "-1"))
        .startsWith("" + ExitCode.REFUSED)
        .contains("a budget of -1.0 hours is not possible");
    assertThat(served.say("budget", "--jobs", "40", "--node-hours", "8"))
        .startsWith("" + ExitCode.OK)
        .containsPattern("the budget is now 40 jobs and .*8 node-hours; used: \\d jobs?, [\\d.]+ s")
        .contains(" of 8 node-hours");
  }

  @Test
  @Tag("people")
  void whatIsAddedToAPausedSweepIsNotCalledTriedNext() throws Exception {
    served.serve();
    String sweep = served.startPaused();
    assertThat(served.say("add", "mine OMP_NUM_THREADS=2"))
        .isEqualTo(
            ExitCode.OK
                + " "
                + sweep
                + ": 1 profile is added, to be tried when the paused sweep goes on: nightsweep"
                + " resume\n");
  }

  @Test
  @Tag("people")
  void aScheduledStartIsWhatAPersonWouldHaveTyped() throws Exception {
    Path good = served.sweepFile("nightly", "n1");
    Path bad = dir.resolve("bad.yaml");
    Files.writeString(bad, Files.readString(good).replace("plan: kernels", "plan: kernel"));
    served.serve();
    for (Path file : List.of(good, bad)) {
      ScheduledStart start =
          new ScheduledStart(
              0,
              file,
              ClusterChoice.Kind.LOCAL,
              Instant.now(),
              false,
              ZoneId.systemDefault(),
              Optional.empty());
      assertThat(served.client.ask(new Request.Schedule(start), PATIENCE))
          .isInstanceOf(Reply.Scheduled.class);
    }
    await()
        .atMost(Duration.ofMinutes(3))
        .until(
            () -> ScheduledStarts.of(served.state).stream().noneMatch(ScheduledStart::isWaiting));
    assertThat(served.say("schedule"))
        .startsWith("" + ExitCode.OK)
        .containsPattern("\\d: started nightly-ranks-1\\n")
        .containsPattern("NOT STARTED: .*bad.yaml:\\d+:\\d+: unknown plan 'kernel'");
    // The sweep's jobs write into the folder that is removed after the test.
    served.client.ask(
        new Request.Tell("nightly-ranks-1", new Command.Stop(Command.Stop.Mode.CANCEL), Served.ME),
        PATIENCE);
    served.awaitEnd("nightly-ranks-1", PATIENCE);
  }

  @Test
  @Tag("people")
  @Tag("hours")
  void sweepsThatAreStartedTogetherTakeTurnsAndEachComesToItsEnd() throws Exception {
    String near = served.sweepFile("near", "n1").toString();
    String far = served.sweepFile("far", "n1").toString();
    String elsewhere = served.sweepFile("elsewhere", "n2").toString();
    served.serve();
    assertThat(served.say("start", "--cluster", "local", "--together", near))
        .startsWith(ExitCode.USAGE + " ")
        .contains("nightsweep start --together a.yaml b.yaml");
    assertThat(served.say("start", "--cluster", "local", near, far))
        .startsWith(ExitCode.USAGE + " ");
    assertThat(served.say("start", "--cluster", "local", "--together", near, elsewhere))
        .startsWith(ExitCode.REFUSED + " ")
        .contains("elsewhere.yaml pins other nodes than");
    assertThat(served.state.all()).isEmpty();

    assertThat(served.say("start", "--cluster", "local", "--together", near, far))
        .startsWith(ExitCode.OK + " ")
        .contains("started near-ranks-1", "started far-ranks-1")
        .containsPattern("they share the night night-[0-9-]+: one has the nodes, the others wait");
    for (String sweep : List.of("near-ranks-1", "far-ranks-1")) {
      // A busy machine answers late, so the test queries it less often.
      served.awaitEnd(sweep, Duration.ofMinutes(4));
      assertThat(served.entries(sweep))
          .extracting(Entry::event)
          .hasAtLeastOneElementOfType(Event.TurnTaken.class);
      assertThat(served.say("report", "--sweep", sweep)).contains("Shared night: `night-");
    }
  }
}
