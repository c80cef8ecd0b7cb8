package io.nightsweep.report;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pictures of a report, as PNG. */
final class Charts {
  private static final Logger log = LoggerFactory.getLogger(Charts.class);

  static final String LEADERBOARD = "leaderboard";
  static final String TIMELINE = "timeline";
  static final String STEPS = "steps";
  static final String BREAKDOWN = "breakdown";
  static final String MEMORY = "memory";

  private static final int WIDTH = 1000;
  private static final int MOST_TICKS = 9;
  private static final Color GOOD = new Color(0x1b7837);
  private static final Color BAD = new Color(0xb2182b);
  private static final Color CALM = new Color(0x4d6a8a);
  private static final Color GRID = new Color(0xdddddd);
  private static final Color INK = new Color(0x222222);

  private final SweepState s;
  private final Phrases t;
  private final Phrases page;

  private Charts(SweepState s, Phrases t, Phrases page) {
    this.s = s;
    this.t = t;
    this.page = page;
  }

  /**
   * One picture.
   *
   * @param file its name in a folder of charts
   */
  record Chart(String name, String file, String title, ByteBuffer png) {}

  /**
   * Empty where Java cannot draw, for instance without fonts; the report is written anyway.
   *
   * @param wanted the labels' language; English is used if no font here has its characters
   */
  static List<Chart> of(SweepState s, Phrases wanted) throws IOException {
    try {
      Phrases language = Canvas.canShow(wanted.text("chart.timeline")) ? wanted : Phrases.EN;
      return new Charts(s, language, wanted).drawn();
    } catch (InternalError | LinkageError e) {
      log.warn("no charts can be drawn here: {}; install a font and fontconfig", e.toString());
      return List.of();
    }
  }

  private Chart chart(String name, byte[] png) {
    return new Chart(
        name, name + page.suffix() + ".png", page.text("chart." + name), ByteBuffer.wrap(png));
  }

  private List<Chart> drawn() throws IOException {
    Leaderboard board = Standings.board(s);
    List<Chart> charts = new ArrayList<>();
    if (!board.standings().isEmpty()) {
      charts.add(chart(LEADERBOARD, gains(board)));
    }
    if (s.attempts().anyMatch(a -> a.startedAt().isPresent())) {
      charts.add(chart(TIMELINE, timeline()));
    }
    if (s.attempts().anyMatch(a -> a.measurement().filter(m -> m.steps().size() > 1).isPresent())) {
      charts.add(chart(STEPS, steps(board)));
    }
    Optional<byte[]> breakdown = SmallCharts.breakdown(s, t);
    if (breakdown.isPresent()) {
      charts.add(chart(BREAKDOWN, breakdown.get()));
    }
    Optional<byte[]> memory = SmallCharts.memory(s, t);
    if (memory.isPresent()) {
      charts.add(chart(MEMORY, memory.get()));
    }
    return charts;
  }

  /**
   * One row for each profile: the estimate as a dot, its interval as a bar, zero as the baseline.
   */
  private byte[] gains(Leaderboard board) throws IOException {
    List<Standing> rows = board.standings();
    double low = -1;
    double high = 1;
    for (Standing st : rows) {
      low = Math.min(low, gain(st) * 1.1);
      high = Math.max(high, gain(st) * 1.1);
    }
    // An interval much wider than the gains would make them all indistinguishable.
    double reach = high - low;
    for (Standing st : rows) {
      Interval interval = st.verdict().interval();
      if (Double.isFinite(interval.low()) && Double.isFinite(interval.high())) {
        low = Math.min(low, Math.max(interval.lowPercent(), low - reach));
        high = Math.max(high, Math.min(interval.highPercent(), high + reach));
      }
    }
    int left = 260;
    int row = 26;
    Canvas c = new Canvas(WIDTH, 90 + row * rows.size(), t.text("chart.gain"));
    double scale = (WIDTH - left - 40) / (high - low);
    double zero = left - low * scale;
    int bottom = 50 + row * rows.size();
    Axis axis = Axis.of(high - low, MOST_TICKS);
    for (double tick : axis.ticks(low, high)) {
      c.line(zero + tick * scale, 45, zero + tick * scale, bottom, GRID, 1);
      c.text(axis.signed(tick), zero + tick * scale - 14, bottom + 18, INK);
    }
    c.line(zero, 45, zero, bottom, INK, 1);
    String winner = Standings.winner(s).map(Standing::profile).orElse("");
    for (int i = 0; i < rows.size(); i++) {
      Standing st = rows.get(i);
      double y = 62 + i * row;
      Interval interval = st.verdict().interval();
      boolean won = st.profile().equals(winner);
      Color color = won ? GOOD : interval.high() < 0 ? BAD : CALM;
      if (Double.isFinite(interval.low()) && Double.isFinite(interval.high())) {
        double from = Math.max(left, zero + interval.lowPercent() * scale);
        double to = Math.min(WIDTH - 20, zero + interval.highPercent() * scale);
        c.line(from, y, to, y, color, 3);
      }
      c.dot(zero + gain(st) * scale, y, color);
      c.text(
          shorten((won ? "★ " : "") + st.profile(), 30) + "  n=" + st.estimate().runs(),
          12,
          y + 4,
          won ? GOOD : INK);
    }
    return c.png();
  }

