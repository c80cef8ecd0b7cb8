package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.NodeChecks;
import io.nightsweep.sim.Budgets;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.NoticeSettled.Settlement;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A reason is a fact in the journal, and each language makes its own sentence. */
class ReasonsTest {
  @Test
  void ofAnAddedWave() {
    SweepState s =
        state(Specs.kernels(3, 20))
            .apply(
                new Entry(
                    2,
                    Instant.EPOCH,
                    new Event.CommandAccepted(
                        new Command.AddProfiles(
                            List.of(Profile.of("own", Map.of("--f", "1"), Map.of(), Map.of()))),
                        new Command.Origin(Command.Origin.Door.CLI, "ada"))));
    Statement why = s.wave("added+1").orElseThrow().wave().why();
    assertThat(why).isEqualTo(Statement.phrase("why-added", "ada"));
    reads(why, "Added by ada while the sweep ran.", "在扫描运行期间由 ada 添加。");
  }

  @Test
  void ofNodesThatWereNotChecked() {
    SweepSpec spec =
        NodeChecks.onPaper(
            Specs.kernels(3, 20).within(Budgets.ofTime(Duration.ofHours(3))), Instant.EPOCH);
    reads(
        spec.plan().notApplicable().getLast().reason(),
        "the sweep is shorter than 4 hours",
        "扫描不足 4 小时");
    assertThat(ReportTexts.chinese(state(spec))).contains("没有检查节点：扫描不足 4 小时。");
  }

  @Test
  void ofAPlanInAnotherOrder() {
    reads(
        Statement.phrase("why-priors", Statement.phrase("why-flags")),
        "The dominant axis's flags one at a time, the more promising first. In the order of what"
            + " earlier sweeps and notes tell.",
        "逐个测试主导轴的 flag，更有希望的在先。按先前扫描和笔记所示的次序。");
  }

  @Test
  void ofANotice() {
    Event settled =
        new Event.NoticeSettled(
            "k",
            "telegram",
            Settlement.DROPPED,
            Statement.phrase("notice-unknown", Statement.phrase("notice-daemon-ended")));
    assertThat(EventLines.of(settled))
        .endsWith("whether it arrived is unknown: the daemon ended while it was sent");
    assertThat(EventLines.of(settled, Phrases.ZH)).endsWith("是否送达不得而知：发送途中守护进程结束了");
  }

  @Test
  void ofAnAnswerThatCannotBeRead() {
    Event answered =
        new Event.LlmAnswered(
            1, LlmAnswer.none(LlmAnswer.LlmOutcome.TIMED_OUT, Statement.phrase("llm-late", 30)));
    assertThat(EventLines.of(answered)).contains("no answer within 30 s");
    assertThat(EventLines.of(answered, Phrases.ZH)).contains("30 秒内没有回答");
  }

  private static void reads(Statement statement, String english, String chinese) {
    assertThat(Phrases.EN.text(statement)).isEqualTo(english);
    assertThat(Phrases.ZH.text(statement)).isEqualTo(chinese);
  }

  private static SweepState state(SweepSpec spec) {
    return SweepState.empty()
        .apply(new Entry(1, Instant.EPOCH, new Event.SweepStarted("s", 1, spec)));
  }
}
