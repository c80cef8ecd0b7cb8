package io.nightsweep.report;

import io.nightsweep.sweep.DetectableGain;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.LowerCase;
import io.nightsweep.sweep.NodeFault;
import io.nightsweep.sweep.NodeMetric;
import io.nightsweep.sweep.Occurrence;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.QuestionAbout;
import io.nightsweep.sweep.Remedy.RemedyStep;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepEnding;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sentences for halts, questions, incidents and endings, in the reader's language. Most of them
 * are under keys of {@link Said}, which translates the same sentences in earlier journals.
 */
public final class Sentences {
  /** Ends of jobs that are no failure classes and so have a name in each language. */
  private static final Set<String> OTHER_ENDS =
      Set.of(KnownClasses.VOID, "duplicate", "done", "measured");

  private final Phrases t;

  private Sentences(Phrases t) {
    this.t = t;
  }

  public static String of(HaltCause cause, Phrases t) {
    return new Sentences(t).halt(cause);
  }

  /** What was tried before the halt; empty where nothing could be tried. */
  public static String tried(HaltCause cause, Phrases t) {
    return new Sentences(t).tried(cause);
  }

  /**
   * How to get failed nodes back and resume the sweep; empty where it is halted for another reason.
   */
  public static Optional<String> nodesBack(Phase.Halted halted, Phrases t) {
    boolean overNodes =
        halted.cause() instanceof HaltCause.NodesFailed
            || (halted.cause() instanceof HaltCause.Incurable incurable
                && incurable.steps().stream().anyMatch(Sentences::isVainResume));
    return overNodes && !halted.failingNodes().isEmpty()
        ? Optional.of(t.text("halted.nodes", String.join(",", halted.failingNodes())))
        : Optional.empty();
  }

  private static boolean isVainResume(HaltCause.StepTried step) {
    return step.action().equals(RemedyStep.RESUME_NODE) && !step.end().succeeded();
  }

  public static String of(QuestionAbout about, Phrases t) {
    return new Sentences(t).question(about);
  }

  public static String of(Occurrence what, Phrases t) {
    return new Sentences(t).occurrence(what);
  }

  public static String of(SweepEnding ending, Phrases t) {
    return new Sentences(t).ending(ending);
  }

  /** The result of the sweep; for a halted sweep that a person stopped, also why it was halted. */
  public static String of(Phase.Finished finished, Phrases t) {
    return of(finished.ending(), t)
        + finished.halted().map(h -> t.text("stopped.halted", of(h.cause(), t))).orElse("");
  }

  private String halt(HaltCause cause) {
    return switch (cause) {
      case HaltCause.Incurable c -> failure(c.failureClass(), c.detail());
      case HaltCause.EveryProfileFails c ->
          say("all-fail", c.failureClass(), list(c.profiles()), t.text(c.detail()));
      case HaltCause.NothingAsMeant c ->
          say("none-as-meant", list(c.profiles()), t.text(c.found()));
      case HaltCause.NodesFailed c -> say("nodes-failed-in", c.nodes(), c.wave());
      case HaltCause.ControllerDown c ->
          KnownClasses.CONTROLLER_DOWN + ": " + say("controller-down", time(c.limit()), c.error());
      case HaltCause.TargetTooSmall c ->
          say("blind", number("%+.1f", c.targetPercent()), detectable(c.detectable()));
      case HaltCause.NodesRefused c -> faults(c.faults());
      case HaltCause.DaemonError c -> say("daemon-errors", c.looks(), c.error());
      case HaltCause.Told c -> t.said(c.sentence());
    };
  }

  private String tried(HaltCause cause) {
    return switch (cause) {
      case HaltCause.Incurable c ->
          c.steps().stream().map(this::step).distinct().collect(Collectors.joining("; "));
      case HaltCause.EveryProfileFails c -> say("because-tried");
      case HaltCause.NothingAsMeant c -> say("because-twice");
      case HaltCause.NodesFailed c -> say("because-nodes-resumed");
      case HaltCause.ControllerDown c -> say("because-asked-again");
      case HaltCause.NodesRefused c -> say("node-nothing-tried");
      case HaltCause.TargetTooSmall c -> "";
      case HaltCause.DaemonError c -> "";
      case HaltCause.Told c -> t.said(c.tried());
    };
  }

  private String step(HaltCause.StepTried step) {
    String key =
        switch (step.end()) {
          case StepEnd.Succeeded end -> end.isSpared() ? "tried.spared" : "tried.succeeded";
          case StepEnd.Failed end -> "tried.failed";
          case StepEnd.Refused end -> "tried.refused";
        };
    return t.text(key, step.action(), t.text(step.end().said()));
  }

  private String question(QuestionAbout about) {
    return switch (about) {
      case QuestionAbout.RemedyStep q ->
          say("because-may-i", q.action(), q.attempt(), q.failureClass());
      case QuestionAbout.FaultyNodes q -> say("node-go-on", faults(q.faults()));
      case QuestionAbout.UnaddressedCost q -> {
        String share = number("%.1f", q.sharePercent());
        yield q.known().isEmpty()
            ? say("because-shall-plain", q.cost(), share)
            : say(
                "because-shall",
                q.cost(),
                share,
                " " + say("because-others-have", String.join("; ", q.known())));
      }
      case QuestionAbout.Proposal q ->
          say(
              q.moving().isEmpty() ? "llm-proposes" : "llm-proposes-moving",
              q.profile(),
              q.settings(),
              number("%+.1f", q.lowPercent()),
              number("%+.1f", q.highPercent()),
              list(q.moving()));
      case QuestionAbout.Told q -> t.said(q.text());
    };
  }

