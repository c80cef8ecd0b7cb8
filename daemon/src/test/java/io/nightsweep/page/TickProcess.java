package io.nightsweep.page;

import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.Commands;
import io.nightsweep.asked.Confirming;
import io.nightsweep.engine.Actor;
import io.nightsweep.engine.FileDecisionLog;
import io.nightsweep.engine.Observer;
import io.nightsweep.engine.RemedySteps;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.Settings;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.engine.SweepEngine;
import io.nightsweep.files.ChildJvm;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.Redaction;
import io.nightsweep.journal.Replay;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.SimCluster;
import io.nightsweep.sim.SimWorkload;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.VirtualClock;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.triage.EndDiagnoser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * A process that drives one long sweep as a daemon does: engine, journal on disk and page are real,
 * in a JVM with the packed daemon's flags; the cluster is simulated.
 */
final class TickProcess implements AutoCloseable {
  private static final int TICKS = 120;
  private static final Duration VIRTUAL_TICK = Duration.ofSeconds(2);

  /** A fortieth of the daemon's shortest pause, so the page has more to send. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Process process;
  private final PrintWriter orders;
  private final BufferedReader answers;

  private TickProcess(Process process) {
    this.process = process;
    orders = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static TickProcess start(Path state) throws IOException {
    return new TickProcess(
        new ProcessBuilder(
                ChildJvm.command(
                    List.of(
                        "-Xms16m",
                        "-Xmx192m",
                        "-XX:MinHeapFreeRatio=10",
                        "-XX:MaxHeapFreeRatio=20",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Djava.awt.headless=true"),
                    Main.class,
                    state.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Drives the sweep for {@value #TICKS} ticks. */
  TickBlock ticks() throws IOException {
    return TickBlock.parse(ask("ticks"));
  }

  /** Opens the page and returns a link to it. */
  String page() throws IOException {
    return ask("page");
  }

  private String ask(String order) throws IOException {
    orders.println(order);
    String line;
    while ((line = answers.readLine()) != null) {
      if (line.startsWith("answer ")) {
        return line.substring("answer ".length());
      }
    }
    throw new IOException("the process has ended");
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  /** The program of the process. */
  static final class Main implements PageSweeps {
    private final VirtualClock clock;
    private final SweepEngine engine;

    private Main(StateDirectory state) throws IOException {
      SweepDirectory directory = state.sweep("night");
      Replay replay = new Replay();
      FileJournal journal = FileJournal.open(directory.journal(), replay);
      clock = new VirtualClock(replay.state().lastEventAt());
      SimCluster cluster =
          new SimCluster(clock, new SplittableRandom(1), Faults.none(), Duration.ofSeconds(40));
      SimWorkload workload =
          new SimWorkload(
              Specs.surface(0.05, 0.005), cluster, "night", replay.state().lastEventAt(), 1);
      RemedySteps steps =
          (step, attempt, s) ->
              CompletableFuture.completedFuture(StepEnd.succeeded(Statement.words("simulated")));
      engine =
          new SweepEngine(
              replay.state(),
              journal,
              new Observer(directory, cluster, workload, new EndDiagnoser(), Settings.defaults()),
              new Actor(directory, cluster, workload, steps),
              new FileDecisionLog(directory.decisions()),
              clock);
    }

    public static void main(String[] args) throws Exception {
      StateDirectory state = new StateDirectory(Path.of(args[0]));
      Main main = new Main(state);
      Confirming confirming =
          new Confirming(
              new AskedFor(state.root()),
              words -> new Commands.CommandResult(1, "", "nothing is run here"),
              InstantSource.system());
      Page page = new Page(state, main, confirming, Redaction.byForm(), InstantSource.system());
      BufferedReader orders =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      String order;
      // The page's threads would keep the process alive after an error.
      Thread.setDefaultUncaughtExceptionHandler(
          (thread, error) -> {
            error.printStackTrace();
            Runtime.getRuntime().halt(1);
          });
      while ((order = orders.readLine()) != null) {
        System.out.println(
            "answer "
                + (order.equals("page")
                    ? ((Reply.PageOpen) page.open(new Request.OpenPage(Optional.empty()))).link()
                    : main.block()));
      }
    }

    private TickBlock block() throws IOException, InterruptedException {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      double[] millis = new double[TICKS];
      long cpu = 0;
      for (int i = 0; i < TICKS; i++) {
        Thread.sleep(PAUSE);
        clock.advance(VIRTUAL_TICK);
        long cpuBegan = threads.getCurrentThreadCpuTime();
        long began = System.nanoTime();
        engine.tick();
        millis[i] = (System.nanoTime() - began) / 1e6;
        cpu += threads.getCurrentThreadCpuTime() - cpuBegan;
      }
      if (engine.state().isFinished()) {
        throw new IllegalStateException("the sweep is over; nothing is left to tick for");
      }
      double resident = resident();
      System.gc();
      Runtime heap = Runtime.getRuntime();
      Arrays.sort(millis);
      return new TickBlock(
          TICKS,
          millis[TICKS / 2],
          millis[TICKS * 99 / 100],
          millis[TICKS - 1],
          cpu / 1e6 / TICKS,
          (heap.totalMemory() - heap.freeMemory()) / (double) (1 << 20),
          resident);
    }

    private static double resident() throws IOException {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024.0)
          .findFirst()
          .orElseThrow();
    }

    @Override
    public Optional<SweepState> driven(String sweep) {
      return Optional.of(engine.state()).filter(s -> s.sweep().equals(sweep));
    }

    @Override
    public List<Measurement.MeasuredStep> steps(String sweep, AttemptId attempt) {
      return engine.shown(attempt);
    }

    @Override
    public List<Reply.Hosting.Sweep> hosting() {
      return List.of();
    }

    @Override
    public Optional<Statement> tell(Request.Tell request) {
      return Optional.of(Statement.words("nobody steers this sweep"));
    }
  }
}
