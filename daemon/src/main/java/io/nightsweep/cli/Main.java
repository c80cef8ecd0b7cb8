package io.nightsweep.cli;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.Version;
import io.nightsweep.journal.Redaction;
import io.nightsweep.plan.InvalidInputException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The command line. */
@Command(
    name = "nightsweep",
    mixinStandardHelpOptions = true,
    versionProvider = Main.VersionProvider.class,
    description = {
      "Finds faster settings for a program on a Slurm cluster or on this machine, overnight.",
      "See it work: nightsweep demo. Begin with a program of your own: nightsweep init."
    },
    footer = {
      "",
      "Three more need no Java: 'nightsweep setup' installs what is missing,",
      "'nightsweep lab up' starts a real Slurm of virtual nodes on this machine,",
      "'nightsweep bundle FILE.tar.gz' packs everything, with its own Java.",
      "",
      "The daemon that 'start' leaves in the background ends by itself ten minutes",
      "after its last sweep; to end it now: nightsweep stop --daemon.",
      "",
      "Exit status: 0 done, 1 failed, 2 wrong command line, 3 invalid file, 4 refused,",
      "5 no daemon or no such sweep, 6 doctor found a fault, 7 no winner."
    })
public final class Main {
  private static final List<Class<?>> COMMANDS =
      List.of(
          DemoCommand.class,
          InitCommand.class,
          DoctorCommand.class,
          RehearseCommand.class,
          StartCommand.class,
          ScheduleCommand.class,
          ServeCommand.class,
          SweepsCommand.class,
          StatusCommand.class,
          WatchCommand.class,
          CleanCommand.class,
          TellCommands.PauseCommand.class,
          TellCommands.ResumeCommand.class,
          TellCommands.StopCommand.class,
          TellCommands.SkipCommand.class,
          TellCommands.AddCommand.class,
          TellCommands.BudgetCommand.class,
          AnswerCommands.ApproveCommand.class,
          AnswerCommands.DenyCommand.class,
          ReportCommand.class,
          PageCommand.class,
          ValidateCommand.class,
          ExplainCommand.class,
          AdviseCommand.class,
          CompareCommand.class,
          TriageCommand.class,
          PlaybookCommand.class,
          BenchCommand.class,
          CompletionCommand.class,
          ManCommand.class,
          McpCommand.class,
          GrantCommand.class,
          ConfirmCommand.class,
          SkillCommand.class,
          TrainCommand.class,
          CommandLine.HelpCommand.class);

  /** Commands that describe all other commands and so need every one registered. */
  private static final Set<Class<?>> NEED_ALL =
      Set.of(CompletionCommand.class, ManCommand.class, CommandLine.HelpCommand.class);

  private static final Set<String> FOR_PROGRAMS = Set.of("completion", "mcp");

  /**
   * Commands with output for programs, for a stored page, or for a person's consent; it is printed
   * unchanged.
   */
  private static final Set<String> AS_IT_IS = Set.of("completion", "mcp", "report", "confirm");

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Print where an error came from.")
  private boolean verbose;

  private Main() {}

  public static void main(String[] args) {
    int code = run(args);
    Optional<String> lost = lostOutput();
    lost.ifPresent(why -> System.err.println("error: the output is incomplete: " + why));
    System.exit(lost.isPresent() && code == ExitCode.OK ? ExitCode.FAILED : code);
  }

