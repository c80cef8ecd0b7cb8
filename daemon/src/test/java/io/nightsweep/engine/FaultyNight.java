package io.nightsweep.engine;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * One sweep of scripted jobs by a separate daemon on the real Slurm lab. Its playbook is the packed
 * one with minutes replaced by seconds. Commands for nodes go to strict stand-ins.
 */
final class FaultyNight implements AutoCloseable {
  private static final Path RESOURCES = Path.of("src/test/resources/recovery").toAbsolutePath();
  private static final Path PLAYBOOKS = Path.of("../playbooks").toAbsolutePath();

  /** A minute of the playbook, in tests. */
  private static final Pattern MINUTES = Pattern.compile("\\b(\\d+)m\\b(?!\\w)");

  private static final Pattern HOURS = Pattern.compile("\\b(\\d+)h\\b");

  private final SlurmLab lab;
  private final Path root;
  private final Daemon daemon;
  private final SweepDirectory directory;

  private FaultyNight(SlurmLab lab, Path root, Daemon daemon, SweepDirectory directory) {
    this.lab = lab;
    this.root = root;
    this.daemon = daemon;
    this.directory = directory;
  }

  /**
   * @param profiles YAML of profiles by name, in flow style
   * @param policy one more setting of the policy; {@code PATIENT}: a playbook with real minutes
   * @param notes files written for the stand-ins before the night begins
   */
  static FaultyNight start(
      SlurmLab lab,
      String name,
      String nodes,
      String profiles,
      String policy,
      Map<String, String> notes) {
    return start(lab, name, nodes, profiles, policy, notes, UnaryOperator.identity());
  }

