package io.nightsweep.cli;

import io.nightsweep.cluster.Hostlist;
import io.nightsweep.engine.Admission;
import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.plan.AddedProfiles;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.report.Figures;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Progress;
import io.nightsweep.report.Remarks;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Command.Origin;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands that send something to a running sweep. */
final class TellCommands {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private TellCommands() {}

  /** Sends the command to the daemon; returns why it refused, or empty if it accepted. */
  static Optional<String> refusal(DaemonClient daemon, String sweep, Command command, Origin origin)
      throws IOException {
    return daemon.ask(new Request.Tell(sweep, command, origin), PATIENCE)
            instanceof Reply.Refused refused
        ? Optional.of(refused.reason())
        : Optional.empty();
  }

  /** The common part of these commands. */
  abstract static class TellCommand implements Callable<Integer> {
    @Spec CommandSpec spec;
    @Mixin StateOptions state;

    @Mixin private OnBehalf onBehalf;

    abstract Command command() throws IOException, CliException, InvalidInputException;

    /** What is true now that the sweep has accepted the command. */
    abstract String done() throws IOException, CliException;

    /** The files that the command is read from. */
    List<Path> reads() {
      return List.of();
    }

    /**
     * What was done in place of a command to the sweep, as a line; empty where the command was
     * sent.
     */
    Optional<String> instead() throws CliException {
      return Optional.empty();
    }

    @Override
    public final Integer call() throws IOException, CliException, InvalidInputException {
      Optional<String> instead = onBehalf.isCheck() ? Optional.empty() : instead();
      if (instead.isPresent()) {
        spec.commandLine().getOut().println(instead.get());
        return ExitCode.OK;
      }
      Command command = command();
      StateOptions.Chosen chosen = state.chosen();
      String sweep = chosen.directory().id();
      // A finished sweep's refusal needs no daemon.
      if (onBehalf.isCheck() || chosen.state().isFinished()) {
        Optional<Statement> against =
            Admission.refusal(chosen.state(), command, onBehalf.origin().door());
        if (against.isPresent()) {
          throw new CliException(ExitCode.REFUSED, "refused: " + Phrases.EN.text(against.get()));
        }
      }
      if (onBehalf.isCheck()) {
        spec.commandLine().getOut().println(OnBehalf.checked(sweep, reads()));
        return ExitCode.OK;
      }
      Optional<String> refusal = refusal(state.client(), sweep, command, onBehalf.origin());
      if (refusal.isPresent()) {
        throw new CliException(ExitCode.REFUSED, "refused: " + refusal.get());
      }
      spec.commandLine().getOut().println(sweep + ": " + done());
      return ExitCode.OK;
    }
  }

