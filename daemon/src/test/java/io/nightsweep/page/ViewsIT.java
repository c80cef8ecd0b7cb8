package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.nightsweep.conductor.Standings;
import io.nightsweep.evidence.Evidence;
import io.nightsweep.evidence.Samples;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Standing;
import io.nightsweep.report.CountedRuns;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page in a real browser, on nights that are over. */
@Tag("page")
class ViewsIT extends InBrowser {
  @BeforeEach
  void open() throws IOException {
    nights.add("faulty", AlteredNights.marked(Nights.recorded("schema-1/faulty-7")));
    nights.explained("evidence", Nights.recorded("schema-1/evidence-gather"));
  }

  private String address() {
    return nights.open().link();
  }

  @Test
  void aLogLineWithMarkupShowsAsText() {
    Page page = browser.open(address(), 1200, 900, ColorScheme.LIGHT);
    page.navigate(page.url().replaceFirst("#.*", "") + "#faulty");
    page.waitForSelector("#failures article");
    assertThat(page.locator("#failures .quotes code").first().textContent())
        .isEqualTo(AlteredNights.MARKUP);
    assertThat(page.locator("#failures img, #failures script").count()).isZero();
    assertThat(page.title()).doesNotContain("struck");
    assertThat(browser.errors).isEmpty();
    assertThat(browser.requests).allMatch(url -> url.startsWith("http://127.0.0.1:"));
  }

