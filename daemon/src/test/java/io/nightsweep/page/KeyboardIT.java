package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.engine.Request;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.QuestionAbout;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every action of the page by keyboard only, on a simulated night that is under way. No test
 * clicks, or sets the focus by script: each control is reached by Tab.
 */
@Tag("page")
class KeyboardIT extends InBrowser {
  /** More than the page's controls, so that Tab goes round the whole page once. */
  private static final int MOST_TABS = 400;

  private static final String SWEEP = "night";

  private Page page;

  @BeforeEach
  void open() throws IOException {
    nights.add("earlier", Nights.night(8));
    List<Entry> night = underWay(Nights.night(7));
    nights.add(SWEEP, night);
    nights.driven = Optional.of(SweepState.fold(night));
    page = browser.open(nights.open().link(), 1200, 900, ColorScheme.LIGHT);
    page.setDefaultTimeout(20_000);
    page.waitForSelector("a[aria-current=page] >> text=" + SWEEP);
  }

  /** Two thirds of a night, then two questions to people. */
  static List<Entry> underWay(List<Entry> whole) {
    return asking(whole.subList(0, whole.size() * 2 / 3));
  }

  /** Adds two questions to people at the end. */
  static List<Entry> asking(List<Entry> entries) {
    List<Entry> night = new ArrayList<>(entries);
    for (String question : List.of("first", "second")) {
      Entry last = night.getLast();
      night.add(
          new Entry(
              last.seq() + 1,
              last.at(),
              new Event.QuestionAsked(
                  question,
                  new QuestionAbout.Told("The " + question + " question?"),
                  Duration.ofHours(1),
                  false)));
    }
    assertThat(SweepState.fold(night).isFinished()).isFalse();
    return night;
  }

  /** Presses Tab until the focus is on the selected element. */
  private void tabTo(String selector) {
    for (int i = 0; i < MOST_TABS; i++) {
      if (isFocused(selector)) {
        return;
      }
      page.keyboard().press("Tab");
    }
    throw new AssertionError(selector + " is not reached by Tab");
  }

  private boolean isFocused(String selector) {
    return (Boolean)
        page.evaluate("selector => document.activeElement.matches(selector)", selector);
  }

  private void press(String selector, String key) {
    tabTo(selector);
    page.keyboard().press(key);
  }

  /** Waits until the daemon has received this many commands, and returns the last. */
  private Command told(int count) {
    page.waitForCondition(() -> nights.told.size() >= count);
    assertThat(nights.told).hasSize(count);
    Request.Tell last = nights.told.getLast();
    assertThat(last.sweep()).isEqualTo(SWEEP);
    assertThat(last.origin().door()).isEqualTo(Command.Origin.Door.HTTP);
    return last.command();
  }

  @Test
  void everyCommandIsGivenByKeysAlone() {
    press("[data-act=pause]", "Enter");
    assertThat(told(1)).isEqualTo(new Command.Pause());
    page.waitForSelector("#summary .phase.paused");
    assertThat(isFocused("[data-act=resume]")).isTrue();

    page.keyboard().press("Space");
    assertThat(told(2)).isEqualTo(new Command.Resume(Optional.empty(), Optional.empty()));
    page.waitForSelector("#summary .phase.running");
    assertThat(isFocused("[data-act=pause]")).isTrue();

    press("[data-act=budget]", "Enter");
    // The current limits are shown, and nothing is sent without a new one.
    SweepState s = nights.driven.orElseThrow();
    assertThat(page.textContent("#now-jobs"))
        .isEqualTo(
            "now %d; %d used".formatted(s.spec().budget().jobs().orElseThrow(), s.jobsTaken()));
    assertThat(page.textContent("#now-nodeHours")).startsWith("now no limit; ");
    assertThat(page.locator("dialog[open] button.danger").isDisabled()).isTrue();
    tabTo("dialog[open] #budget-jobs");
    page.keyboard().type("77");
    tabTo("dialog[open] #budget-hours");
    page.keyboard().type("1.5");
    press("dialog[open] button.danger", "Enter");
    assertThat(told(3))
        .isEqualTo(
            new Command.SetBudget(
                Optional.of(77), Optional.of(Duration.ofMinutes(90)), Optional.empty()));

    press("#board .act button", "Enter");
    String profile =
        (String)
            page.evaluate(
                "[...document.querySelectorAll('#board tbody tr')].find(row => row.querySelector('.act button:not([hidden])')).dataset.profile");
    press("dialog[open] button.danger", "Enter");
    assertThat(told(4)).isEqualTo(new Command.SkipProfile(profile));

    // How long the answer is awaited, and what happens without one.
    assertThat(page.locator("#approvals article").last().textContent())
        .contains("The first question?")
        .contains("Answer by ")
        .contains("without an answer: denied");
    press("#approvals [data-answer=approve][data-question=first]", "Enter");
    assertThat(told(5)).isEqualTo(new Command.Approve("first"));
    page.waitForSelector(
        "#approvals [data-question=first]",
        new Page.WaitForSelectorOptions().setState(WaitForSelectorState.DETACHED));
    // The pressed buttons are gone, but the focus is kept.
    assertThat(isFocused("#approvals *")).isTrue();
    press("#approvals [data-answer=deny][data-question=second]", "Space");
    assertThat(told(6)).isEqualTo(new Command.Deny("second"));
    page.waitForSelector(
        "#approvals [data-question=second]",
        new Page.WaitForSelectorOptions().setState(WaitForSelectorState.DETACHED));
    assertThat(isFocused("#approvals *")).isTrue();
    assertThat(browser.errors).isEmpty();
  }

