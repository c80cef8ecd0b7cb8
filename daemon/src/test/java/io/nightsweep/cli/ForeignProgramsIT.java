package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.lab.SlurmLab;
import io.nightsweep.report.PlainReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two programs that know nothing about Nightsweep, on a Slurm and as processes of this machine.
 * Each fills in the template that {@code init} writes, with the program, its line and its settings:
 * first with five typical mistakes each, then correctly. All four sessions run at the same time.
 * Only the correct files are started with a forecast.
 */
@Tag("people")
class ForeignProgramsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Each look reads a journal, and there are four sessions. */
  private static final Duration POLL = Duration.ofSeconds(2);

  /**
   * @param from the correct text
   * @param screen what {@code status} says after the mistake, within its first lines
   */
  private record Mistake(String from, String to, List<String> screen) {}

  private record Program(
      String name, String unit, String command, String setting, List<Mistake> mistakes) {}

  private static final String LOG_HINT = "nightsweep doctor SWEEP.YAML --log ";

  private static final Program ZSTD =
      new Program(
          "zstd",
          "MB/s",
          """
              for step in 0 1 2 3 4 5 6 7 8 9; do
                echo "step $step of 10: $(zstd -b${LEVEL:-9} -i0 -q data | grep -oE '[0-9.]+ MB/s' | head -n 1)"
              done
          """,
          "LEVEL: 7",
          List.of(
              new Mistake(
                  "[\\d.]+) MB/s'",
                  "[\\d.]+) kB/s'",
                  List.of("no-measurement: 0 of 10 lines", "the log says 'step 9 of ", LOG_HINT)),
              new Mistake(
                  "steps: 10",
                  "steps: 20",
                  List.of(
                      "too-few-steps: the last step in the log is step 9 (10 in all)",
                      "workload.steps")),
              new Mistake(
                  "$(zstd",
                  "$(zstdd",
                  List.of("program-missing: ", "zstdd: command not found", "install it on every")),
              new Mistake(
                  "zstd -b",
                  "zstd --levl=3 -b",
                  List.of("no-measurement: ", "'Incorrect parameters", "fix workload.command")),
              new Mistake(
                  "-q data",
                  "-q dat",
                  List.of("no-measurement: ", "Error loading files", "fix workload.command"))));

  private static final Program SYSBENCH =
      new Program(
          "sysbench",
          "MiB/s",
          """
              for step in 0 1 2 3 4 5 6 7 8 9; do
                speed=$(sysbench memory --memory-block-size=${BLOCK:-1K} --memory-total-size=50M run | sed -n 's/.*(\\([0-9.]*\\) MiB.sec.*/\\1/p')
                echo "step $step of 10: $speed MiB/s"
              done
          """,
          "BLOCK: 2K",
          List.of(
              new Mistake(
                  ") MiB.sec",
                  ") MB.sec",
                  List.of(
                      "no-measurement: 0 of 10 lines", "the log says 'step 9 of 10:", LOG_HINT)),
              new Mistake(
                  ":-1K",
                  ":-1Q",
                  List.of("exit code 1", "the program left no line in its log, /", "into a pipe")),
              new Mistake(
                  "| sed -n",
                  "| python3 -c 'raise ValueError(\"no figure\")' | sed -n",
                  List.of("program-error: ", "ValueError: no figure", "job.log:")),
              new Mistake(
                  "speed=$",
                  "bash -c 'kill -SEGV $$'; speed=$",
                  List.of("program-crash: ", "Segmentation fault", "job.log:")),
              new Mistake(
                  "$(sysbench",
                  "$(sysbenhc",
                  List.of("program-missing: ", "sysbenhc: command not found"))));

  private final SlurmLab lab = SlurmLab.up();

  @Test
  void eachMistakeIsToldByPlaceCauseAndWhatToDoAndTheRightFileComesToItsEnd() throws Exception {
    List<Future<?>> sessions = new ArrayList<>();
    try (ExecutorService people = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String cluster : List.of("local", "slurm")) {
        sessions.add(people.submit(() -> new Session(ZSTD, cluster, "n1").walk()));
        sessions.add(people.submit(() -> new Session(SYSBENCH, cluster, "n2").walk()));
      }
    }
    for (Future<?> session : sessions) {
      session.get();
    }
  }

  /** One person with one cluster, one program and a daemon. */
  private final class Session {
    private final Program program;
    private final String cluster;
    private final String node;
    private final Path folder;

    Session(Program program, String cluster, String node) {
      this.program = program;
      this.cluster = cluster;
      this.node = node;
      this.folder = lab.shared("foreign-" + program.name() + "-" + cluster);
    }

    Void walk() throws Exception {
      byte[] data = new byte[1_000_000];
      Random random = new Random(7);
      for (int i = 0; i < data.length; i++) {
        data[i] = (byte) (random.nextGaussian() * 8);
      }
      Files.write(folder.resolve("data"), data);
      String right = filled(own("init", "--workload", "command", "--cluster", cluster));
      Process daemon = process("serve").start();
      try {
        await().atMost(PATIENCE).until(() -> Files.exists(folder.resolve("state/daemon.sock")));
        for (Mistake mistake : program.mistakes()) {
          String wrong = right.replace(mistake.from(), mistake.to());
          assertThat(wrong).isNotEqualTo(right);
          assertThat(
                  own(UnforetoldStart.class, UnforetoldStart.words(cluster, write(wrong), state())))
              .contains("started ");
          String screen = status("] HALTED");
          assertThat(screen.lines().limit(4).collect(Collectors.joining("\n")))
              .as(cluster + ", " + mistake.to())
              .contains(mistake.screen());
          assertThat(screen)
              .containsPattern("to change the file: nightsweep stop( --sweep \\S+)?, then start")
              .doesNotContain("nightsweep: effective");
          here("stop");
          status("] finished");
        }
        assertThat(own("start", "--cluster", cluster, write(right).toString()))
            .contains("started ");
        assertThat(status("] finished"))
            .containsPattern("wins by \\+|No profile is confirmed better|tested none gains more")
            .contains("next: nightsweep report");
        String report = here("report");
        assertThat(report).contains("better", program.unit());
        PlainReport.assertSaysOnlyWhatApplies(report);
      } finally {
        daemon.destroy();
        daemon.waitFor();
      }
      return null;
    }

    /** What a person changes in the template. */
    private String filled(String template) {
      return template
          .lines()
          .map(
              line -> {
                if (line.startsWith("    for step in")) {
                  return program.command().stripTrailing();
                }
                if (line.startsWith("  pattern:")) {
                  return "  pattern: 'step (?<step>\\d+) of \\d+: (?<value>[\\d.]+) "
                      + program.unit()
                      + "'";
                }
                return line.replaceFirst("^model: .*", "model: " + program.name())
                    .replaceFirst("^parallelism: .*", "parallelism: ranks=1")
                    .replaceFirst("^slot: .*", "slot: {nodelist: " + node + "}")
                    .replaceFirst("^  # directory: .*", "  directory: " + folder)
                    .replaceFirst(
                        "^metric: .*",
                        "metric: {name: speed, unit: " + program.unit() + ", better: higher}")
                    .replaceFirst("^  faster: .*", "  other: {env: {" + program.setting() + "}}")
                    .replaceFirst("^  override: .*", "");
              })
          .collect(Collectors.joining("\n", "", "\n"));
    }

    private Path write(String text) throws IOException {
      return Files.writeString(folder.resolve("sweep.yaml"), text);
    }

    private Path state() {
      return folder.resolve("state");
    }

    private String status(String phase) {
      return await()
          .atMost(PATIENCE)
          .pollInterval(POLL)
          .until(() -> here("status"), screen -> screen.contains(phase));
    }

    /** Runs a command that queries no cluster. */
    private String here(String command) {
      StringWriter out = new StringWriter();
      PrintWriter printer = new PrintWriter(out, true);
      Main.run(printer, printer, command, "--state", state().toString());
      return withoutFolder(out.toString());
    }

    /**
     * Removes the option of the state folder, which commands in texts name, as {@link TypeableTest}
     * shows.
     */
    private String withoutFolder(String said) {
      return said.replace(" --state " + state(), "");
    }

    /** Runs a command in a separate process that uses the lab's Slurm. */
    private String own(String... arguments) throws Exception {
      return said(process(arguments));
    }

    private String own(Class<?> main, String... arguments) throws Exception {
      return said(process(MainProcess.command(main, List.of(arguments))));
    }

    private String said(ProcessBuilder program) throws Exception {
      Process process = program.redirectOutput(ProcessBuilder.Redirect.PIPE).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
      return withoutFolder(said);
    }

    private ProcessBuilder process(String... arguments) throws IOException {
      List<String> command = MainProcess.command(List.of(arguments));
      command.addAll(List.of("--state", state().toString()));
      return process(command);
    }

    private ProcessBuilder process(List<String> command) throws IOException {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("daemon.out").toFile());
      builder.environment().put("SLURM_CONF", lab.slurmConf());
      builder.environment().put("HOME", folder.toString());
      return builder;
    }
  }
}
