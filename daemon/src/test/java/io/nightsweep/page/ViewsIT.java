package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a real browser, on nights that are over. */
@Tag("page")
class ViewsIT {
  private static final String MARKUP =
      "<img src=x onerror=\"document.title='struck'\"><script>alert(1)</script> </textarea>&lt;";

  @TempDir private Path dir;
  private Nights nights;
  private Browser browser;

  @BeforeEach
  void open() throws IOException {
    nights = new Nights(dir.resolve("state"));
    nights.add("faulty", marked(journal("faulty-7")));
    nights.add("evidence", journal("evidence-gather"));
    browser = new Browser();
  }

  @AfterEach
  void close() {
    browser.close();
    nights.close();
  }

  private List<Entry> journal(String name) throws IOException {
    Path file = dir.resolve(name + ".jsonl");
    try (InputStream in =
        new GZIPInputStream(
            Objects.requireNonNull(
                ViewsIT.class.getResourceAsStream("/journals/schema-1/" + name + ".jsonl.gz")))) {
      Files.copy(in, file);
    }
    List<Entry> entries = new ArrayList<>();
    JournalReader.read(file, entries::add);
    return entries;
  }

  /** Each failure quotes a line that a browser would act on if it were markup. */
  private static List<Entry> marked(List<Entry> entries) {
    return entries.stream().map(e -> new Entry(e.seq(), e.at(), marked(e.event()))).toList();
  }

  private static Event marked(Event event) {
    return event instanceof Event.AttemptJudged judged
            && judged.judgement() instanceof Judgement.Failed failed
        ? new Event.AttemptJudged(
            judged.attempt(), new Judgement.Failed(marked(failed.diagnosis())))
        : event;
  }

  private static Diagnosis marked(Diagnosis d) {
    return new Diagnosis(
        d.failureClass(),
        d.confidence(),
        List.of(new Diagnosis.Quote("job.log", 7, MARKUP)),
        MARKUP,
        d.subjects());
  }

  private String address() {
    return nights.open().link();
  }

  @Test
  void aLogLineWithMarkupShowsAsText() {
    Page page = browser.open(address(), 1200, 900, ColorScheme.LIGHT);
    page.navigate(page.url().replaceFirst("#.*", "") + "#faulty");
    page.waitForSelector("#failures article");
    assertThat(page.locator("#failures .quotes code").first().textContent()).isEqualTo(MARKUP);
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
    page.waitForSelector("#slider:not([max='1'])");
    page.keyboard().press("Home");
    page.waitForSelector("#summary .phase.running");
    assertThat(page.locator("#board tbody tr").count()).isLessThan(rows);
    page.keyboard().press("End");
    page.waitForSelector("#summary .phase.finished");
    assertThat(page.locator("#board tbody tr").count()).isEqualTo(rows);
    assertThat(browser.errors).isEmpty();
  }

  @Test
  void anExportedFileIsThePageWithoutAServer() throws Exception {
    Path file = dir.resolve("night.html");
    Export.write(file, nights.directory, nights.directory.sweep("faulty"), Redaction.byForm());
    nights.close();
    Page page = browser.open(file.toUri().toString(), 1200, 900, ColorScheme.LIGHT);
    SweepState s = JournalReader.fold(nights.directory.sweep("faulty").journal());
    assertThat(page.locator("#board tbody tr").count())
        .isEqualTo(io.nightsweep.conductor.Standings.board(s).standings().size());
    assertThat(page.locator("#failures .quotes code").first().textContent()).isEqualTo(MARKUP);
    assertThat(page.locator("[data-act]:visible").count()).isZero();
    page.focus("#slider");
    page.waitForSelector("#slider:not([max='1'])");
    page.keyboard().press("Home");
    page.waitForSelector("#summary .phase.running");
    page.selectOption("#language", "zh");
    page.waitForSelector("html[lang=zh] #board-title");
    page.locator("#board .why").first().click();
    page.waitForSelector("dialog[open] .content > p:not(:empty)");
    assertThat(browser.errors).isEmpty();
    assertThat(browser.requests)
        .allMatch(url -> url.startsWith("file:") || url.startsWith("data:"));
  }
}