  @CommandLine.Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = "Submit nothing more until 'resume'; running jobs end and are measured.")
  static final class PauseCommand extends TellCommand {
    @Override
    Command command() {
      return new Command.Pause();
    }

    @Override
    String done() {
      return "paused; go on with: nightsweep resume";
    }
  }

  @CommandLine.Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description = "Go on after a pause or a halt.")
  static final class ResumeCommand extends TellCommand {
    @Option(
        names = "--nodelist",
        paramLabel = "NODES",
        description = "Pin other nodes; everything is measured anew on them.")
    private @Nullable String nodelist;

    @Option(names = "--without", paramLabel = "PROFILE", description = "Leave this profile out.")
    private @Nullable String without;

    @Override
    Command command() throws CliException {
      Optional<List<String>> nodes = Optional.empty();
      if (nodelist != null) {
        try {
          nodes = Optional.of(Hostlist.parse(nodelist));
        } catch (Hostlist.SyntaxException e) {
          throw new CliException(ExitCode.USAGE, "--nodelist " + nodelist + ": " + e.getMessage());
        }
      }
      return new Command.Resume(nodes, Optional.ofNullable(without));
    }

    @Override
    String done() {
      return "goes on";
    }
  }

  @CommandLine.Command(
      name = "stop",
      mixinStandardHelpOptions = true,
      description = {
        "End the sweep for good; the partial report is written.",
        "With --daemon, the daemon ends and no sweep does: 'nightsweep start' continues where it"
            + " was."
      })
  static final class StopCommand extends TellCommand {
    @Option(names = "--cancel", description = "Cancel running jobs too (default: they end first).")
    private boolean cancel;

    @Option(names = "--drain", description = "Let running jobs end and measure them (default).")
    private boolean drain;

    @Option(
        names = "--daemon",
        description =
            "End the background daemon: running jobs go on, and 'nightsweep start' continues the"
                + " sweeps.")
    private boolean daemon;

    @Override
    Optional<String> instead() throws CliException {
      if (!daemon) {
        return Optional.empty();
      }
      if (cancel || drain) {
        throw new CliException(
            ExitCode.USAGE,
            "--daemon ends no sweep, so "
                + (cancel ? "--cancel" : "--drain")
                + " has no effect here; first: nightsweep stop "
                + (cancel ? "--cancel" : "--drain"));
      }
      Path root = state.directory().root();
      Reply.Pong pong =
          state
              .client()
              .ping(PATIENCE)
              .orElseThrow(
                  () -> new CliException(ExitCode.NOT_FOUND, "no daemon runs for " + root));
      boolean comesBack =
          DaemonEnvironment.of(pong.pid())
              .map(environment -> environment.get("SYSTEMD_EXEC_PID"))
              .filter(Long.toString(pong.pid())::equals)
              .isPresent();
      if (!Background.ended(pong)) {
        throw new CliException(
            ExitCode.FAILED, "the daemon does not end; end it: kill " + pong.pid());
      }
      return Optional.of(
          "the daemon of "
              + root
              + " has ended"
              + (comesBack
                  ? "; systemd starts it again (for good: systemctl stop nightsweep)"
                  : "; running jobs go on, and 'nightsweep start' continues unfinished sweeps"));
    }

    @Override
    Command command() throws CliException {
      if (cancel && drain) {
        throw new CliException(ExitCode.USAGE, "--drain and --cancel exclude each other");
      }
      return new Command.Stop(cancel ? Command.Stop.Mode.CANCEL : Command.Stop.Mode.DRAIN);
    }

    @Override
    String done() {
      return "stops; see: nightsweep report";
    }
  }

  @CommandLine.Command(
      name = "skip",
      mixinStandardHelpOptions = true,
      description = "Leave a profile out from now on.")
  static final class SkipCommand extends TellCommand {
    @Parameters(paramLabel = "PROFILE")
    private String profile;

    @Override
    Command command() {
      return new Command.SkipProfile(profile);
    }

    @Override
    String done() {
      return profile + " is left out";
    }
  }

  @CommandLine.Command(
      name = "add",
      mixinStandardHelpOptions = true,
      description = {
        "Adds profiles to a running sweep, from a YAML file or as one in quotes.",
        "A file has them below 'profiles:' as a sweep file; one in quotes is 'NAME --xla_flag=value"
            + " VARIABLE=value setting=\"a value\"' or '{NAME: {env: {VARIABLE: value}}}'."
      })
  static final class AddCommand extends TellCommand {
    @Parameters(paramLabel = "FILE|PROFILE", arity = "1..*")
    private List<String> what = List.of();

    @Option(
        names = "--as-written",
        description = "Accept a flag that looks like a misspelt flag of the catalogs.")
    private boolean asWritten;

    private int added;
    private List<String> doubts = List.of();

    @Override
    Command command() throws IOException, CliException, InvalidInputException {
      SweepSpec sweep = state.chosen().state().spec();
      String text = String.join(" ", what);
      Optional<Path> file = file(text);
      List<Profile> profiles =
          file.isPresent()
              ? AddedProfiles.ofFile(file.get(), sweep, asWritten, System.getenv())
              : AddedProfiles.ofLine(text, sweep, asWritten, System.getenv());
      added = profiles.size();
      doubts = Remarks.misspelt(sweep, profiles, Phrases.EN, name -> "'" + name + "'");
      return new Command.AddProfiles(profiles);
    }

    @Override
    List<Path> reads() {
      return file(String.join(" ", what)).stream().toList();
    }

    private static Optional<Path> file(String text) {
      try {
        Path path = Path.of(text);
        return text.matches("\\S+\\.ya?ml") || Files.isRegularFile(path)
            ? Optional.of(path)
            : Optional.empty();
      } catch (InvalidPathException e) {
        return Optional.empty();
      }
    }

    @Override
    String done() throws IOException, CliException {
      Phase phase = state.chosen().state().phase();
      boolean waits = phase instanceof Phase.Paused || phase instanceof Phase.Halted;
      return Figures.count(added, "profile")
          + (added == 1 ? " is" : " are")
          + (waits
              ? " added, to be tried when the %s sweep goes on: nightsweep resume"
                  .formatted(phase instanceof Phase.Paused ? "paused" : "halted")
              : " tried next")
          + doubts.stream().map("\nwarning  "::concat).collect(Collectors.joining());
    }
  }

  @CommandLine.Command(
      name = "budget",
      mixinStandardHelpOptions = true,
      description = "Replace the limits that are given; the others stay.")
  static final class BudgetCommand extends TellCommand {
    @Option(names = "--jobs", description = "How many jobs, retries included.")
    private @Nullable Integer jobs;

    @Option(names = "--hours", description = "How long, from the sweep's start.")
    private @Nullable Double hours;

    @Option(
        names = "--node-hours",
        description = "How many node-hours jobs may use: nodes times running hours.")
    private @Nullable Double nodeHours;

    @Override
    Command command() {
      return new Command.SetBudget(
          Optional.ofNullable(jobs),
          Optional.ofNullable(hours).map(h -> Duration.ofSeconds(Math.round(h * 3600))),
          Optional.ofNullable(nodeHours));
    }

    @Override
    String done() throws IOException, CliException {
      SweepState s = state.chosen().state();
      Instant now = Instant.now();
      return "the budget is now "
          + PacingText.budget(s.spec().budget())
          + "; used: "
          + Figures.count(s.jobsTaken(), "job")
          + ", "
          + Figures.duration(s.elapsed(now))
          + Progress.of(s, now).spentNodeHours().map(spent -> ", " + spent).orElse("");
    }
  }
}
