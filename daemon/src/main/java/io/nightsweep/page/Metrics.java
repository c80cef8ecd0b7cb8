package io.nightsweep.page;

import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.nightsweep.engine.Reply;
import io.nightsweep.report.Progress;
import io.nightsweep.sweep.SweepState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Metrics of the running sweeps and of the daemon, in Prometheus' text format. */
final class Metrics implements AutoCloseable {
  /** Prometheus' text exposition format 0.0.4. */
  static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final PageSweeps sweeps;
  private final InstantSource clock;
  private final Boards boards = new Boards();
  private final MultiGauge phase = gauge("phase", "1 for the phase that the sweep is in");
  private final MultiGauge trials = gauge("trials", "Trials by what became of them");
  private final MultiGauge jobs = gauge("jobs", "Jobs submitted, retries included");
  private final MultiGauge running = gauge("jobs.in.flight", "Jobs that the cluster has");
  private final MultiGauge done = gauge("done.ratio", "Trials ended of those expected");
  private final MultiGauge gain = gauge("best.gain.ratio", "The leader's gain over the baseline");
  private final MultiGauge age =
      gauge("last.tick.age.seconds", "Since the last look without error");
  private final MultiGauge latency = gauge("queue.latency.seconds", "The cluster's last answer");

  @SuppressWarnings("this-escape")
  Metrics(PageSweeps sweeps, InstantSource clock) {
    this.sweeps = sweeps;
    this.clock = clock;
    new JvmMemoryMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  private MultiGauge gauge(String name, String description) {
    return MultiGauge.builder("nightsweep.sweep." + name)
        .description(description)
        .register(registry);
  }

  synchronized String scrape() {
    Instant now = clock.instant();
    List<MultiGauge.Row<?>> phases = new ArrayList<>();
    List<MultiGauge.Row<?>> trialRows = new ArrayList<>();
    List<MultiGauge.Row<?>> jobRows = new ArrayList<>();
    List<MultiGauge.Row<?>> runningRows = new ArrayList<>();
    List<MultiGauge.Row<?>> doneRows = new ArrayList<>();
    List<MultiGauge.Row<?>> gains = new ArrayList<>();
    List<MultiGauge.Row<?>> ages = new ArrayList<>();
    List<MultiGauge.Row<?>> latencies = new ArrayList<>();
    for (Reply.Hosting.Sweep hosted : sweeps.hosting()) {
      Optional<SweepState> state = sweeps.driven(hosted.id());
      if (state.isEmpty()) {
        continue;
      }
      Progress p = Progress.of(state.get(), boards.of(state.get()), now);
      Tags sweep = Tags.of("sweep", hosted.id());
      String word = p.phase().getClass().getSimpleName().toLowerCase(Locale.ROOT);
      phases.add(MultiGauge.Row.of(sweep.and("phase", word), 1));
      jobRows.add(MultiGauge.Row.of(sweep, p.jobs()));
      runningRows.add(MultiGauge.Row.of(sweep, p.inFlight().size()));
      doneRows.add(MultiGauge.Row.of(sweep, p.fractionDone()));
      p.best()
          .ifPresent(
              best ->
                  gains.add(
                      MultiGauge.Row.of(
                          sweep.and("profile", best.profile()), best.gainPercent() / 100)));
      ages.add(MultiGauge.Row.of(sweep, hosted.sinceGoodTick().toMillis() / 1000.0));
      latencies.add(MultiGauge.Row.of(sweep, hosted.queueLatencyMillis() / 1000.0));
      trialRows.add(trials(sweep, "measured", p.trials().measured()));
      trialRows.add(trials(sweep, "failed", p.trials().failed()));
      trialRows.add(trials(sweep, "dropped", p.trials().dropped()));
      trialRows.add(trials(sweep, "unsupported", p.trials().unsupported()));
      trialRows.add(trials(sweep, "open", p.trials().open()));
    }
    phase.register(phases, true);
    trials.register(trialRows, true);
    jobs.register(jobRows, true);
    running.register(runningRows, true);
    done.register(doneRows, true);
    gain.register(gains, true);
    age.register(ages, true);
    latency.register(latencies, true);
    return registry.scrape(TYPE);
  }

  private static MultiGauge.Row<?> trials(Tags sweep, String disposition, int count) {
    return MultiGauge.Row.of(sweep.and("disposition", disposition), count);
  }

  @Override
  public void close() {
    registry.close();
  }
}