  @Test
  void axeFindsNothingInAnyDressLanguageOrDrawer() {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      for (String sweep : List.of("faulty", "evidence")) {
        Page page = browser.open(address(), 1200, 900, scheme);
        page.navigate(page.url().replaceFirst("#.*", "") + "#" + sweep);
        page.waitForSelector("a[aria-current=page] >> text=" + sweep);
        assertThat(Browser.violations(page)).isEmpty();
        page.selectOption("#language", "zh");
        page.waitForSelector("html[lang=zh] #board-title");
        page.locator("#board .why").first().click();
        page.waitForSelector("dialog[open] .content > *");
        assertThat(Browser.violations(page)).isEmpty();
        page.context().close();
      }
    }
    assertThat(browser.errors).isEmpty();
  }

  @Test
  void aPhoneScrollsInOneDirectionAlone() {
    Page page = browser.open(address(), 390, 800, ColorScheme.LIGHT);
    assertThat(
            page.evaluate(
                "document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
        .isEqualTo(true);
    assertThat(Browser.violations(page)).isEmpty();
  }

  @Test
  void aFinishedNightOpensAsItEndedAndTheSliderWalksItBack() {
    Page page = browser.open(address(), 1200, 900, ColorScheme.LIGHT);
    page.navigate(page.url().replaceFirst("#.*", "") + "#evidence");
    page.waitForSelector("a[aria-current=page] >> text=evidence");
    page.waitForSelector("#summary .phase.finished");
    int rows = page.locator("#board tbody tr").count();
    assertThat(rows).isPositive();
    page.focus("#slider");
    page.keyboard().press("Home");
    page.waitForSelector("#summary .phase.running");
    assertThat(page.locator("#board tbody tr").count()).isLessThan(rows);
    page.keyboard().press("End");
    page.waitForSelector("#summary .phase.finished");
    assertThat(page.locator("#board tbody tr").count()).isEqualTo(rows);
    assertThat(browser.errors).isEmpty();
  }

  @Test
  void theTimelineTellsAttemptsRetriesAndIdleTime() throws Exception {
    SweepState s = JournalReader.fold(nights.directory.sweep("faulty").journal());
    List<AttemptState> ran =
        s.attempts()
            .filter(a -> a.startedAt().isPresent())
            .sorted(Comparator.comparing(a -> a.startedAt().orElseThrow()))
            .toList();
    Instant start = s.startedAt().orElseThrow();
    Instant reached = start;
    Duration idle = Duration.ZERO;
    for (AttemptState a : ran) {
      Duration gap = Duration.between(reached, a.startedAt().orElseThrow());
      idle = gap.isNegative() ? idle : idle.plus(gap);
      Instant end = a.end().orElseThrow().endedAt();
      reached = end.isAfter(reached) ? end : reached;
    }
    idle = idle.plus(Duration.between(reached, s.lastEventAt()));
    double night = Duration.between(start, s.lastEventAt()).toMillis();

    Page page = browser.open(address(), 1200, 900, ColorScheme.LIGHT);
    go(page, "faulty");
    assertThat(page.textContent("#timeline .sum"))
        .startsWith(
            "%d attempts, %d of them retries;"
                .formatted(
                    s.attempts().count(), s.attempts().filter(a -> a.id().attempt() > 1).count()))
        .endsWith("(%d %%)".formatted(Math.round(100 * idle.toMillis() / night)));
    assertThat(page.locator("#timeline path.retry").count())
        .isEqualTo((int) ran.stream().filter(a -> a.id().attempt() > 1).count())
        .isPositive();
    assertThat(page.locator("#timeline path.bad").count()).isPositive();
  }

  /** Real HLO and a real trace, read by the rules for a profiled job's files. */
  @Test
  void evidenceIsDrawnWithTheSweepsOwnFigures() throws Exception {
    Path job = Files.createDirectories(dir.resolve("job"));
    try (InputStream packed =
        new GZIPInputStream(Files.newInputStream(Samples.file("sample.xplane.pb.gz")))) {
      Files.copy(packed, job.resolve("node.xplane.pb"));
    }
    List<Entry> night = new ArrayList<>(AlteredNights.withMemory(Nights.night(1)));
    SweepState before = SweepState.fold(night);
    AttemptId attempt = before.attempts().findFirst().orElseThrow().id();
    for (Finding finding : Evidence.of(attempt, "7", List.of(job), before.spec().profiles(), 2)) {
      night.add(new Entry(night.size() + 1, before.lastEventAt(), new Event.FindingMade(finding)));
    }
    nights.add("real", night);
    SweepState s = SweepState.fold(night);

    Page page = browser.open(address(), 1200, 900, ColorScheme.LIGHT);
    go(page, "real");
    Map<String, Double> window =
        s.findings().stream()
            .filter(f -> f.is(Finding.BREAKDOWN))
            .findFirst()
            .orElseThrow()
            .figures();
    List<String> shares = new ArrayList<>();
    for (String part : List.of("compute", "exposed communication", "copies", "idle")) {
      double share =
          100 * window.getOrDefault(part, Double.NaN) / window.getOrDefault("window", Double.NaN);
      shares.add("%s %.1f %%".formatted(part, share));
    }
    assertThat(page.locator("#evidence .legend .key").allTextContents()).isEqualTo(shares);
    assertThat(page.getAttribute("#evidence svg.breakdown", "aria-label"))
        .isEqualTo(String.join(", ", shares));
    List<String> said = page.locator("#evidence li").allTextContents();
    assertThat(said).hasSameSizeAs(s.findings());
    for (int i = 0; i < said.size(); i++) {
      assertThat(said.get(i)).contains(Phrases.EN.text(s.findings().get(i).statement()));
    }
    s.attempts()
        .filter(a -> a.measurement().isPresent())
        .forEach(
            a -> {
              String profile = s.trialOf(a.id()).profile();
              double gibibytes = AlteredNights.GIBIBYTES + s.profileOrder().indexOf(profile);
              String row = "#evidence tr:has(.why:text-is('" + profile + "'))";
              assertThat(page.locator(row + " td").first().textContent())
                  .isEqualTo("" + (int) gibibytes);
              assertThat(
                      Double.parseDouble(
                          page.locator(row + " meter").first().getAttribute("value")))
                  .isEqualTo(gibibytes);
            });
  }

  /**
   * Drawings match the measurements: bars, bands and intervals are at the positions of their
   * values.
   */
  @Test
  void whatIsDrawnStandsAtThePlacesOfItsValues() throws Exception {
    List<Entry> night = AlteredNights.measured(Nights.night(1), AlteredNights::withSteps);
    nights.add("stepped", night);
    SweepState s = SweepState.fold(night);
    Page page = browser.open(address(), 1200, 900, ColorScheme.LIGHT);
    go(page, "stepped");
    page.waitForSelector("#board tbody tr");

    double reach =
        Double.parseDouble(page.textContent("#board .scale :last-child").replaceAll("[^0-9.]", ""));
    for (Standing st : Standings.board(s).standings()) {
      String row = "#board tr[data-profile='" + st.profile() + "'] ";
      Interval interval = st.verdict().interval();
      boolean known = Double.isFinite(interval.low()) && Double.isFinite(interval.high());
      double error = st.estimate().standardError();
      double gain = st.estimate().logGain();
      double low = known ? interval.lowPercent() : Interval.percent(gain - error);
      double high = known ? interval.highPercent() : Interval.percent(gain + error);
      assertThat(number(page, row + ".whisker", "x1")).isCloseTo(place(low, reach), within(0.1));
      assertThat(number(page, row + ".whisker", "x2")).isCloseTo(place(high, reach), within(0.1));
      assertThat(number(page, row + "circle", "cx"))
          .isCloseTo(place(Interval.percent(Standings.publishedLogGain(st)), reach), within(0.1));
      assertThat(page.textContent(row + ".bounds").equals("no interval yet")).isEqualTo(!known);
    }

    Instant start = s.startedAt().orElseThrow();
    s.attempts()
        .filter(a -> a.startedAt().isPresent())
        .forEach(
            a -> {
              String path = page.getAttribute("#timeline path[data-attempt='" + a.id() + "']", "d");
              double x = Duration.between(start, a.startedAt().orElseThrow()).toMillis() / 1000.0;
              double width =
                  Duration.between(a.startedAt().orElseThrow(), a.end().orElseThrow().endedAt())
                          .toMillis()
                      / 1000.0;
              assertThat(Double.parseDouble(path.replaceFirst("^M([\\d.]+) .*", "$1")))
                  .isCloseTo(x, within(0.01));
              assertThat(Double.parseDouble(path.replaceFirst("^M[^h]*h([\\d.]+)v.*", "$1")))
                  .isCloseTo(Math.max(0.2, width), within(0.01));
            });

    double[] steady =
        CountedRuns.on(s, s.spec().primaryTag().name())
            .of(Profile.BASELINE)
            .flatMap(
                m ->
                    m.steps().stream()
                        .filter(x -> x.index() >= m.windowFrom() && x.index() <= m.windowTo()))
            .mapToDouble(Measurement.MeasuredStep::value)
            .filter(Double::isFinite)
            .sorted()
            .toArray();
    double least = steady[(int) Math.round(0.05 * (steady.length - 1))];
    double most = steady[(int) Math.round(0.95 * (steady.length - 1))];
    page.waitForSelector("#steps .plot[data-range]");
    String[] range = page.getAttribute("#steps .plot", "data-range").split(" ");
    double bottom = Double.parseDouble(range[0]);
    double top = Double.parseDouble(range[1]);
    assertThat((most - least) / (top - bottom))
        .as("the band is seen, and no warm-up step presses it together")
        .isGreaterThan(0.05);
    assertThat(painted(page, (least + most) / 2, bottom, top)).isGreaterThan(0.9);
    assertThat(painted(page, most + 0.8 * (top - most), bottom, top)).isLessThan(0.5);
    assertThat(painted(page, least - 0.8 * (least - bottom), bottom, top)).isLessThan(0.5);
    assertThat(browser.errors).isEmpty();
  }

  /**
   * The board's position of a gain in percent: zero in the middle of 240 units, with six free at
   * each end.
   */
  private static double place(double percent, double reach) {
    return 120 + Math.clamp(percent / reach, -1.0, 1.0) * 114;
  }

  private static double number(Page page, String selector, String attribute) {
    return Double.parseDouble(page.getAttribute(selector, attribute));
  }

  /** The fraction of the plot's pixels at a value's height that is painted, from 0 to 1. */
  private static double painted(Page page, double value, double bottom, double top) {
    return ((Number)
            page.evaluate(
                "part => { const canvas = document.querySelector('#steps canvas');"
                    + " const scale = canvas.width / canvas.getBoundingClientRect().width;"
                    + " const all = canvas.getBoundingClientRect();"
                    + " const over = document.querySelector('#steps .u-over').getBoundingClientRect();"
                    + " const y = Math.round((over.top - all.top + part * over.height) * scale);"
                    + " const from = Math.ceil((over.left - all.left) * scale) + 2;"
                    + " const width = Math.floor(over.width * scale) - 4;"
                    + " const pixels = canvas.getContext('2d').getImageData(from, y, width, 1).data;"
                    + " let painted = 0;"
                    + " for (let i = 3; i < pixels.length; i += 4) painted += pixels[i] > 0 ? 1 : 0;"
                    + " return painted / width; }",
                (top - value) / (top - bottom)))
        .doubleValue();
  }

  /** A log's longest line, and a name of the greatest usual length, do not widen the page. */
  @Test
  void noTextIsWiderThanItsWindow() throws Exception {
    String endless = "x".repeat(400);
    nights.add(
        "long",
        AlteredNights.said(Nights.recorded("schema-1/faulty-7"), "line 12 says '" + endless + "'"));
    for (int width : List.of(1280, 390)) {
      Page page = browser.open(address(), width, 900, ColorScheme.LIGHT);
      go(page, "long");
      page.waitForSelector("#failures article");
      assertThat(
              page.evaluate(
                  "document.documentElement.scrollWidth - document.documentElement.clientWidth"))
          .as("at " + width)
          .isEqualTo(0);
      // Each profile's verdict and command are visible.
      assertThat(
              page.evaluate(
                  "[...document.querySelectorAll('#board td.verdict')].every((cell) => cell.getBoundingClientRect().right <= innerWidth)"))
          .isEqualTo(true);
      page.context().close();
    }
  }

  /** Names, settings, quotes and places are kept as they are, but no sentence is. */
  @Test
  void theChinesePageHasNoEnglishSentence() throws Exception {
    nights.explained("plain", Nights.night(2));
    nights.explained("failing", Nights.recorded("schema-1/faulty-7"));
    Page page = browser.open(address(), 1200, 900, ColorScheme.LIGHT);
    page.selectOption("#language", "zh");
    page.waitForSelector("html[lang=zh] #board-title");
    for (String sweep : List.of("plain", "evidence", "failing")) {
      go(page, sweep);
      table(page);
      assertThat(english(page)).as(sweep).isEmpty();
      for (String where : List.of("#board", "#summary", "#timeline tbody")) {
        page.locator(where + " .why").first().click();
        page.waitForSelector("dialog.drawer[open] .content > :not(p)");
        assertThat(english(page)).as(sweep + " " + where).isEmpty();
        page.keyboard().press("Escape");
      }
    }
  }

  private static List<String> english(Page page) {
    String text =
        (String)
            page.evaluate(
                "() => { const body = document.body.cloneNode(true);"
                    + " body.querySelectorAll('code, .place, option, noscript').forEach((node) => node.remove());"
                    + " return [...body.querySelectorAll('[aria-label], [title]')].flatMap((node) =>"
                    + " [node.getAttribute('aria-label'), node.title]).join('\\n') + '\\n' +"
                    + " [...body.querySelectorAll('*')].flatMap((node) => [...node.childNodes])"
                    + ".filter((node) => node.nodeType === 3).map((node) => node.data).join('\\n'); }");
    return Pattern.compile("[A-Za-z][a-z']+(?:[ ,]+[A-Za-z][a-z']*){2,}")
        .matcher(text)
        .results()
        .map(m -> m.group())
        .distinct()
        .toList();
  }

  /** Opens the table of jobs if it is closed. */
  static void table(Page page) {
    if (page.locator("#timeline details[open]").count() == 0) {
      page.locator("#timeline summary").click();
    }
    page.waitForSelector("#timeline details[open] tbody tr");
  }

  private static void go(Page page, String sweep) {
    page.navigate(page.url().replaceFirst("#.*", "") + "#" + sweep);
    page.waitForSelector("a[aria-current=page] >> text=" + sweep);
  }
}
