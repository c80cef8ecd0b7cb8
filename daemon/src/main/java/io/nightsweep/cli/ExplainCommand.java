package io.nightsweep.cli;

import io.nightsweep.conductor.Standings;
import io.nightsweep.engine.Explanation;
import io.nightsweep.journal.Json;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.plan.Nearest;
import io.nightsweep.report.ComparedRuns;
import io.nightsweep.report.EventLines;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.ProfileVerdict;
import io.nightsweep.report.Subject;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description =
        "Shows why a profile won, lost or failed, and by which runs; for anything else, what was"
            + " decided and why.")
final class ExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Parameters(
      paramLabel = "ABOUT",
      arity = "0..1",
      description =
          "A profile, a wave, a trial (t0012), an attempt (t0012a1), or 'last' (default: how the"
              + " sweep stands, a line for each profile).")
  private Optional<String> about = Optional.empty();

  @Option(
      names = "--events",
      description = "Shows each decision about it, and the events that led to each.")
  private boolean showEvents;

  @Option(names = "--last", description = "Only the last N decisions (default: 20; 0: all).")
  private int last = 20;

  @Option(names = "--json", description = "One object on a line for each decision.")
  private boolean json;

  @Override
  public Integer call() throws IOException, CliException {
    if (last < 0) {
      throw new CliException(
          ExitCode.USAGE, "--last " + last + ": expected a number of at least 0");
    }
    StateOptions.Chosen sweep = state.chosen();
    Explanation explanation =
        Explanation.of(Explanation.Grounds.of(sweep.directory()), sweep.state(), about, last);
    PrintWriter out = spec.commandLine().getOut();
    boolean onlyLast = about.filter("last"::equals).isPresent();
    if (about.isPresent() && !onlyLast && !Subject.isKnown(sweep.state(), about.get())) {
      throw new CliException(ExitCode.NOT_FOUND, unknown(sweep.state(), about.get()));
    }
    if (json) {
      Optional<String> named = explanation.profile();
      if (named.isPresent()) {
        out.println(
            Json.mapper().writeValueAsString(new ProfileLines(verdict(sweep, named.get()))));
      }
      for (Explanation.ExplainedDecision step : explanation.steps()) {
        out.println(Json.mapper().writeValueAsString(DecisionLine.of(step)));
      }
      return ExitCode.OK;
    }
    if (about.isEmpty() && !showEvents && !isLastGiven()) {
      outcome(out, sweep.state());
      return ExitCode.OK;
    }
    Optional<String> profile = explanation.profile();
    profile.ifPresent(
        name -> verdict(sweep, name).stream().map(Terminal::plain).forEach(out::println));
    boolean showSteps = profile.isEmpty() || showEvents;
    if (showSteps && explanation.steps().isEmpty()) {
      out.println("nothing was decided about " + about.orElse("this sweep"));
    }
    if (showSteps) {
      explanation.steps().forEach(step -> print(out, step));
    }
    List<String> runs =
        profile.stream()
            .flatMap(p -> ComparedRuns.of(sweep.state(), p, Phrases.EN).stream())
            .map(Display::line)
            .toList();
    if (!runs.isEmpty()) {
      out.printf(
          "%nruns of %s, each against the baseline of its own time, a fresh one against its block's"
              + " controls alone:%n",
          profile.orElseThrow());
      runs.stream().map(Terminal::plain).forEach(out::println);
    }
    if (!showSteps) {
      out.println("\nits decisions and events: nightsweep explain " + about.get() + " --events");
    }
    return ExitCode.OK;
  }

  /** Adds the log of the profile's last failure, which contains more than the quoted lines. */
  private static List<String> verdict(StateOptions.Chosen sweep, String profile) {
    List<String> lines = new ArrayList<>(ProfileVerdict.lines(sweep.state(), profile));
    ProfileVerdict.lastFailed(sweep.state(), profile)
        .map(failed -> "log       " + sweep.directory().job(failed.id()).log())
        .ifPresent(lines::add);
    return lines;
  }

  private boolean isLastGiven() {
    return spec.commandLine().getParseResult().hasMatchedOption("--last");
  }

  /** The state of the sweep and of each of its profiles. */
  private static void outcome(PrintWriter out, SweepState s) {
    Leaderboard board = Standings.board(s);
    List<String> lines = new ArrayList<>();
    Display.why(s.phase()).ifPresent(lines::add);
    for (String profile : s.profileOrder()) {
      lines.add(profile + "  " + ProfileVerdict.sentence(s, board, profile, Phrases.EN));
    }
    lines.add("");
    lines.add("more about one of them: nightsweep explain PROFILE; more decisions: --last N");
    lines.stream().map(Terminal::plain).forEach(out::println);
    out.flush();
  }

  private static String unknown(SweepState s, String name) {
    List<String> failed =
        s.attempts().filter(a -> a.isFailedAs(name)).map(a -> a.id().toString()).toList();
    if (!failed.isEmpty()) {
      return "'"
          + name
          + "' is not a profile but the failure that ended "
          + String.join(", ", failed)
          + "; about the last of them: nightsweep explain "
          + failed.getLast();
    }
    return "sweep "
        + s.sweep()
        + " has no profile, wave, trial or config tag '"
        + name
        + "'"
        + Nearest.question(name, Subject.names(s)).orElse(".")
        + " Its profiles: "
        + String.join(", ", s.profileOrder());
  }

  private void print(PrintWriter out, Explanation.ExplainedDecision step) {
    DecisionLine line = DecisionLine.of(step);
    for (Happened event : showEvents ? line.after() : List.<Happened>of()) {
      out.printf(
          "%s  #%d  %s%n", Display.moment(event.at()), event.seq(), Terminal.plain(event.words()));
    }
    out.printf(
        "%s  => %s%n           because %s%n",
        Display.moment(step.at()), Terminal.plain(line.decision()), Terminal.plain(line.because()));
  }

  /** The outcome of a profile, printed before the decisions about it. */
  private record ProfileLines(List<String> verdict) {}

  /** A decision in English, in the form of {@code --json}. */
  private record DecisionLine(
      Instant at, long seq, String decision, String because, List<Happened> after) {
    static DecisionLine of(Explanation.ExplainedDecision step) {
      return new DecisionLine(
          step.at(),
          step.seq(),
          EventLines.of(step.decision()),
          EventLines.because(step.decision()),
          step.after().stream()
              .map(e -> new Happened(e.seq(), e.at(), EventLines.of(e.event())))
              .toList());
    }
  }

  private record Happened(long seq, Instant at, String words) {}
}
