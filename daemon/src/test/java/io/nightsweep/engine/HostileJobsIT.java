package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.journal.JournalReader;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole daemon with the launcher's heap, and jobs that leave files of gigabytes, pipes and
 * floods: each costs at most its own trial.
 */
@Tag("guard")
class HostileJobsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(12);

  /** What a job does before it measures like any other. */
  private static final Map<String, String> ATTACKS =
      Map.ofEntries(
          Map.entry("gentle", ":"),
          Map.entry("record", "truncate -s 2G $here/exit.json"),
          Map.entry("record-pipe", "mkfifo $here/exit.json"),
          Map.entry("record-folder", "mkdir $here/exit.json"),
          Map.entry("claim", "truncate -s 2G $here/claim"),
          Map.entry("folder", "rm -rf $here"),
          Map.entry("folder-link", "mkdir $here.else; rm -rf $here; ln -s $here.else $here"),
          Map.entry("folder-pipe", "rm -rf $here; mkfifo $here"),
          Map.entry("samples", "truncate -s 2G $here/watch.0"),
          Map.entry("results", "mkdir -p $here/out; truncate -s 2G $here/out/result.json"),
          Map.entry("line", "head -c 300M /dev/zero | tr '\\0' x"),
          Map.entry("nul", "head -c 100M /dev/zero"),
          Map.entry("steps", "seq -f '0: step %.0f: 1000 items/s' 8 2000000"),
          Map.entry("rotated", "for i in $(seq 200); do truncate -s 1G $here/job.log.$i; done"));

  private static final String SWEEP =
      """
      model: hostile
      parallelism: ranks=1
      slot: {nodelist: "n1"}
      workload:
        kind: command
        command: exec @PROGRAM@
        pattern: 'step (?<step>\\d+): (?<value>[\\d.]+) items/s'
        steps: 8
        launch: once
      metric: {name: speed, unit: items/s, better: higher}
      profiles: {@PROFILES@}
      plan:
        waves:
          - {name: baseline, kind: baseline, profiles: [baseline-deployed], repetitions: 2, why: noise}
          - {name: screen, kind: screen, profiles: [@NAMES@], repetitions: 1, why: each of them}
      budget: {jobs: 40, hours: 1}
      policy: {jobTimeLimit: 2m}
      playbook: common
      """;

  @TempDir private Path dir;

  @Test
  void noJobsFilesCostMoreThanItsOwnTrial() throws Exception {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    RealParts parts = new RealParts(dir.resolve("home"));
    String text = text(program());
    SweepSpec spec = LocalSpec.of(text, parts, state, dir);
    try (Daemon daemon = Daemon.open(state, parts, InstantSource.system())) {
      assertThat(
              daemon.handle(
                  new Request.Start(
                      "hostile",
                      text,
                      new SweepOrigin(LocalSpec.LOCAL, "sweep.yaml", "test"),
                      spec)))
          .isEqualTo(new Reply.Started("hostile"));
    }

    Path log = dir.resolve("daemon.out");
    try (DaemonProcess daemon = DaemonProcess.start(state.root(), dir.resolve("home"), log)) {
      Instant limit = Instant.now().plus(PATIENCE);
      while (daemon.isAlive() && Instant.now().isBefore(limit)) {
        Thread.sleep(200);
      }
      assertThat(daemon.isAlive()).as("it ends by itself once nothing is left to do").isFalse();
    }

    SweepState s = JournalReader.fold(state.sweep("hostile").journal());
    assertThat(s.phase()).as("by the one daemon").isInstanceOf(Phase.Finished.class);
    assertThat(log).content().doesNotContain("OutOfMemoryError", "StackOverflowError");
    assertThat(s.attempts().map(a -> a.judgement().toString()))
        .noneMatch(judged -> judged.contains("OutOfMemoryError"));
    for (String profile : List.of("folder", "folder-link", "folder-pipe")) {
      assertThat(failures(s, profile))
          .as(profile)
          .isNotEmpty()
          .allMatch(why -> why.contains(" is no longer a folder"));
    }
    assertThat(measured(s, "record-folder")).as("its log has all steps").isEqualTo(1);
    assertThat(measured(s, "baseline-deployed")).isGreaterThanOrEqualTo(2);
    assertThat(measured(s, "gentle")).isEqualTo(1);
    assertThat(Files.size(state.sweep("hostile").journal())).isLessThan(2_000_000);
  }

  private static long measured(SweepState s, String profile) {
    return s.trials().values().stream()
        .filter(t -> t.trial().profile().equals(profile))
        .map(TrialState::measurement)
        .filter(Optional::isPresent)
        .count();
  }

  private static List<String> failures(SweepState s, String profile) {
    return s.trials().values().stream()
        .filter(t -> t.trial().profile().equals(profile))
        .flatMap(t -> t.attempts().stream())
        .flatMap(a -> a.judgement().stream())
        .map(j -> j instanceof Judgement.Failed f ? said(f) : j.toString())
        .toList();
  }

  private static String said(Judgement.Failed failed) {
    return Phrases.EN.text(failed.diagnosis().detail());
  }

  private static String text(Path program) {
    List<String> names = ATTACKS.keySet().stream().sorted().toList();
    return SWEEP
        .replace("@PROGRAM@", program.toString())
        .replace(
            "@PROFILES@",
            names.stream()
                .map("%s: {env: {ATTACK: %<s}}"::formatted)
                .collect(Collectors.joining(", ")))
        .replace("@NAMES@", String.join(", ", names));
  }

  private Path program() throws Exception {
    Path program =
        Files.writeString(
            dir.resolve("hostile"),
            Stream.of(
                    "#!/bin/bash",
                    "here=$(dirname \"$(readlink /proc/$$/fd/1)\")",
                    "case ${ATTACK:-gentle} in",
                    ATTACKS.entrySet().stream()
                        .map(attack -> attack.getKey() + ") " + attack.getValue() + " ;;")
                        .collect(Collectors.joining("\n")),
                    "esac",
                    "echo",
                    "for step in 0 1 2 3 4 5 6 7; do",
                    "  echo \"0: step $step: $((1000 + RANDOM % 5)) items/s\"",
                    "done")
                .collect(Collectors.joining("\n", "", "\n")));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program;
  }
}
