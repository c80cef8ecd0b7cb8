package io.nightsweep.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.QuestionAbout;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.TrialId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events are masked unless their kind is known to quote no foreign text. */
@Tag("guard")
class RedactionGuardTest {
  private static final String TOKEN = "hf_canaryInTheLog0123456789";
  private static final AttemptId ATTEMPT = new AttemptId(new TrialId(1), 1);

  /**
   * Contents of people's files, which are refused if they contain a secret, and figures that these
   * name.
   */
  private static final Set<Class<?>> AS_THEY_ARE =
      Set.of(Event.SweepStarted.class, Event.AttemptProgressed.class, Event.AttemptShown.class);

  private final Redaction redaction = Redaction.byForm();

  @Test
  void everyEventThatQuotesIsMasked() throws Exception {
    String quote = "export HF_TOKEN=" + TOKEN;
    List<Event> quoting =
        List.of(
            new Event.DaemonStopped(quote),
            new Event.QuestionAsked(
                "a",
                new QuestionAbout.RemedyStep(quote, ATTEMPT, "broken"),
                Duration.ofHours(1),
                false),
            new Event.RemedyStepDone(ATTEMPT, 0, StepEnd.succeeded(Statement.words(quote))),
            new Event.ClusterUnreachable(quote),
            new Event.StorageFailed(quote),
            new Event.NoticeUnsent("n", "slack", 1, Statement.words(quote)));
    for (Event event : quoting) {
      assertThat(Json.mapper().writeValueAsString(redaction.of(event)))
          .as(event.getClass().getSimpleName())
          .contains(Redaction.MASK)
          .doesNotContain(TOKEN);
    }
  }

  /** A new kind of event is masked by default. */
  @Test
  void noTextOfAnyEventHoldsASecret() throws Exception {
    RandomEvents random = new RandomEvents(1, "export HF_TOKEN=" + TOKEN + "\n");
    int masked = 0;
    for (Class<?> type : RandomEvents.types()) {
      for (int i = 0; i < 10 && !AS_THEY_ARE.contains(type); i++) {
        Event event = random.of(type);
        String written = Json.mapper().writeValueAsString(redaction.of(event));
        boolean isMeasured =
            event instanceof Event.AttemptJudged judged
                && judged.judgement() instanceof Judgement.Measured;
        if (!isMeasured) {
          assertThat(written).as(type.getSimpleName()).doesNotContain(TOKEN);
        }
        masked += written.contains(Redaction.MASK) ? 1 : 0;
      }
    }
    assertThat(masked).isGreaterThan(100);
  }

  @Test
  void whatAModelsEnvFileExportsIsMaskedByItsName() {
    Event.InventoryTaken taken =
        (Event.InventoryTaken)
            redaction.of(
                new Event.InventoryTaken(
                    List.of(
                        new Fact("m1.env.sh: WANDB_API_KEY", "0123456789abcdef0123", false),
                        new Fact("m1.env.sh: MLFLOW_TRACKING_PASSWORD", "plain", false),
                        new Fact("m1.env.sh: NCCL_PROTO", "Simple", false))));
    assertThat(taken.facts()).extracting(Fact::value).containsExactly("***", "***", "Simple");
  }

  @Test
  void anAddressAKeyAndABrokenTokenAreMasked() {
    String quote =
        "https://user:hunter2hunter@proxy:3128 -----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\nZXk= ";
    Event.ClusterUnreachable event =
        (Event.ClusterUnreachable) redaction.of(new Event.ClusterUnreachable(quote));
    assertThat(event.error()).doesNotContain("hunter2").doesNotContain("b3Blb").contains("proxy");
  }

  @Test
  void whatAJobWroteMovesNoCursorAndFillsNoJournal() {
    Event.ClusterUnreachable event =
        (Event.ClusterUnreachable)
            redaction.of(
                new Event.ClusterUnreachable(
                    "a\u001b]0;title\u0007b\u001b[2J" + "x".repeat(3_000_000)));
    assertThat(event.error()).hasSizeLessThan(17_000).contains("characters are left out");
    assertThat(event.error().chars()).noneMatch(c -> c != '\n' && c != '\t' && c < ' ');
  }
}
