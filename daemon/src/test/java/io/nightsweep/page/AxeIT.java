package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * axe-core on a phone's width, in both languages and colour schemes, in every state that has
 * controls.
 */
@Tag("page")
class AxeIT extends InBrowser {
  private static final int WIDTH = 390;
  private static final int HEIGHT = 844;

  private Page page;

  @BeforeEach
  void open() throws IOException {
    nights.explained("earlier", Nights.night(8));
    page = browser.blank(WIDTH, HEIGHT, ColorScheme.LIGHT);
  }

  private void assertAccessible(String state) {
    assertThat(Browser.violations(page)).as(state).isEmpty();
    assertThat(
            page.evaluate(
                "document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
        .as(state + " scrolls sideways")
        .isEqualTo(true);
  }

  private void speak(String language) {
    page.selectOption("#language", language);
    page.waitForSelector("html[lang=" + language + "] #board-title");
  }

  @ParameterizedTest
  @CsvSource({"LIGHT, zh", "DARK, en"})
  void aNightUnderWay(ColorScheme scheme, String language) throws Exception {
    List<Entry> night = KeyboardIT.underWay(Nights.night(7));
    nights.add("night", night);
    night.add(
        new Entry(
            night.size() + 1,
            night.getLast().at(),
            new Event.SweepHalted(
                new HaltCause.Told("no job starts", "each node by itself"), List.of("n7"))));
    nights.driven = Optional.of(SweepState.fold(night));
    Path file = Files.writeString(dir.resolve("sweep.yaml"), "model: m\n");
    nights.asks("start", List.of(file));
    page = browser.open(nights.open().link(), WIDTH, HEIGHT, scheme);
    speak(language);
    page.waitForSelector("#asked form");
    page.waitForSelector("#summary .halt p");
    page.locator("#timeline summary").click();
    page.waitForSelector("#compare-with option[value=earlier]", attached());
    page.selectOption("#compare-with", "earlier");
    page.waitForSelector("#compare [data-of=earlier] table");
    assertAccessible("all sections");
    for (String act :
        List.of("[data-act=stop]", "[data-act=budget]", "#board .act button:visible")) {
      page.locator(act).first().click();
      page.waitForSelector("dialog[open] button.danger");
      assertAccessible(act);
      page.keyboard().press("Escape");
    }
    page.locator("#board .why").first().click();
    page.waitForSelector("dialog.drawer[open] .content > *");
    assertAccessible("why");
    page.keyboard().press("Escape");
    page.focus("#slider");
    page.keyboard().press("Home");
    page.waitForSelector("#slider-now:visible");
    assertAccessible("the past");
    page.context().clearCookies();
    page.selectOption("#language", language.equals("en") ? "zh" : "en");
    page.waitForSelector(".lost:visible");
    assertAccessible("not let in any more");
  }

  @ParameterizedTest
  @CsvSource({"DARK, zh", "LIGHT, en"})
  void anExport(ColorScheme scheme, String language) throws Exception {
    nights.explained("packed", Nights.recorded("schema-3/packed-fsdp4-tp2"));
    nights.add("again", Nights.recorded("schema-3/packed-fsdp4-tp2"));
    Path file = dir.resolve("night.html");
    assertThat(
            Export.write(
                file, nights.directory, nights.directory.sweep("packed"), Redaction.byForm()))
        .isEmpty();
    page = browser.open(file.toUri().toString(), WIDTH, HEIGHT, scheme);
    speak(language);
    page.selectOption("#compare-with", "again");
    page.waitForSelector("#compare [data-of=again] table tbody tr");
    assertThat(page.locator("#sweeps tbody tr").count()).isOne();
    assertAccessible("all sections");
    page.locator("#summary .why").first().click();
    page.waitForSelector("dialog.drawer[open] .content > *");
    assertAccessible("why");
    assertThat(browser.errors).isEmpty();
  }

  private static Page.WaitForSelectorOptions attached() {
    return new Page.WaitForSelectorOptions().setState(WaitForSelectorState.ATTACHED);
  }
}