  /**
   * @param playbook further changes to each playbook's text
   */
  static FaultyNight start(
      SlurmLab lab,
      String name,
      String nodes,
      String profiles,
      String policy,
      Map<String, String> notes,
      UnaryOperator<String> playbook) {
    boolean patient = policy.equals("PATIENT");
    try {
      Path root = lab.shared("recovery").resolve(name);
      Files.createDirectories(root.resolve("counts"));
      Files.createDirectories(root.resolve("notes"));
      for (Map.Entry<String, String> note : notes.entrySet()) {
        Files.writeString(root.resolve("notes").resolve(note.getKey()), note.getValue());
      }
      Path script = root.resolve("job.sh");
      Files.copy(
          RESOURCES.resolve("job.sh"),
          script,
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.COPY_ATTRIBUTES);
      if (!patient) {
        playbooks(root.resolve("playbooks"), playbook);
      }
      String text =
          """
          model: %s
          parallelism: ranks=1
          slot: {nodelist: "%s"}
          workload:
            kind: command
            command: exec job.sh
            pattern: 'completed step: (?<step>\\d+),.* Tokens/s/device: (?<value>[\\d.]+)'
            steps: 15
          metric: {name: tokensPerSecondPerDevice, unit: tok/s/device, better: higher}
          profiles: %s
          plan:
            waves:
              - {name: baseline, kind: baseline, profiles: [baseline-deployed]}
              - {name: screen, kind: screen, select: {from: [profiles]}, split: 8}
          budget: {jobs: 30, hours: 1}
          policy: {baselineRuns: 1, finishRunningOnHalt: false, %s}
          playbook: maxtext-rocm
          """
              .formatted(
                  name,
                  nodes,
                  profiles,
                  patient || policy.isEmpty() ? "jobTimeLimit: 10m" : policy);
      Path file = root.resolve("sweep.yaml");
      Files.writeString(file, text);
      SweepSpec spec =
          SweepFile.parse("sweep.yaml", text, Resources.beside(file))
              .resolve(
                  lab.cluster(),
                  (key, question, choices) -> Optional.empty(),
                  ZonedDateTime.now(ZoneOffset.UTC));
      ClusterChoice choice =
          ClusterChoice.of(ClusterChoice.Kind.SLURM, Map.of("SLURM_CONF", lab.slurmConf()));
      StateDirectory state = new StateDirectory(root.resolve("state"));
      Daemon daemon = Daemon.open(state, new ScriptedParts(root), InstantSource.system());
      Reply reply =
          daemon.handle(
              new Request.Start(name, text, new SweepOrigin(choice, "sweep.yaml", "test"), spec));
      if (!(reply instanceof Reply.Started started)) {
        throw new IllegalStateException(reply.toString());
      }
      return new FaultyNight(lab, root, daemon, state.sweep(started.sweep()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The parts of a real night, except the job and the commands that would reach nodes by ssh. */
  private record ScriptedParts(Path root) implements Parts {
    private RealParts real() {
      return new RealParts(root);
    }

    @Override
    public Cluster cluster(ClusterChoice choice, StateDirectory state) {
      return real().cluster(choice, state);
    }

    @Override
    public LookPace pace(ClusterChoice choice) {
      return LabParts.PACE;
    }

    @Override
    public Workload workload(String kind) {
      return new ScriptedWorkload(root.resolve("job.sh"), root.resolve("counts"));
    }

    @Override
    public Diagnoser diagnoser(SweepSpec spec) {
      return real().diagnoser(spec);
    }

    @Override
    public RemedySteps remedySteps(ClusterChoice choice, Cluster cluster, Workload workload) {
      CommandRunner direct =
          CommandRunner.direct(Map.of("STANDIN_NOTES", root.resolve("notes").toString()));
      CommandRunner standIns =
          (arguments, timeout) ->
              direct.run(
                  Stream.concat(
                          Stream.of(
                              RESOURCES
                                  .resolve("standins")
                                  .resolve(arguments.getFirst())
                                  .toString()),
                          arguments.stream().skip(1))
                      .toList(),
                  timeout);
      return new RemedyActions(
          cluster,
          workload,
          new NodeEvidence(standIns),
          new NicReset(standIns),
          standIns,
          InstantSource.system());
    }

    @Override
    public Reporter reporter() {
      return real().reporter();
    }
  }

  /** Replaces minutes by seconds and an hour by six seconds; nothing else changes. */
  private static void playbooks(Path folder, UnaryOperator<String> further) throws IOException {
    Files.createDirectories(folder);
    try (Stream<Path> all = Files.list(PLAYBOOKS)) {
      for (Path file : all.filter(p -> p.toString().endsWith(".yaml")).toList()) {
        String text = Files.readString(file);
        text =
            MINUTES.matcher(text).replaceAll(m -> Math.max(4, Integer.parseInt(m.group(1))) + "s");
        // Jobs that are slow on purpose pause for longer than their baseline's steps suggest.
        text = text.replace("step-floor: 4s", "step-floor: 10s");
        text = HOURS.matcher(text).replaceAll("6s");
        Files.writeString(folder.resolve(file.getFileName().toString()), further.apply(text));
      }
    }
  }

  SweepState state() {
    try {
      return JournalReader.fold(directory.journal());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  SweepState await(String what, Predicate<SweepState> condition) {
    patience(what).until(() -> condition.test(state()));
    return state();
  }

  private ConditionFactory patience(String what) {
    return Awaitility.await(directory.id() + ": " + what)
        .atMost(Duration.ofMinutes(8))
        .pollInterval(Duration.ofMillis(500));
  }

  SweepState finished() {
    return await("the end", SweepState::isFinished);
  }

  SweepState halted() {
    return await(
        "a halt and its STOP message",
        s ->
            s.phase() instanceof Phase.Halted
                && s.notices().values().stream().anyMatch(n -> n.notice() instanceof Notice.Stop));
  }

  /** A running job of the profile, once its script is well under way. */
  AttemptState running(String profile) {
    patience("a counted run of " + profile)
        .until(() -> Files.exists(root.resolve("counts").resolve(profile)));
    return await("a running job of " + profile, s -> running(s, profile).isPresent())
        .attempts()
        .filter(a -> a.isRunning() || a.startedAt().isPresent())
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  private static Optional<AttemptState> running(SweepState s, String profile) {
    return s.attempts()
        .filter(a -> s.trialOf(a.id()).profile().equals(profile))
        .filter(AttemptState::isRunning)
        .findFirst();
  }

  void tell(Command command) {
    try {
      Reply reply =
          daemon.handle(
              new Request.Tell(
                  directory.id(), command, new Command.Origin(Command.Origin.Door.CLI, "test")));
      if (reply instanceof Reply.Refused refused) {
        throw new IllegalStateException(refused.toString());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  void resume() {
    tell(new Command.Resume(Optional.empty(), Optional.empty()));
  }

  /** What the stand-ins noted; empty if they were not called. */
  String notes(String file) {
    try {
      Path notes = root.resolve("notes").resolve(file);
      return Files.exists(notes) ? Files.readString(notes) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void note(String file, String text) {
    try {
      Files.writeString(root.resolve("notes").resolve(file), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String report() {
    try {
      return Files.readString(ReportWriter.page(directory.reports(), state()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files that contain a planted secret. */
  List<Path> leaks(String secret) {
    try {
      return Leaks.of(secret, directory.root());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  SlurmLab lab() {
    return lab;
  }

  /** The result of each attempt of the profile, in order: a failure class, or {@code measured}. */
  static List<String> story(SweepState s, String profile) {
    return s.trials().values().stream()
        .filter(t -> t.trial().profile().equals(profile))
        .map(TrialState::attempts)
        .flatMap(List::stream)
        .map(
            a ->
                a.judgement()
                    .map(
                        j ->
                            switch (j) {
                              case Judgement.Measured m -> "measured";
                              case Judgement.Done d -> "done";
                              case Judgement.Failed f -> f.diagnosis().failureClass();
                              case Judgement.Voided v -> "void";
                              case Judgement.Duplicate d -> "duplicate";
                            })
                    .orElse("open"))
        .toList();
  }

  /** The remedy steps carried out for the profile, in order, with their outcome. */
  static List<String> steps(SweepState s, String profile) {
    return s.trials().values().stream()
        .filter(t -> t.trial().profile().equals(profile))
        .flatMap(t -> t.attempts().stream())
        .flatMap(a -> a.remedy().stream())
        .flatMap(
            r ->
                r.stepsDone().stream()
                    .map(
                        d ->
                            r.remedy().steps().get(d.index()).action()
                                + (d.end().succeeded() ? "" : " failed")))
        .toList();
  }

  @Override
  public void close() {
    try {
      daemon.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
