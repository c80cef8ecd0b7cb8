package io.nightsweep.chat;

import io.nightsweep.cli.InTurn;
import io.nightsweep.cluster.local.LocalCluster;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepOrigin;
import io.nightsweep.plan.Resources;
import io.nightsweep.plan.SweepFile;
import io.nightsweep.sweep.SweepSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sweeps with programs that meet secrets, and those secrets. */
final class PlantedSweeps {
  static final Duration PATIENCE = Duration.ofMinutes(4);
  static final String CANARY = "canary";
  static final String TOKEN = "987654321:AAHcanarycanarycanarycanarycanary42";
  static final long CHAT = 42;

  /**
   * A secret that the job itself prints: its log contains it, but nothing derived from the log may.
   */
  static final String LOGGED = "hf_canaryInTheLog0123456789";

  static final String SWEEP =
      """
      model: allreduce
      parallelism: ranks=2
      slot: {nodelist: "n[1-2]"}
      workload: {kind: kernels, program: %s, kernel: allreduce, sizes: 4096, dtype: f32, iterations: 4, trials: 4}
      profiles: {linear: {env: {%s}}}
      plan:
        waves:
          - {name: baseline, kind: baseline, profiles: [baseline-deployed], repetitions: 2, why: noise}
          - {name: screen, kind: screen, profiles: [linear], repetitions: 1, why: each of them}
      budget: {jobs: 8, hours: 1}
      playbook: kernels
      """;

  /** A profile that is measured, compared and drawn, whatever its jobs print and plant. */
  static final String MEASURED =
      """
      model: candid
      parallelism: ranks=1
      slot: {nodelist: "n1"}
      workload:
        kind: command
        command: exec @PROGRAM@
        pattern: 'step (?<step>\\d+): (?<value>[\\d.]+) items/s'
        steps: 8
        launch: once
      metric: {name: speed, unit: items/s, better: higher}
      profiles: {faster: {env: {SPEED: 1300}}}
      plan:
        waves:
          - {name: baseline, kind: baseline, profiles: [baseline-deployed], repetitions: 2, why: noise}
          - {name: screen, kind: screen, profiles: [faster], repetitions: 2, why: each of them}
      budget: {jobs: 8, hours: 1}
      playbook: common
      """;

  private PlantedSweeps() {}

  static SweepSpec spec(String text, StateDirectory state) throws Exception {
    return SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("sweep.yaml")))
        .resolve(
            new LocalCluster(state.root().resolve("local"), List.of("n1", "n2", "n3", "n4")),
            (key, question, choices) -> Optional.empty(),
            ZonedDateTime.now(ZoneOffset.UTC));
  }

  static String started(DaemonClient client, String name, String text, StateDirectory state)
      throws Exception {
    return started(client, name, text, state, ClusterChoice.Kind.LOCAL);
  }

  static String started(
      DaemonClient client,
      String name,
      String text,
      StateDirectory state,
      ClusterChoice.Kind cluster)
      throws Exception {
    Reply reply =
        client.ask(
            new Request.Start(
                name,
                text,
                new SweepOrigin(ClusterChoice.of(cluster, Map.of()), "sweep.yaml", "me"),
                spec(text, state)),
            PATIENCE);
    return ((Reply.Started) reply).sweep();
  }

  static List<String> said(Path home, String... lines) throws Exception {
    return Planted.say(home, List.of(lines)).stream().map(InTurn.Said::text).toList();
  }

  static String in(StateDirectory state, String line) {
    return line + " --state " + state.root();
  }

  static Path script(Path folder, String name, String text) throws Exception {
    Path program = Files.writeString(folder.resolve(name), text);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program;
  }
}
