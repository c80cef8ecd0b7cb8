package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a browser shows when its data is changed or removed meanwhile. */
@Tag("page")
class ChangesIT extends InBrowser {
  private Page page;

  @BeforeEach
  void open() {
    page = blank();
  }

  @Test
  void aSweepThatIsRemovedGivesWayToAnotherAndThenToNone() throws IOException {
    nights.add("one", Nights.night(1));
    nights.add("two", Nights.night(2));
    visit(page, "one");
    remove("one");
    page.waitForSelector("main > .said >> text=one no longer exists");
    page.waitForSelector("a[aria-current=page] >> text=two");
    assertThat(page.locator("#sweeps a").allTextContents()).containsExactly("two");

    remove("two");
    page.waitForSelector("main > .said >> text=nightsweep start");
    assertThat(page.textContent("main > .said")).contains("two no longer exists");
    assertThat(page.locator("#summary:visible, #board:visible, [data-act]:visible").count())
        .isZero();
  }

  private void remove(String sweep) throws IOException {
    try (Stream<Path> files = Files.walk(nights.directory.sweep(sweep).root())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** A disk lost its last blocks; the page shows what is left, and never what is gone. */
  @Test
  void aJournalThatIsCutIsFollowedFromItsNewEnd() throws IOException {
    nights.add("one", Nights.night(1));
    visit(page, "one");
    page.waitForSelector("#summary .phase.finished");
    Path journal = nights.directory.sweep("one").journal();
    cut(journal, Files.size(journal) / 2 + 3);
    page.waitForSelector("#summary .phase.running");
    long attempts = JournalReader.fold(journal).attempts().count();
    page.waitForSelector("#timeline .sum >> text=" + attempts + " attempts");

    List<String> lines = Files.readAllLines(journal);
    lines.set(3, "damaged");
    Files.write(journal, lines);
    page.waitForSelector(".lost:visible >> text=damaged");

    cut(journal, 0);
    page.waitForSelector("main > .said >> text=one no longer exists");
    page.waitForCondition(() -> page.locator("#summary:visible, [data-act]:visible").count() == 0);
  }

  private static void cut(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  /** The page's modules request files of the older daemon. */
  @Test
  void aPageOfAnotherBuildLoadsItselfAnewOnce() throws IOException {
    nights.add("one", Nights.night(1));
    page.route(
        "**/events?*",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("text/event-stream")
                    .setBody("event: build\ndata: \"another\"\n\n")),
        new Page.RouteOptions().setTimes(1));
    visit(page, "one");
    page.waitForFunction("performance.getEntriesByType('navigation')[0].type === 'reload'");
    page.waitForSelector("a[aria-current=page] >> text=one");
    page.evaluate("window.stays = true");
    page.waitForTimeout(2500);
    assertThat(page.evaluate("window.stays")).isEqualTo(true);
    assertThat(browser.errors).isEmpty();
  }

  /** The address was cut in the middle of a name. */
  @Test
  void anAddressThatIsNoneShowsTheFirstSweep() throws IOException {
    nights.add("one", Nights.night(1));
    page.navigate(nights.open().link());
    page.waitForURL("**/");
    page.navigate(page.url() + "#%e4%");
    page.reload();
    page.waitForSelector("a[aria-current=page] >> text=one");
  }

  /** Written by an older daemon or a newer one: rows lack fields that this page knows. */
  @Test
  void rowsThatLackWhatThePageKnowsAreShownAsFarAsTheyGo() throws IOException {
    nights.add("one", Nights.night(1));
    page.route(
        "**/api/sweeps/one?*",
        route -> {
          ObjectNode whole = (ObjectNode) json(route.fetch().text());
          ObjectNode put = (ObjectNode) whole.get("put");
          put.remove(List.of("remarks", "advice", "bands", "baseline", "questions"));
          put.putObject("unheard").putObject("of").put("text", "new");
          route.fulfill(new Route.FulfillOptions().setBody(whole.toString()));
        });
    page.route("**/events?*", Route::abort);
    visit(page, "one");
    page.waitForSelector("#board tbody tr");
    assertThat(browser.errors).noneMatch(error -> error.contains("TypeError"));
  }

  private static JsonNode json(String text) {
    try {
      return Json.mapper().readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
