package io.nightsweep.cli;

import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Parameters;

/** The commands that answer a question of a running sweep. */
final class AnswerCommands {
  private AnswerCommands() {}

  /** The arguments that approve and deny share. */
  abstract static class AnswerCommand extends TellCommands.TellCommand {
    @Parameters(
        paramLabel = "QUESTION",
        arity = "0..1",
        description = "Its name, as 'status' shows it (default: the only open one).")
    private @Nullable String question;

    final String question() throws CliException, IOException {
      if (question != null) {
        return question;
      }
      SweepState s = state.chosen().state();
      return switch (s.openQuestions().size()) {
        case 0 -> throw new CliException(ExitCode.NOT_FOUND, s.sweep() + " asks nothing");
        case 1 -> s.openQuestions().firstKey();
        default ->
            throw new CliException(
                ExitCode.USAGE,
                "several questions are open; say which: "
                    + String.join(", ", s.openQuestions().keySet()));
      };
    }
  }

  @CommandLine.Command(
      name = "approve",
      mixinStandardHelpOptions = true,
      description = "Answer a question of the sweep with yes.")
  static final class ApproveCommand extends AnswerCommand {
    @Override
    Command command() throws CliException, IOException {
      return new Command.Approve(question());
    }

    @Override
    String done() {
      return "the answer is yes";
    }
  }

  @CommandLine.Command(
      name = "deny",
      mixinStandardHelpOptions = true,
      description = "Answer a question of the sweep with no.")
  static final class DenyCommand extends AnswerCommand {
    @Override
    Command command() throws CliException, IOException {
      return new Command.Deny(question());
    }

    @Override
    String done() {
      return "the answer is no";
    }
  }
}
