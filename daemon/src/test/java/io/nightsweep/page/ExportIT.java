package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.nightsweep.conductor.Standings;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An exported night in a real browser, without a server. */
@Tag("page")
class ExportIT extends InBrowser {
  @BeforeEach
  void faulty() throws IOException {
    nights.add("faulty", AlteredNights.marked(Nights.recorded("schema-1/faulty-7")));
  }

  /** An export of a running night shows its moment, and why each job ran. */
  @Test
  void anExportOfANightUnderWayTellsItsMomentAndExplainsEveryJob() throws Exception {
    List<Entry> night = Nights.night(1);
    nights.explained("half", night.subList(0, night.size() / 2));
    Path file = dir.resolve("half.html");
    Export.write(file, nights.directory, nights.directory.sweep("half"), Redaction.byForm());
    Page page = browser.open(file.toUri().toString(), 1200, 900, ColorScheme.LIGHT);
    assertThat(page.textContent("#sweeps tbody")).contains("as of ").doesNotContain("daemon");
    assertThat(page.textContent("#summary .status")).contains("as of ");
    ViewsIT.table(page);
    int jobs = page.locator("#timeline tbody .why").count();
    assertThat(jobs).isPositive();
    for (int i = 0; i < jobs; i++) {
      page.locator("#timeline tbody .why").nth(i).click();
      page.waitForSelector("dialog.drawer[open] ol > li");
      page.keyboard().press("Escape");
    }
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
        .isEqualTo(Standings.board(s).standings().size());
    assertThat(page.locator("#failures .quotes code").first().textContent())
        .isEqualTo(AlteredNights.MARKUP);
    assertThat(page.locator("[data-act]:visible").count()).isZero();
    page.focus("#slider");
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