  @Test
  void aStopTakesTheSweepsNameByKeysAlone() {
    press("[data-act=stop]", "Enter");
    assertThat(isFocused("dialog[open] #confirm")).isTrue();
    page.keyboard().type("not it");
    page.keyboard().press("Enter");
    page.keyboard().press("Escape");
    assertThat(page.locator("dialog[open]").count()).isZero();
    assertThat(isFocused("[data-act=stop]")).isTrue();
    assertThat(nights.told).isEmpty();

    page.keyboard().press("Enter");
    page.keyboard().type(SWEEP);
    press("dialog[open] #cancel-jobs", "Space");
    press("dialog[open] button.danger", "Enter");
    assertThat(told(1)).isEqualTo(new Command.Stop(Command.Stop.Mode.CANCEL));
    page.waitForSelector("#summary .phase.stopping");
    page.waitForCondition(() -> isFocused(".actions button"));
  }

  @Test
  void whatAnAssistantAsksForTakesItsNameByKeysAlone() throws Exception {
    AssistantRequest stop = nights.asks("stop", List.of());
    AssistantRequest resume = nights.asks("resume", List.of());
    page.waitForSelector("#asked article >> text=nightsweep resume");
    press("#asked [data-deny=" + resume.id() + "]", "Enter");
    page.waitForSelector(
        "#asked [data-deny=" + resume.id() + "]",
        new Page.WaitForSelectorOptions().setState(WaitForSelectorState.DETACHED));
    assertThat(nights.ran).isEmpty();

    tabTo("#asked-" + stop.id());
    page.keyboard().type("not it");
    page.keyboard().press("Enter");
    assertThat(page.locator("#asked button.danger").isDisabled()).isTrue();
    page.keyboard().press("Control+A");
    page.keyboard().type(stop.id());
    press("#asked button.danger", "Enter");
    page.waitForCondition(() -> nights.ran.size() == 1);
    assertThat(nights.ran.getFirst()).startsWith("stop", "--on-behalf-of=bob");
    assertThat(browser.errors).isEmpty();
  }

  @Test
  void everyViewIsOpenedAndClosedByKeysAlone() {
    // A closed drawer returns the focus to the element that opened it.
    press("#board .why", "Enter");
    page.waitForSelector("dialog.drawer[open] .content > *");
    page.keyboard().press("Escape");
    assertThat(isFocused("#board .why")).isTrue();
    page.keyboard().press("Enter");
    press("dialog.drawer[open] .close", "Space");
    assertThat(page.locator("dialog[open]").count()).isZero();
    assertThat(isFocused("#board .why")).isTrue();

    tabTo("#compare-with");
    page.keyboard().press("ArrowDown");
    page.waitForSelector("#compare [data-of=earlier] table tbody tr");

    tabTo("#which-job");
    page.keyboard().press("ArrowDown");
    page.waitForFunction("() => document.querySelector('#which-job').value !== ''");

    tabTo("#timeline summary");
    page.keyboard().press("Enter");
    page.waitForSelector("#timeline details[open] tbody tr");
    // The same as a click on a bar, for any job.
    page.evaluate("document.querySelector('#which-job').value = ''");
    press("#timeline tbody td button", "Enter");
    assertThat(isFocused("#which-job")).isTrue();
    page.waitForFunction("() => document.querySelector('#which-job').value !== ''");

    int rows = page.locator("#board tbody tr").count();
    tabTo("#slider");
    page.keyboard().press("Home");
    page.waitForFunction(
        "rows => document.querySelectorAll('#board tbody tr').length < rows", rows);
    assertThat(page.locator("[data-act]:visible").count()).isZero();
    press("#slider-now", "Enter");
    page.waitForSelector("[data-act=pause]:visible");
    assertThat(page.locator("#board tbody tr").count()).isEqualTo(rows);
    assertThat(isFocused("#slider")).isTrue();

    tabTo("#theme");
    page.keyboard().press("End");
    page.waitForSelector("html[data-theme=dark]");
    tabTo("#language");
    page.keyboard().press("ArrowDown");
    page.waitForSelector("html[lang=zh] #board-title");
    assertThat(isFocused("#language")).isTrue();

    press("#sweeps a[href='#earlier']", "Enter");
    page.waitForSelector("a[aria-current=page] >> text=earlier");
    assertThat(browser.errors).isEmpty();
  }

  @Test
  void pauseAndResumeByClick() {
    page.click("[data-act=pause]");
    assertThat(told(1)).isEqualTo(new Command.Pause());
    page.click("[data-act=resume]");
    assertThat(told(2)).isEqualTo(new Command.Resume(Optional.empty(), Optional.empty()));
    page.waitForSelector("#summary .phase.running");
  }
}
