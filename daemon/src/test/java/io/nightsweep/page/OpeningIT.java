package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.nightsweep.conductor.Standings;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a browser shows before an answer, after a late one, and when a sweep moves. */
@Tag("page")
class OpeningIT extends InBrowser {
  private Page page;

  @BeforeEach
  void open() {
    page = blank();
  }

  @Test
  void aPageThatIsOpenedBeforeTheFirstSweepShowsItOnceThereIsOne() throws IOException {
    page.navigate(nights.open().link());
    page.waitForSelector(".said >> text=nightsweep start");
    nights.add("first", Nights.night(1));
    page.waitForSelector("a[aria-current=page] >> text=first");
    page.waitForSelector("#board tbody tr");
    assertThat(page.textContent(".said")).isEmpty();
    assertThat(browser.errors).isEmpty();
  }

  @Test
  void aPageWhoseFirstQuestionsHaveNoAnswerAsksAgain() throws IOException {
    nights.add("first", Nights.night(1));
    int[] asked = {0, 0};
    page.route("**/api/texts*", route -> answerFromTheSecondOn(route, asked, 0));
    page.route("**/api/sweeps?*", route -> answerFromTheSecondOn(route, asked, 1));
    page.navigate(nights.open().link());
    page.waitForSelector("#board tbody tr");
    assertThat(asked).containsExactly(2, 2);
    assertThat(page.locator(".lost:visible").count()).isZero();
  }

  private static void answerFromTheSecondOn(Route route, int[] asked, int which) {
    if (asked[which]++ == 0) {
      route.abort();
    } else {
      route.resume();
    }
  }

  @Test
  void aBrowserThatIsNotLetInAnyMoreIsToldHowToComeBack() throws IOException {
    nights.add("first", Nights.night(1));
    visit(page, "first");
    page.context().clearCookies();
    page.locator("#board .why").first().click();
    page.waitForSelector("dialog.drawer[open]");
    page.keyboard().press("Escape");
    page.selectOption("#language", "zh");
    page.waitForSelector(".lost:visible >> text=nightsweep page");
  }

  /** Holds answers back until another one has arrived. */
  private List<Route> hold(Predicate<String> address) {
    List<Route> held = new ArrayList<>();
    page.route(address, held::add);
    return held;
  }

  private void release(List<Route> held) {
    String url = held.getFirst().request().url();
    page.waitForResponse(url, () -> held.forEach(Route::resume));
    // The page acts on an answer at once.
    page.evaluate("() => new Promise((done) => setTimeout(done, 200))");
  }

  @Test
  void anExplanationThatComesLateIsNotShownForAnother() throws IOException {
    nights.explained("one", Nights.night(1));
    visit(page, "one");
    List<Object> profiles =
        page.locator("#board tbody tr")
                    .evaluateAll("rows => rows.map((row) => row.dataset.profile)")
                instanceof List<?> names
            ? List.copyOf(names)
            : List.of();
    List<Route> held = hold(url -> url.contains("about=" + profiles.get(0) + "&"));
    page.locator("#board .why").nth(0).click();
    page.waitForCondition(() -> !held.isEmpty());
    page.keyboard().press("Escape");
    page.locator("#board .why").nth(1).click();
    page.waitForSelector("dialog.drawer[open] ol > li");
    String shown = page.textContent("dialog.drawer .content");
    release(held);
    assertThat(page.textContent("#explain-title")).contains("" + profiles.get(1));
    assertThat(page.textContent("dialog.drawer .content")).isEqualTo(shown);
  }

  @Test
  void aNightThatComesLateIsNotWalkedBackInAnother() throws IOException {
    nights.add("one", Nights.night(1));
    nights.add("two", Nights.night(2));
    visit(page, "one");
    List<Route> held = hold(url -> url.contains("/sweeps/one/history"));
    page.focus("#slider");
    page.waitForCondition(() -> !held.isEmpty());
    page.click("#sweeps a[href='#two']");
    page.waitForSelector("a[aria-current=page] >> text=two");
    release(held);
    assertThat(page.textContent("#slider-at")).isEqualTo("as it ended");
    page.focus("#slider");
    page.keyboard().press("Home");
    page.waitForSelector("#slider-at:has-text('as it was')");
    assertThat(browser.requests).anyMatch(url -> url.contains("/sweeps/two/history"));
  }

  @Test
  void aComparisonThatComesLateDoesNotReplaceTheOneThatWasChosen() throws IOException {
    nights.add("one", Nights.night(1));
    nights.add("two", Nights.night(2));
    nights.add("three", Nights.night(3));
    visit(page, "one");
    page.waitForSelector("#compare-with option[value=three]", attached());
    page.waitForSelector("#compare-with option[value=two]", attached());
    List<Route> held = hold(url -> url.contains("with=two"));
    page.selectOption("#compare-with", "two");
    page.waitForCondition(() -> !held.isEmpty());
    page.selectOption("#compare-with", "three");
    page.waitForSelector("#compare [data-of=three] table");
    release(held);
    assertThat(page.locator("#compare [data-of=three] table").count()).isOne();
    assertThat(page.locator("#compare table").count()).isOne();
  }

  private static Page.WaitForSelectorOptions attached() {
    return new Page.WaitForSelectorOptions().setState(WaitForSelectorState.ATTACHED);
  }

  /** Measurements from the old nodes are on no board; the timeline still shows where they ran. */
  @Test
  void rowsOfTheNodesThatASweepLeftVanishWithoutAReload() throws IOException {
    List<Entry> night = List.of();
    SweepState before = SweepState.empty();
    for (String journal : List.of("rough-72", "rough-83", "rough-85", "rough-57", "rough-4")) {
      night = Nights.recorded("schema-2/" + journal);
      before = beforeItMoved(night).orElse(before);
      if (before.seq() > 0) {
        break;
      }
    }
    nights.add(before.sweep(), night.subList(0, (int) before.seq()));
    nights.driven = Optional.of(before);
    visit(page, before.sweep());
    page.waitForSelector("#board tbody tr");
    int rows = page.locator("#board tbody tr").count();
    assertThat(rows).isEqualTo(Standings.board(before).standings().size());

    SweepState moved = before.apply(night.get((int) before.seq()));
    assertThat(Standings.board(moved).standings()).hasSizeLessThan(rows);
    nights.driven = Optional.of(moved);
    page.waitForFunction(
        "rows => document.querySelectorAll('#board tbody tr').length === rows",
        Standings.board(moved).standings().size());
    assertThat(page.locator("#timeline .lanes span").allTextContents())
        .containsAll(before.cell().nodes())
        .containsAll(moved.cell().nodes());
    assertThat(browser.errors).isEmpty();
  }

  private static Optional<SweepState> beforeItMoved(List<Entry> night) {
    SweepState s = SweepState.empty();
    for (Entry e : night) {
      if (e.event() instanceof Event.CellRepinned
          && !Standings.board(s).standings().isEmpty()
          && s.attempts().anyMatch(a -> a.startedAt().isPresent())) {
        return Optional.of(s);
      }
      s = s.apply(e);
    }
    return Optional.empty();
  }
}
