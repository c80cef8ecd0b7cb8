package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.BoundingBox;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Everything on the page can be reached: by mouse, far down a long list, beside a broken view. */
@Tag("page")
class ReachIT extends InBrowser {
  private Page page;

  @BeforeEach
  void open() {
    page = blank();
  }

  private void drive(List<Entry> night) throws IOException {
    SweepState state = SweepState.fold(night);
    nights.add(state.sweep(), night);
    nights.driven = Optional.of(state);
    visit(page, state.sweep());
  }

  private double x(double part) {
    BoundingBox box = page.locator("#slider").boundingBox();
    return box.x + part * box.width;
  }

  private double y() {
    BoundingBox box = page.locator("#slider").boundingBox();
    return box.y + box.height / 2;
  }

  private void isWalkedTo(double part) {
    page.waitForFunction(
        "part => Math.abs(document.querySelector('#slider').value / 100 - part) < 0.05"
            + " && document.querySelector('#slider-at').textContent.startsWith('as it was')",
        part);
  }

  @Test
  void theMouseWalksANightBack() throws IOException {
    nights.add("one", Nights.night(1));
    visit(page, "one");
    page.waitForSelector("#summary .phase.finished");
    // The first click also loads the night.
    page.mouse().click(x(0.4), y());
    isWalkedTo(0.4);
    page.waitForSelector("#summary .phase.running");
    page.click("#slider-now");
    page.waitForSelector("#summary .phase.finished");

    page.reload();
    page.waitForSelector("#summary .phase.finished");
    page.mouse().move(x(0.99), y());
    page.mouse().down();
    page.mouse().move(x(0.2), y());
    page.mouse().up();
    isWalkedTo(0.2);
    assertThat(browser.errors).isEmpty();
  }

  @Test
  void everyFailureIsReachedAndQuestionsStandBeforeThem() throws IOException {
    List<Entry> night = KeyboardIT.asking(LongNight.entries(130, 0));
    drive(night);
    page.waitForFunction("() => document.title.startsWith('(2) ')");
    assertThat(page.locator("#approvals").boundingBox().y)
        .isLessThan(page.locator("#failures").boundingBox().y);
    page.click("#summary button:has-text('Waiting for your answer: 2')");
    assertThat(page.evaluate("document.activeElement.id")).isEqualTo("approvals");

    int failed =
        (int)
            page.evaluate(
                "Number(document.querySelector('#failures p').textContent.match(/\\d+$/)[0])");
    assertThat(failed).isGreaterThan(100);
    Locator articles = page.locator("#failures article");
    assertThat(articles.count()).isEqualTo(50);
    Locator more = page.locator("#failures .more");
    while (more.isVisible()) {
      more.click();
    }
    assertThat(articles.count()).isEqualTo(failed);

    // The steps too, although the job is not one of the latest.
    page.locator("#failures article h3 button:text-is('Steps')").last().click();
    page.waitForFunction("() => document.querySelector('#which-job').value !== ''");
    String profile = page.locator("#failures article .why").last().textContent();
    page.waitForSelector("#steps-words:has-text('" + profile + "')");
    page.locator("#timeline summary").click();
    page.waitForFunction("() => document.querySelectorAll('#timeline tbody tr').length === 130");
    assertThat(browser.errors).isEmpty();
  }

  @Test
  void aHaltSaysWhatWasTriedAndWhichNodesFail() throws IOException {
    HaltCause cause =
        new HaltCause.Incurable(
            "gpu-lost",
            Statement.words("a GPU fell off the bus"),
            List.of(
                new HaltCause.StepTried(
                    "reset-gpu", StepEnd.failed(Statement.words("no such device")))));
    List<Entry> night = new ArrayList<>(KeyboardIT.underWay(Nights.night(7)));
    night.add(
        new Entry(
            night.size() + 1,
            night.getLast().at(),
            new Event.SweepHalted(cause, List.of("n7", "n9"))));
    drive(night);
    page.waitForSelector("#summary .phase.halted");
    assertThat(page.locator("#summary .halt p").allTextContents())
        .containsExactly(
            "Tried before the halt: " + Sentences.tried(cause, Phrases.EN),
            "Failing nodes: n7 n9",
            "When the cause is removed: Resume, or nightsweep resume --sweep night; on other nodes with --nodelist.");
  }

  /** Rows that no current daemon sends. */
  @Test
  void aViewThatFailsTakesNoOtherWithIt() throws IOException {
    nights.add("one", Nights.night(1));
    page.route(
        "**/api/sweeps/one?*",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setBody(
                        route
                            .fetch()
                            .text()
                            .replace("\"rank\":1,", "\"rank\":1,\"settings\":{},")
                            .replaceFirst(
                                "\"board\":\\{\"[^\"]*\":\\{",
                                "\"board\":{\"none\":null,\"other\":{"))));
    page.route("**/events?*", Route::abort);
    visit(page, "one");
    page.waitForSelector("main > .said >> text=Leaderboard");
    page.waitForSelector("#timeline path");
    assertThat(page.textContent("#timeline .sum")).contains("attempts");
    assertThat(browser.errors).filteredOn(error -> error.startsWith("board")).hasSize(1);
  }

  /** A browser keeps six connections to a host: background pages must leave some free. */
  @Test
  void aPageActsBesideManyThatNobodySees() throws IOException {
    List<Entry> night = KeyboardIT.underWay(Nights.night(7));
    drive(night);
    String address = page.url();
    for (int i = 0; i < 6; i++) {
      Page hidden = page.context().newPage();
      hidden.addInitScript("Object.defineProperty(document, 'hidden', { get: () => true })");
      hidden.navigate(address);
      hidden.waitForSelector("#summary .phase.running");
    }
    page.dblclick("[data-act=pause]");
    page.waitForSelector("#summary .phase.paused");
    // Two presses count as one.
    assertThat(nights.told).hasSize(1);
  }

  @Test
  void aQuestionAboutOneSweepIsNotAnsweredForAnother() throws IOException {
    nights.add("other", Nights.night(2));
    drive(KeyboardIT.underWay(Nights.night(7)));
    String sweep = nights.driven.orElseThrow().sweep();
    page.click("[data-act=budget]");
    assertThat(page.textContent("dialog[open] h2")).contains(sweep);
    page.evaluate("location.hash = 'other'");
    page.waitForSelector("a[aria-current=page] >> text=other");
    assertThat(page.locator("dialog[open]").count()).isZero();
  }

  @Test
  void whatALanguageSwitchReplacesIsFreed() throws IOException {
    nights.add("one", Nights.night(1));
    visit(page, "one");
    page.waitForSelector("#board tbody tr");
    switches(2);
    CDPSession session = page.context().newCDPSession(page);
    JsonObject before = counted(session);
    switches(10);
    JsonObject after = counted(session);
    for (String what : List.of("nodes", "jsEventListeners")) {
      assertThat(after.get(what).getAsInt()).as(what).isLessThan(before.get(what).getAsInt() * 2);
    }
  }

  private void switches(int times) {
    for (int i = 0; i < times; i++) {
      String language = i % 2 == 0 ? "zh" : "en";
      page.selectOption("#language", language);
      // No element handle, since the replaced elements would stay referenced.
      page.waitForFunction(
          "lang => document.querySelector(`html[lang=${lang}] #board tbody tr`) !== null",
          language);
    }
  }

  private static JsonObject counted(CDPSession session) {
    Stream.of("HeapProfiler.enable", "HeapProfiler.collectGarbage", "HeapProfiler.collectGarbage")
        .forEach(session::send);
    return session.send("Memory.getDOMCounters");
  }
}
