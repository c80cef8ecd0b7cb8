package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures of the page for BENCHMARKS.md; see {@code daemon/bench/page}. */
@Tag("bench")
class PageBenchIT {
  private static final int EVENTS = 50_000;
  private static final int EVENTS_PER_SECOND = 60;
  private static final int SECONDS = 30;

  @TempDir private Path dir;

  @Test
  void aThousandAttemptsAndSixtyEventsASecond() throws Exception {
    List<Entry> night = longNight();
    SweepState state = SweepState.fold(night);
    try (Nights nights = new Nights(dir.resolve("state"));
        Browser browser = new Browser()) {
      nights.add(state.sweep(), night.subList(0, 1));
      nights.driven = Optional.of(state);
      System.out.printf("%d attempts, %d events%n", state.attempts().count(), state.seq());
      views(nights, browser);
      frames(nights, browser, state);
    }
  }

  /** From the request to the first drawn leaderboard and timeline, by the browser's own clock. */
  private static void views(Nights nights, Browser browser) {
    for (int i = 0; i < 5; i++) {
      Page page = browser.open(nights.open().link(), 1200, 900, ColorScheme.LIGHT);
      page.navigate(page.url().replaceFirst("#.*", "") + "?again");
      page.waitForSelector("#board tbody tr");
      Object millis =
          page.evaluate(
              "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))");
      System.out.printf("first view: %s ms after the navigation began%n", millis);
      page.context().close();
    }
  }

  /** Jobs go on, 60 events a second; the longest time between two drawings is what people see. */
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
    List<AttemptState> attempts = from.attempts().toList();
    SweepState state = from;
    long start = System.nanoTime();
    long heapBefore = usedHeap();
    for (int i = 0; i < EVENTS_PER_SECOND * SECONDS; i++) {
      state =
          state.apply(
              new Entry(
                  state.seq() + 1,
                  Instant.now(),
                  new Event.AttemptProgressed(
                      attempts.get(attempts.size() - 1 - i % 4).id(), i % 1000, 1000)));
      nights.driven = Optional.of(state);
      long due = start + (i + 1) * 1_000_000_000L / EVENTS_PER_SECOND;
      Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
      if (i % 60 == 0) {
        page.evaluate("0");
      }
    }
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
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** Forty profiles, a thousand attempts, most of them retries; then steps of the last jobs. */
  private static List<Entry> longNight() {
    SweepSpec s = Specs.kernels(40, Optional.of(1_000));
    Remedy patient =
        Remedy.of(Remedy.Then.RESUBMIT, 1_000, Remedy.Scope.TRIAL, Remedy.Then.FAIL_TRIAL);
    SweepSpec spec =
        new SweepSpec(
            s.cell(),
            s.workload(),
            s.settings(),
            s.metric(),
            s.configTags(),
            s.profiles(),
            s.plan(),
            s.budget(),
            s.policy(),
            new Playbook("patient", new TreeMap<>(), patient),
            s.catalogs());
    List<Entry> night =
        new ArrayList<>(
            new Night(
                    spec,
                    Specs.surface(0.05, 0.005),
                    new Faults(0.93, 0, 0, 0, 0, 0),
                    Duration.ofSeconds(20),
                    5)
                .run().entries().stream()
                    .filter(e -> !(e.event() instanceof Event.SweepFinished))
                    .toList());
    List<Entry> renumbered = new ArrayList<>();
    night.forEach(e -> renumbered.add(new Entry(renumbered.size() + 1, e.at(), e.event())));
    List<AttemptState> attempts = SweepState.fold(renumbered).attempts().toList();
    while (renumbered.size() < EVENTS) {
      int i = renumbered.size();
      renumbered.add(
          new Entry(
              i + 1,
              renumbered.getLast().at(),
              new Event.AttemptProgressed(attempts.get(i % attempts.size()).id(), i % 1000, 1000)));
    }
    return renumbered;
  }
}
