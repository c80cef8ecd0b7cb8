package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.sun.management.OperatingSystemMXBean;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures of the page for BENCHMARKS.md; see {@code daemon/bench/page}. */
@Tag("bench")
class PageBenchIT {
  private static final int EVENTS_PER_SECOND = 60;
  private static final int SECONDS = 30;
  private static final int ROUNDS = 2;
  private static final int FIRST_VIEW_MILLIS = 1_000;

  @TempDir private Path dir;

  @Test
  void aThousandAttemptsAndSixtyEventsASecond() throws Exception {
    List<Entry> night = LongNight.entries();
    SweepState state = SweepState.fold(night);
    try (Nights nights = new Nights(dir.resolve("state"));
        Chromium chromium = new Chromium();
        Browser browser = new Browser(chromium)) {
      nights.add(state.sweep(), night.subList(0, 1));
      nights.driven = Optional.of(state);
      System.out.printf("%d attempts, %d events%n", state.attempts().count(), state.seq());
      views(nights, browser);
      frames(nights, browser, state);
    }
  }

  /**
   * The ticks of an engine in a JVM with the packed daemon's flags: blocks of ticks, alternately
   * without and with a follower.
   */
  @Test
  void theTicksAndMemoryOfADaemonBesideAnOpenPage() throws Exception {
    Path state = dir.resolve("ticks");
    try (Nights nights = new Nights(state)) {
      nights.add("night", LongNight.entries());
    }
    try (TickProcess daemon = TickProcess.start(state)) {
      System.out.println(TickBlock.HEADINGS);
      daemon.ticks();
      System.out.println("page not open  " + daemon.ticks());
      Follower follower = new Follower(daemon.page());
      List<TickBlock> alone = new ArrayList<>();
      List<TickBlock> watched = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        alone.add(daemon.ticks());
        System.out.println("nobody looks   " + alone.getLast());
        try (Follower.Stream stream = follower.follow("night")) {
          watched.add(daemon.ticks());
          System.out.printf("one follower   %s  %d frames%n", watched.getLast(), stream.frames());
          assertThat(stream.frames()).isPositive();
        }
      }
      System.out.printf(
          "with a follower over without, medians of %d blocks: tick's wall time %.2f, its CPU time %.2f, p99 %.2f, heap %.2f, RSS %.2f%n",
          ROUNDS,
          ratio(watched, alone, TickBlock::medianMillis),
          ratio(watched, alone, TickBlock::cpuMillis),
          ratio(watched, alone, TickBlock::p99Millis),
          ratio(watched, alone, TickBlock::heapMebibytes),
          ratio(watched, alone, TickBlock::residentMebibytes));
    }
  }

  private static double ratio(
      List<TickBlock> watched, List<TickBlock> alone, ToDoubleFunction<TickBlock> figure) {
    return median(watched, figure) / median(alone, figure);
  }

  private static double median(List<TickBlock> blocks, ToDoubleFunction<TickBlock> figure) {
    double[] sorted = blocks.stream().mapToDouble(figure).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * The slider's requests: the first time, again, and many at once; and the export of all of it.
   */
  @Test
  void walkingALongNightBack() throws Exception {
    try (Nights nights = new Nights(dir.resolve("state"))) {
      nights.add("night", LongNight.entries());
      Http guest = FramesTest.guest(nights).with("Accept-Encoding", "gzip");
      for (String what : List.of("first", "again", "again")) {
        timed("history, " + what, () -> guest.get("/api/sweeps/night/history").status());
      }
      timed(
          "history in Chinese, 40 at once",
          () ->
              IntStream.range(0, 40)
                  .parallel()
                  .map(i -> status(guest, "/api/sweeps/night/history?lang=zh"))
                  .max()
                  .orElseThrow());
      timed(
          "export",
          () -> {
            Path file = dir.resolve("night.html");
            Export.write(
                file, nights.directory, nights.directory.sweep("night"), Redaction.byForm());
            return Exchange.OK;
          });
    }
  }

  private static int status(Http guest, String path) {
    try {
      return guest.get(path).status();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void timed(String what, Callable<Integer> work) throws Exception {
    OperatingSystemMXBean machine =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long start = System.nanoTime();
    long cpu = machine.getProcessCpuTime();
    assertThat(work.call()).isEqualTo(Exchange.OK);
    System.out.printf(
        "%s: %.0f ms, %.0f ms of processor time%n",
        what, (System.nanoTime() - start) / 1e6, (machine.getProcessCpuTime() - cpu) / 1e6);
  }

  /**
   * From the request to the first drawn leaderboard and timeline, by the browser's own clock. Each
   * browser has an empty cache; for the first one the server has computed nothing yet.
   */
  private static void views(Nights nights, Browser browser) {
    for (int i = 0; i < 5; i++) {
      Page page = browser.blank(1200, 900, ColorScheme.LIGHT);
      page.addInitScript(
          """
          new MutationObserver((changes, observer) => {
            if (!document.querySelector("#board tbody tr") || !document.querySelector("#timeline path")) return;
            observer.disconnect();
            requestAnimationFrame(() => requestAnimationFrame(() => { window.firstView = performance.now(); }));
          }).observe(document, { childList: true, subtree: true });
          """);
      page.navigate(nights.open().link());
      page.waitForFunction("() => window.firstView !== undefined");
      double millis = ((Number) page.evaluate("window.firstView")).doubleValue();
      System.out.printf("first view: %.0f ms after the navigation began%n", millis);
      assertThat(millis).isLessThan(FIRST_VIEW_MILLIS);
      page.context().close();
    }
  }

  /** Jobs continue at 60 events a second; people notice the longest time between two drawings. */
  private static void frames(Nights nights, Browser browser, SweepState from) throws Exception {
    Page page = browser.open(nights.open().link(), 1200, 900, ColorScheme.LIGHT);
    page.evaluate(
        """
        () => {
          window.gaps = []; window.tasks = [];
          let last = performance.now();
          const next = (now) => { gaps.push(now - last); last = now; requestAnimationFrame(next); };
          requestAnimationFrame(next);
          new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration))).observe({ type: "longtask" });
        }
        """);
    // Half of the events are steps of jobs, the others are a night's usual ones: starts, ends,
    // closed trials.
    List<Entry> goingOn = LongNight.goingOn(EVENTS_PER_SECOND * SECONDS / 2);
    SweepState state = from;
    long start = System.nanoTime();
    long heapBefore = usedHeap();
    for (int i = 0; i < EVENTS_PER_SECOND * SECONDS; i++) {
      Event event =
          i % 2 == 0
              ? goingOn.get(i / 2).event()
              : new Event.AttemptProgressed(
                  state.attempts().reduce((a, b) -> b).orElseThrow().id(), i % 1000, 1000);
      state = state.apply(new Entry(state.seq() + 1, Instant.now(), event));
      nights.driven = Optional.of(state);
      nights.steps =
          IntStream.rangeClosed(0, i / 20)
              .mapToObj(
                  step ->
                      new Measurement.MeasuredStep(
                          step, 0.1, 1000 + step % 7, OptionalDouble.empty()))
              .toList();
      long due = start + (i + 1) * 1_000_000_000L / EVENTS_PER_SECOND;
      Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
      if (i % 60 == 0) {
        page.evaluate("0");
      }
    }
    assertThat(state.trials().size() - state.open().size())
        .isGreaterThan(from.trials().size() - from.open().size());
    page.waitForTimeout(1000);
    System.out.printf(
        "%d events in %.1f s: drawings more than 50 ms apart: %s of %s, longest %s ms; tasks of more than 50 ms: %s; heap %+d MiB%n",
        EVENTS_PER_SECOND * SECONDS,
        (System.nanoTime() - start) / 1e9,
        page.evaluate("gaps.slice(2).filter((gap) => gap > 50).length"),
        page.evaluate("gaps.length"),
        page.evaluate("Math.round(Math.max(...gaps.slice(2)))"),
        page.evaluate("JSON.stringify(tasks.map(Math.round))"),
        (usedHeap() - heapBefore) >> 20);
    assertThat(browser.errors).isEmpty();
    assertThat((int) page.evaluate("gaps.slice(2).filter((gap) => gap > 50).length")).isZero();
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