  /**
   * Why output was lost, such as on a full disk; empty if none was, or if its reader had enough.
   * The stream itself keeps no reason.
   */
  private static Optional<String> lostOutput() {
    if (!System.out.checkError()) {
      return Optional.empty();
    }
    try (OutputStream again = new FileOutputStream(FileDescriptor.out)) {
      again.write('\n');
      return Optional.of("a part could not be written");
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage());
      return why.contains("Broken pipe") ? Optional.empty() : Optional.of(why);
    }
  }

  static int run(String... args) {
    Charset encoding = Terminal.encoding();
    return run(
        Transliterated.of(System.out, encoding, () -> columns(Terminal.columns(), args)),
        Transliterated.of(System.err, encoding, Terminal::errorColumns),
        args);
  }

  /** Output for a shell or a program is never wrapped, even on a terminal. */
  private static int columns(int ofTerminal, String... args) {
    return args.length > 0 && FOR_PROGRAMS.contains(args[0]) ? Integer.MAX_VALUE : ofTerminal;
  }

  /** Like {@code main}, but prints to the given writers. */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    String[] asked = helpOfTwoWords(args);
    return commandLine(meant(asked), Terminal::columns).setOut(out).setErr(err).execute(asked);
  }

  /**
   * Turns {@code help playbook test} into {@code playbook test --help}, since picocli's help
   * accepts only one word.
   */
  private static String[] helpOfTwoWords(String... args) {
    return args.length == 3 && args[0].equals("help")
        ? new String[] {args[1], args[2], "--help"}
        : args;
  }

  /** The command line with all commands. */
  static CommandLine commandLine() {
    return commandLine(Terminal::columns);
  }

  /** The command line with all commands and with help that fits a terminal of this many columns. */
  static CommandLine commandLine(IntSupplier columns) {
    return commandLine(COMMANDS, columns);
  }

  /**
   * Registers only the command that is named first, since reading the annotations of all others
   * takes time.
   */
  private static List<Class<?>> meant(String... args) {
    return COMMANDS.stream()
        .filter(c -> args.length > 0 && c.getAnnotation(Command.class).name().equals(args[0]))
        .filter(c -> !NEED_ALL.contains(c))
        .findFirst()
        .<List<Class<?>>>map(List::of)
        .orElse(COMMANDS);
  }

  private static CommandLine commandLine(List<Class<?>> commands, IntSupplier columns) {
    Main main = new Main();
    CommandLine line = new CommandLine(main);
    commands.forEach(line::addSubcommand);
    return HelpText.foldedBy(line, columns)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(new Misspelt(COMMANDS))
        .setExecutionStrategy(Main::withoutErrors)
        .setExecutionExceptionHandler((e, command, result) -> main.explain(e, command));
  }

  /**
   * Explains an error that a file can cause like an exception, since picocli does not catch errors.
   */
  private static int withoutErrors(CommandLine.ParseResult parsed) {
    try {
      complete(parsed);
    } catch (InvalidPathException e) {
      throw new ParameterException(
          parsed.commandSpec().commandLine(), Misspelt.noPath(e.getInput()), e);
    }
    try {
      return new CommandLine.RunLast().execute(parsed);
    } catch (StackOverflowError | OutOfMemoryError e) {
      throw new CommandLine.ExecutionException(
          parsed.commandSpec().commandLine(),
          "an input needs more memory than there is: " + e,
          new IOException("an input needs more memory than there is: " + e, e));
    } finally {
      // So no command needs to flush at its end.
      parsed.asCommandLineList().getLast().getOut().flush();
    }
  }

  /**
   * Adds the given options to the commands that the output tells people to type, so that they reach
   * the same folder and sweep.
   */
  private static void complete(CommandLine.ParseResult parsed) {
    CommandLine command = parsed.asCommandLineList().getLast();
    CommandLine.ParseResult own = command.getParseResult();
    Optional<Path> state = given(own, "--state", Path.class);
    Optional<String> sweep = given(own, "--sweep", String.class);
    Typeable ofTheFolder = Typeable.in(StateDirectory.resolve(state, System.getenv()));
    Typeable typeable = sweep.map(ofTheFolder::about).orElse(ofTheFolder);
    command.setErr(typeable.before(command.getErr()));
    if (!AS_IT_IS.contains(command.getCommandName())) {
      command.setOut(typeable.before(command.getOut()));
    }
  }

  /**
   * The option's value; empty where the option is not given, or is an option of another type with
   * the same name.
   */
  private static <T> Optional<T> given(
      CommandLine.ParseResult parsed, String option, Class<T> kind) {
    return parsed.matchedOptions().stream()
        .filter(o -> o.longestName().equals(option))
        .map(CommandLine.Model.OptionSpec::getValue)
        .filter(kind::isInstance)
        .map(kind::cast)
        .findFirst();
  }

  private int explain(Exception e, CommandLine command) {
    if (verbose) {
      StringWriter trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      command.getErr().println(shown(trace.toString()));
    }
    String message = String.valueOf(e.getMessage());
    return switch (e) {
      case InvalidInputException x -> fail(command, message, ExitCode.INVALID_INPUT);
      case DaemonClient.NoDaemonException x -> fail(command, message, ExitCode.NOT_FOUND);
      case ClusterUnreachableException x ->
          fail(
              command,
              isLocal(command)
                  ? "the cluster gives no answer: " + message
                  : "no Slurm answers here. With --cluster local, jobs run as processes of this"
                      + " machine;"
                      + " 'nightsweep lab up' starts a Slurm of virtual nodes\n"
                      + "What it said: "
                      + message,
              ExitCode.FAILED);
      case CliException x -> fail(command, message, x.exitCode());
      case InterruptedException x -> fail(command, "interrupted", ExitCode.FAILED);
      case FileSystemException x when x.getReason() == null ->
          fail(command, "error: " + withReason(x), ExitCode.FAILED);
      default ->
          fail(
              command,
              "error: " + (e.getMessage() == null ? e.toString() : message),
              ExitCode.FAILED);
    };
  }

  /** The message of such an exception is only the file's name. */
  private static String withReason(FileSystemException e) {
    String file = String.valueOf(e.getFile());
    Path folder = Path.of(file).toAbsolutePath().getParent();
    return switch (e) {
      case NoSuchFileException x ->
          folder == null || Files.isDirectory(folder)
              ? "there is no " + file
              : "there is no folder " + folder;
      case FileAlreadyExistsException x -> file + " is there already, and is not a folder";
      case AccessDeniedException x -> file + ": permission denied";
      default -> e.toString();
    };
  }

  private static boolean isLocal(CommandLine command) {
    return given(command.getParseResult(), "--cluster", ClusterChoice.Kind.class)
        .filter(kind -> kind == ClusterChoice.Kind.LOCAL)
        .isPresent();
  }

  /** Masks secrets: an error may quote Slurm, ssh, files and servers. */
  private static String shown(String text) {
    return Redaction.of(System.getenv()).shown(text);
  }

  private static int fail(CommandLine command, String message, int code) {
    command.getErr().println(shown(message));
    command.getErr().flush();
    return code;
  }

  /** The version with which the jar was built. */
  static final class VersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"nightsweep " + Version.current()};
    }
  }
}
