package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever a job, a node, a person or a language model writes is displayed as text. */
@Tag("page")
@Tag("guard")
class MarkupIT extends InBrowser {
  private static final String MARKUP =
      "\"><img src=x onerror=\"document.title='struck'\"><svg onload=\"document.title='struck'\">"
          + "<script>document.title='struck'</script><!-- ]]>\u2028\u2029&lt;{0}";

  /** The page's own vocabulary, which determines what it draws. */
  private static final Set<String> VOCABULARY = Set.of("phase", "status", "verdict", "kind");

  /** Sections with keys that are names chosen by people. */
  private static final Set<String> NAMED = Set.of("board", "dropped", "memory", "questions");

  @Test
  void everyTextOfEveryAnswerShowsAsText() throws Exception {
    nights.explained("faulty", Nights.recorded("schema-1/faulty-7"));
    nights.explained("packed", Nights.recorded("schema-3/packed-fsdp4-tp2"));
    nights.explained("asking", KeyboardIT.underWay(Nights.night(7)));
    Http guest = FramesTest.guest(nights);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !guest.get("/api/sweeps").body().contains("reading"));
    for (String sweep : List.of("faulty", "packed", "asking")) {
      Page page = blank();
      page.route("**/api/sweeps*", MarkupIT::mark);
      page.route("**/api/sweeps/**", MarkupIT::mark);
      page.route(
          "**/api/starts*",
          route ->
              route.fulfill(
                  new Route.FulfillOptions()
                      .setBody(
                          marked(
                                  "",
                                  read(
                                      "[{\"file\":\"\",\"at\":1,\"last\":{\"at\":1,\"said\":\"\"}}]"))
                              .toString())));
      page.route("**/events?*", Route::abort);
      page.navigate(nights.open().link());
      page.waitForSelector("#sweeps tbody tr");
      page.navigate(page.url().replaceFirst("#.*", "") + "#" + sweep);
      page.waitForSelector("a[aria-current=page] >> text=" + sweep);
      page.waitForSelector("#board tbody tr");
      page.locator("#timeline summary").click();
      page.locator(".actions button").last().click();
      page.waitForSelector("dialog.drawer[open] .content :text('onerror')");
      page.keyboard().press("Escape");
      if (sweep.equals("asking")) {
        page.locator("#board .act button:visible").first().click();
        assertThat(page.textContent("dialog[open] h2")).contains(MARKUP);
        page.keyboard().press("Escape");
        assertThat(page.textContent("#approvals")).contains(MARKUP);
      }
      for (String section :
          List.of("#sweeps table", ".starts", "#summary", "#board", "#timeline table", "#steps")) {
        assertThat(page.textContent(section)).as(section).contains(MARKUP);
      }
      assertThat(page.locator("img, body script, iframe, [onerror], [onload]").count()).isZero();
      assertThat(page.title()).doesNotStartWith("struck");
      page.context().close();
    }
  }

  /** Puts the markup into every text of the daemon's answers. */
  private static void mark(Route route) {
    JsonNode answer = read(route.fetch().text());
    route.fulfill(new Route.FulfillOptions().setBody(marked("", answer).toString()));
  }

  private static JsonNode read(String json) {
    try {
      return Json.mapper().readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode marked(String name, JsonNode node) {
    if (node instanceof ObjectNode object) {
      ObjectNode copy = Json.mapper().createObjectNode();
      object
          .properties()
          .forEach(
              field ->
                  copy.set(
                      NAMED.contains(name) ? field.getKey() + MARKUP : field.getKey(),
                      marked(field.getKey(), field.getValue())));
      return copy;
    }
    if (node instanceof ArrayNode list) {
      ArrayNode copy = Json.mapper().createArrayNode();
      // The names of sections stay, as those of fields do.
      list.forEach(each -> copy.add(name.equals("complete") ? each : marked(name, each)));
      return copy;
    }
    // The list's own id is the requested address.
    return node.isTextual() && !VOCABULARY.contains(name) && !name.equals("id")
        ? TextNode.valueOf(node.asText() + MARKUP)
        : node;
  }

  /** A closing tag, the start of a comment, line separators and half a character. */
  @Test
  void anExportHoldsWhateverALogSays() throws Exception {
    String hostile = MARKUP + "</script ></SCRIPT><!--<script>\u0000\ud800 \udc00x";
    nights.add("one", AlteredNights.said(Nights.recorded("schema-1/faulty-7"), hostile));
    Page page = browser.open(exported(""), 1200, 900, ColorScheme.LIGHT);
    assertThat(page.locator("#failures .quotes code").first().textContent())
        // Invisible characters are replaced before display.
        .startsWith(MARKUP.replaceAll("[\u2028\u2029]", "\ufffd"))
        .contains("</script ></SCRIPT><!--<script>");
    assertThat(page.locator("img, body script").count()).isZero();
    assertThat(page.title()).doesNotStartWith("struck");
    assertThat(browser.errors).isEmpty();
  }

  /** The file's own policy: even if markup got in, it would have no effect. */
  @Test
  void anExportRunsNoScriptButItsOwn() throws Exception {
    nights.add("one", Nights.night(1));
    Set<String> blocked = new TreeSet<>();
    Page page = blank();
    page.onRequestFailed(request -> blocked.add(request.url() + " " + request.failure()));
    page.navigate(
        exported(
            "<base href=\"http://evil.example/\"><script>document.title='struck'</script>"
                + "<script src=\"data:text/javascript,document.title='struck'\"></script>"
                + "<script type=\"module\" src=\"data:text/javascript,document.title='struck'\"></script>"
                + "<script src=\"http://evil.example/x.js\"></script>"
                + "<img src=\"http://evil.example/x\" onerror=\"document.title='struck'\">"
                + "<iframe src=\"http://evil.example/\"></iframe><style>body{display:none}</style>"
                + "<form action=\"http://evil.example/\"><button id=\"send\">x</button></form>"));
    page.waitForSelector("#board tbody tr");
    assertThat(page.title()).contains("finished");
    assertThat(browser.requests)
        .filteredOn(url -> url.startsWith("http"))
        .isNotEmpty()
        .allMatch(url -> blocked.contains(url + " csp"));
    Set<String> refused = new TreeSet<>();
    browser.errors.forEach(
        error ->
            refused.add(
                error.replaceFirst(
                    "(?s).*?((script|style|img|frame)-src|default-src|base-uri).*", "$1")));
    assertThat(refused).contains("script-src", "style-src");
  }

  /** The address of a file with foreign markup in its body. */
  private String exported(String foreign) throws IOException {
    Path file = dir.resolve("one.html");
    Export.write(file, nights.directory, nights.directory.sweep("one"), Redaction.byForm());
    Files.writeString(file, Files.readString(file).replace("</noscript>", "</noscript>" + foreign));
    return file.toUri().toString();
  }
}
