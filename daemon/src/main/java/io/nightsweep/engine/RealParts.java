package io.nightsweep.engine;

import io.nightsweep.asked.Commands;
import io.nightsweep.chat.Chat;
import io.nightsweep.chat.ChatSettings;
import io.nightsweep.chat.ChatSweeps;
import io.nightsweep.chat.Credentials;
import io.nightsweep.chat.Messenger;
import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.local.LocalCluster;
import io.nightsweep.cluster.slurm.SlurmCluster;
import io.nightsweep.endpoint.HttpLanguageModel;
import io.nightsweep.endpoint.LanguageModel;
import io.nightsweep.endpoint.LlmSeat;
import io.nightsweep.journal.Redaction;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.LlmFile;
import io.nightsweep.plan.LlmSettings;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.triage.PlaybookDiagnoser;
import io.nightsweep.workload.CheckedWorkload;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.Workloads;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a real night. */
public final class RealParts implements Parts {
  private static final List<String> LOCAL_NODES = List.of("n1", "n2", "n3", "n4");

  private static final Logger log = LoggerFactory.getLogger(RealParts.class);

  private final Path home;
  private final Map<String, String> environment;
  private final Path userHome;
  private final Optional<Commands> commands;

  /**
   * @param home contains the kernels
   */
  public RealParts(Path home) {
    this(home, System.getenv(), Path.of(System.getProperty("user.home")));
  }

  /**
   * @param environment contains the chat's credentials and settings
   * @param userHome contains {@code .tg_config}
   */
  public RealParts(Path home, Map<String, String> environment, Path userHome) {
    this(home, environment, userHome, Optional.empty());
  }

  private RealParts(
      Path home, Map<String, String> environment, Path userHome, Optional<Commands> commands) {
    this.home = home;
    this.environment = Map.copyOf(environment);
    this.userHome = userHome;
    this.commands = commands;
  }

  /** These parts, with a means to run this program's commands. */
  public RealParts running(Commands ours) {
    return new RealParts(home, environment, userHome, Optional.of(ours));
  }

  @Override
  public Commands commands() {
    return commands.orElseGet(Parts.super::commands);
  }

  @Override
  public Cluster cluster(ClusterChoice choice, StateDirectory state) {
    return switch (choice.kind()) {
      case SLURM ->
          new SlurmCluster(
              choice.way().runner(SlurmCluster.environment(choice.slurmConf())),
              InstantSource.system());
      case LOCAL -> new LocalCluster(state.localQueue(), LOCAL_NODES);
    };
  }

  @Override
  public LookPace pace(ClusterChoice choice) {
    return switch (choice.kind()) {
      case SLURM -> LookPace.OF_A_SHARED_QUEUE;
      case LOCAL -> LookPace.OF_AN_OWN_QUEUE;
    };
  }

  @Override
  public Workload workload(String kind) {
    Workload own =
        Workloads.find(kind)
            .orElseThrow(
                () -> new IllegalArgumentException("no workload '" + kind + "' in this build"))
            .open(home);
    return nodeGate().<Workload>map(gate -> new CheckedWorkload(own, gate)).orElse(own);
  }

  @Override
  public Optional<Workload> nodeGate() {
    return Workloads.nodeGate(home);
  }

  @Override
  public Diagnoser diagnoser(SweepSpec spec) {
    return new PlaybookDiagnoser(spec.playbook().recognition());
  }

  @Override
  public RemedySteps remedySteps(ClusterChoice choice, Cluster cluster, Workload workload) {
    // Nodes are reached from the machine that has the cluster's commands.
    CommandRunner here = choice.way().runner(Map.of());
    return new RemedyActions(
        cluster,
        workload,
        new NodeEvidence(here),
        new NicReset(here),
        here,
        InstantSource.system());
  }

  @Override
  public Reporter reporter() {
    return (directory, state) -> {
      ReportWriter.write(directory.reports(), directory.modelReports(), state);
      Optional<Path> folder = workload(state.spec().workload()).deliverTo(state.spec());
      if (folder.isPresent()) {
        deliver(directory, folder.get(), state);
      }
    };
  }

  /** This is the last step, so that an unwritable folder does not prevent the others. */
  private static void deliver(SweepDirectory directory, Path folder, SweepState state)
      throws IOException {
    try {
      ReportWriter.deliver(directory.reports(), directory.modelReports(), folder, state);
    } catch (IOException e) {
      throw new IOException(
          "it is in "
              + directory.reports()
              + ", and could not be put into "
              + folder
              + " (workload.deliverReport): "
              + e,
          e);
    }
  }

  @Override
  public Redaction redaction() {
    Redaction redaction = Redaction.of(environment);
    try {
      return Messenger.Addresses.find(environment, userHome).known(redaction);
    } catch (Credentials.UnusableException e) {
      return redaction;
    }
  }

  @Override
  public Optional<LlmSeat> llm(StateDirectory state) {
    try {
      return LlmFile.load(state.root()).map(s -> new LlmSeat(s.terms(), model(s)));
    } catch (InvalidInputException e) {
      // A start refuses such a file, so it must have changed after the start.
      log.error("no language model is asked: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private LanguageModel model(LlmSettings settings) {
    try {
      return new HttpLanguageModel(settings, environment);
    } catch (IOException e) {
      log.error("no language model is asked: {}", e.getMessage());
      return LanguageModel.unusable(Statement.words(String.valueOf(e.getMessage())));
    }
  }

  @Override
  public Chat chat(ChatSweeps sweeps, StateDirectory state, InstantSource clock) {
    try {
      Messenger.Addresses addresses = Messenger.Addresses.find(environment, userHome);
      return addresses.isEmpty()
          ? Chat.none("no credentials in the environment or in ~/.tg_config, and no webhook")
          : Messenger.open(
              addresses, ChatSettings.of(environment), sweeps, state.root(), redaction(), clock);
    } catch (Credentials.UnusableException | IOException e) {
      log.error("notices are off: {}", e.getMessage());
      return Chat.none(String.valueOf(e.getMessage()));
    }
  }
}