  private String occurrence(Occurrence what) {
    return switch (what) {
      case Occurrence.TargetTooSmall o ->
          say("because-blind", number("%+.1f", o.targetPercent()), detectable(o.detectable()));
      case Occurrence.FaultyNodesAtDawn o -> say("node-dawn", faults(o.faults()));
      case Occurrence.NobodyAnswered o ->
          say(
              "because-answer-is",
              question(o.question()),
              say(o.yes() ? "refusal-yes" : "refusal-no"));
      case Occurrence.NoCheckout o -> say("because-no-checkouts", o.since(), o.tries());
      case Occurrence.NodesAwaited o ->
          say("nodes-awaited", failure(o.failureClass(), o.detail()), time(o.patience()));
      case Occurrence.ProfileSetAside o ->
          say("because-set-aside", o.profile(), failure(o.failureClass(), o.detail()));
      case Occurrence.SourceChanged o -> t.text(o.statement());
      case Occurrence.RealDataRan o ->
          say(
              "because-real-ended",
              o.profile(),
              o.loss().map(this::loss).orElseGet(() -> say("because-no-loss")));
      case Occurrence.RealDataFailed o ->
          say("because-real-ended", o.profile(), failure(o.failureClass(), o.detail()));
      case Occurrence.Told o -> t.said(o.text());
    };
  }

  private String loss(Occurrence.LossCourse loss) {
    return say(
        "because-loss-went",
        number("%.4f", loss.first()),
        number("%.4f", loss.last()),
        loss.steps());
  }

  private String name(SweepEnding.EndCount count) {
    return OTHER_ENDS.contains(count.end()) ? t.text(count.end()) : count.end();
  }

  private String ending(SweepEnding ending) {
    return switch (ending) {
      case SweepEnding.Won e ->
          say(
              e.moving().isEmpty() ? "wins" : "wins-moving",
              e.profile(),
              Figures.signed(e.percent(), 2),
              e.runs(),
              list(e.moving()));
      case SweepEnding.NothingMeasured e ->
          say(
              "nothing-measured",
              e.ends().isEmpty()
                  ? say("no-job-ended")
                  : e.ends().stream()
                      .map(end -> end.jobs() + " x " + name(end))
                      .collect(Collectors.joining(", ")));
      case SweepEnding.Bounded e -> {
        String key = e.profiles() == 1 ? "bounded-one" : "bounded";
        String hopeless = number("%+.1f", e.hopelessPercent());
        yield e.best()
            .map(
                best ->
                    say(
                        key + "-best",
                        e.profiles(),
                        hopeless,
                        best.profile(),
                        Figures.signed(best.percent(), 2)))
            .orElseGet(() -> say(key, e.profiles(), hopeless));
      }
      case SweepEnding.BudgetSpent e -> say("budget-ended");
      case SweepEnding.NoneBetter e -> say("none-better");
      case SweepEnding.StoppedByCommand e -> say("stopped-by-command-" + LowerCase.of(e.mode()));
      case SweepEnding.Told e -> t.said(e.sentence());
    };
  }

  private String detectable(DetectableGain d) {
    String noise = number("%.2f", 100 * d.noise());
    return d.smallest().isPresent()
        ? say(
            "sees",
            d.jobs(),
            noise,
            number("%+.1f", 100 * d.smallest().getAsDouble()),
            d.profiles())
        : say("sees-none", d.jobs(), noise, d.profiles());
  }

  private String faults(List<NodeFault> faults) {
    return faults.stream().map(this::fault).collect(Collectors.joining("; "));
  }

  private String fault(NodeFault fault) {
    return switch (fault) {
      case NodeFault.Slow slow ->
          slow.value().isEmpty()
              ? say("node-no-figure", slow.node(), metric(slow.metric()))
              : say(
                  switch (slow.against()) {
                    case OTHER_NODES -> "node-slow-others";
                    case EARLIER_CHECKS -> "node-slow-earlier";
                    case THE_OTHER_NODE -> "node-slow-of-two";
                  },
                  slow.node(),
                  number("%.0f", 100 * slow.loss()),
                  metric(slow.metric()));
      case NodeFault.Strained strained -> NodeSection.strain(strained.strain(), t);
    };
  }

  private String metric(NodeMetric metric) {
    return say(
        switch (metric) {
          case GEMM_FLOPS -> "node-matrix-products";
          case COPY_BYTES -> "node-copying";
          case PAIR_BYTES -> "node-pair";
          case RING_BYTES -> "node-ring";
        });
  }

  private String failure(String failureClass, Statement detail) {
    return failureClass + ": " + t.text(detail);
  }

  private String time(Duration time) {
    return time.toSecondsPart() == 0
        ? say("for-minutes", time.toMinutes())
        : say("for-seconds", time.toSeconds());
  }

  private static String list(List<String> names) {
    return String.join(", ", names);
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private String say(String key, Object... values) {
    return t.text(Said.KEYS + key, values);
  }
}