  /** One lane for each node, one bar for each attempt. */
  private byte[] timeline() throws IOException {
    List<String> nodes = s.cell().nodes();
    Instant start = s.startedAt().orElseThrow();
    double seconds = Math.max(1, Duration.between(start, s.lastEventAt()).toMillis() / 1000.0);
    int left = 120;
    int lane = 34;
    Axis.TimeUnit unit = Axis.TimeUnit.of(seconds);
    Canvas c =
        new Canvas(
            WIDTH,
            90 + lane * nodes.size(),
            t.text("chart.jobs-over-time", t.text("chart.unit." + unit.name())));
    double scale = (WIDTH - left - 30) / seconds;
    int bottom = 50 + lane * nodes.size();
    Axis axis = Axis.of(seconds / unit.seconds(), MOST_TICKS);
    for (double tick : axis.ticks(0, seconds / unit.seconds())) {
      double x = left + tick * unit.seconds() * scale;
      c.line(x, 45, x, bottom, GRID, 1);
      c.text(axis.label(tick), x - 10, bottom + 18, INK);
    }
    for (int n = 0; n < nodes.size(); n++) {
      c.text(shorten(nodes.get(n), 14), 12, 50 + n * lane + 20, INK);
    }
    for (AttemptState a : s.attempts().filter(a -> a.startedAt().isPresent()).toList()) {
      Instant from = a.startedAt().orElseThrow();
      Instant to = a.end().map(e -> e.endedAt()).orElse(s.lastEventAt());
      double x = left + Duration.between(start, from).toMillis() / 1000.0 * scale;
      double w = Math.max(1.5, Duration.between(from, to).toMillis() / 1000.0 * scale - 0.5);
      boolean control = s.trialOf(a.id()).purpose().isControl();
      Color color =
          a.measurement().isPresent() ? (control ? CALM : GOOD) : a.end().isPresent() ? BAD : GRID;
      for (int n = 0; n < nodes.size(); n++) {
        c.bar(Math.max(left, x), 55 + n * lane, w, lane - 10, color);
      }
    }
    c.text(t.text("baseline"), WIDTH - 300, 30, CALM);
    c.text(t.text("profile"), WIDTH - 210, 30, GOOD);
    c.text(t.text("chart.failed"), WIDTH - 140, 30, BAD);
    return c.png();
  }

  private byte[] steps(Leaderboard board) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(360)
            .title(t.text("chart.steps"))
            .xAxisTitle(t.text("chart.step"))
            .yAxisTitle(Canvas.shown(s.spec().metric().unit()))
            .build();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Line);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    add(chart, Profile.BASELINE, CALM);
    if (!board.standings().isEmpty()) {
      add(chart, board.standings().getFirst().profile(), GOOD);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", out);
    return out.toByteArray();
  }

  private void add(XYChart chart, String profile, Color color) {
    List<AttemptState> runs =
        s.attempts()
            .filter(a -> s.trialOf(a.id()).profile().equals(profile))
            .filter(a -> s.trialOf(a.id()).configTag().equals(s.spec().primaryTag().name()))
            .filter(a -> a.measurement().filter(m -> m.steps().size() > 1).isPresent())
            .toList();
    for (AttemptState a : runs) {
      var steps = a.measurement().orElseThrow().steps();
      double[] x = steps.stream().mapToDouble(step -> step.index()).toArray();
      double[] y = steps.stream().mapToDouble(step -> step.value()).toArray();
      XYSeries series = chart.addSeries(profile + " " + a.id(), x, y);
      series.setMarker(SeriesMarkers.NONE);
      series.setLineColor(color);
      series.setLineStyle(new BasicStroke(1.2f));
      series.setShowInLegend(a.equals(runs.getFirst()));
      series.setLabel(Canvas.shown(profile));
    }
  }

  private static double gain(Standing st) {
    return Interval.percent(Standings.publishedLogGain(st));
  }

  /** Masks first and cuts then: half a secret would no longer be recognised. */
  private static String shorten(String text, int most) {
    String shown = Canvas.shown(text);
    return shown.length() <= most ? shown : shown.substring(0, most - 1) + "…";
  }
}
