package io.nightsweep.page;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.util.ArrayList;
import java.util.List;

/** The pages of one test in a {@link Chromium}; no other test's pages share anything with them. */
final class Browser implements AutoCloseable {
  private static final double PATIENCE_MILLIS = 60_000;

  private final Chromium chromium;
  private final List<BrowserContext> contexts = new ArrayList<>();

  /** Messages of the console, and every address that was requested. */
  final List<String> errors = new ArrayList<>();

  final List<String> requests = new ArrayList<>();

  Browser(Chromium chromium) {
    this.chromium = chromium;
  }

  Page open(String address, int width, int height, ColorScheme scheme) {
    Page page = blank(width, height, scheme);
    page.navigate(address);
    page.waitForSelector("#summary-title:not(:empty)");
    return page;
  }

  /** A page that has loaded no address yet. */
  Page blank(int width, int height, ColorScheme scheme) {
    BrowserContext context =
        chromium.context(
            new NewContextOptions()
                .setViewportSize(width, height)
                .setLocale("en-GB")
                .setTimezoneId("UTC")
                .setReducedMotion(ReducedMotion.REDUCE)
                .setColorScheme(scheme));
    contexts.add(context);
    Page page = context.newPage();
    page.setDefaultTimeout(PATIENCE_MILLIS);
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error")) {
            errors.add(message.text() + " " + message.location());
          }
        });
    page.onPageError(errors::add);
    page.onRequest(request -> requests.add(request.url()));
    return page;
  }

  static List<String> violations(Page page) {
    return new AxeBuilder(page)
        .setLegacyMode(true).analyze().getViolations().stream()
            .map((Rule rule) -> rule.getId() + ": " + rule.getNodes())
            .toList();
  }

  @Override
  public void close() {
    contexts.forEach(BrowserContext::close);
  }
}
