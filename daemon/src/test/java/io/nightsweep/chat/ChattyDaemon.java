package io.nightsweep.chat;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.Daemon;
import io.nightsweep.engine.LookPace;
import io.nightsweep.engine.Parts;
import io.nightsweep.engine.RealParts;
import io.nightsweep.engine.RemedySteps;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Reporter;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepOrigin;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Redaction;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A daemon that sweeps the real kernels on this machine and talks to an emulated Telegram. */
final class ChattyDaemon implements AutoCloseable {
  static final String TOKEN = "123456789:AAHdaemonstestdaemonstestdaemonstest01";
  static final long CHAT = 42;

  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  private final StateDirectory state;
  private final ChatSettings settings;
  private Daemon daemon;

  ChattyDaemon(Path state, ChatSettings settings) throws IOException {
    this.state = new StateDirectory(state);
    this.settings = settings;
    daemon = open();
  }

  private Daemon open() throws IOException {
    return Daemon.open(
        state, new ChattyParts(new RealParts(HOME), settings), InstantSource.system());
  }

  void restart() throws IOException {
    daemon.close();
    daemon = open();
  }

  void end() throws IOException {
    daemon.close();
  }

  /** As if the daemon had been killed while it sent a message: later entries were never written. */
  void forgetAllAfter(String sweep, Predicate<Event> last) throws IOException {
    Path journal = state.sweep(sweep).journal();
    List<String> lines = Files.readAllLines(journal);
    List<Event> events = events(sweep);
    for (int i = 0; i < events.size(); i++) {
      if (last.test(events.get(i))) {
        Files.write(journal, lines.subList(0, i + 1));
        return;
      }
    }
    throw new AssertionError("there is no such entry");
  }

  void startAgain() throws IOException {
    daemon = open();
  }

  /** Starts a sweep in which one profile's run fails: it halts, and halts again after a resume. */
  String startWithABrokenProfile() throws Exception {
    return start("broken: {env: {OMPI_MCA_coll: nonsense}}", "linear, broken", 1, Remedy.Then.HALT);
  }

  String startAQuietOne(int repetitions) throws Exception {
    return start(
        "ring: {env: {OMPI_MCA_coll_tuned_allreduce_algorithm: 4}}",
        "linear, ring",
        repetitions,
        Remedy.Then.SET_ASIDE);
  }

  private String start(String profile, String screened, int repetitions, Remedy.Then then)
      throws Exception {
    String text =
        """
          model: allreduce
          parallelism: ranks=2
          slot: {nodelist: "n[1-2]"}
          workload:
            {kind: kernels, kernel: allreduce, sizes: 4096, dtype: f32, iterations: 4, trials: 4, warmup: 1}
          profiles:
            linear:
              env: {OMPI_MCA_coll_tuned_use_dynamic_rules: 1, OMPI_MCA_coll_tuned_allreduce_algorithm: 1}
            %s
          plan:
            waves:
              - {name: baseline, kind: baseline, profiles: [baseline-deployed], repetitions: 2, why: noise}
              - {name: screen, kind: screen, profiles: [%s], repetitions: %d, why: each of them}
          budget: {jobs: 40, hours: 1}
          policy: {jobTimeLimit: 2m}
          playbook: kernels
          """
            .formatted(profile, screened, repetitions);
    ClusterChoice local = ClusterChoice.of(ClusterChoice.Kind.LOCAL, Map.of());
    SweepSpec spec =
        SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("sweep.yaml")))
            .resolve(
                new RealParts(HOME).cluster(local, state),
                (key, question, choices) -> Optional.empty(),
                ZonedDateTime.now(ZoneOffset.UTC));
    Remedy remedy = Remedy.of(then, 2, Remedy.RemedyScope.PROFILE, then);
    Reply reply =
        daemon.handle(
            new Request.Start(
                "night",
                text,
                new SweepOrigin(
                    local,
                    "sweep.yaml",
                    "test",
                    Command.Origin.Door.CLI,
                    Optional.of("8 jobs in about a minute"),
                    Optional.empty()),
                Specs.with(spec, new Playbook("test", new TreeMap<>(), remedy))));
    return ((Reply.Started) reply).sweep();
  }

  String chat() throws InterruptedException {
    return ((Reply.Hosting) daemon.handle(new Request.Sweeps())).chat();
  }

  Reply handle(Request request) throws InterruptedException {
    return daemon.handle(request);
  }

  SweepState folded(String sweep) {
    try {
      return JournalReader.fold(state.sweep(sweep).journal());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Event> events(String sweep) {
    List<Event> events = new ArrayList<>();
    try {
      JournalReader.read(state.sweep(sweep).journal(), (Entry e) -> events.add(e.event()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return events;
  }

  @Override
  public void close() throws IOException {
    daemon.close();
  }

  private record ChattyParts(RealParts real, ChatSettings settings) implements Parts {
    @Override
    public Cluster cluster(ClusterChoice choice, StateDirectory state) {
      return real.cluster(choice, state);
    }

    @Override
    public LookPace pace(ClusterChoice choice) {
      return new LookPace(Duration.ofMillis(200), Duration.ofMinutes(1));
    }

    @Override
    public Workload workload(String kind) {
      return real.workload(kind);
    }

    @Override
    public Diagnoser diagnoser(SweepSpec spec) {
      return real.diagnoser(spec);
    }

    @Override
    public RemedySteps remedySteps(ClusterChoice choice, Cluster cluster, Workload workload) {
      return real.remedySteps(choice, cluster, workload);
    }

    @Override
    public Reporter reporter() {
      return real.reporter();
    }

    @Override
    public Chat chat(ChatSweeps sweeps, StateDirectory state, InstantSource clock) {
      try {
        return Messenger.open(
            new Messenger.Addresses(
                Optional.of(new Credentials(new Secret(TOKEN), Set.of(CHAT), "a test")), List.of()),
            settings,
            sweeps,
            state.root(),
            Redaction.byForm(),
            clock);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
