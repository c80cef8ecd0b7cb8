package io.nightsweep.page;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nights, a page server for them and a browser without memory of another test, for each test; a
 * test's own set-up follows.
 */
abstract class InBrowser {
  private static Chromium chromium;

  @TempDir Path dir;
  Nights nights;
  Browser browser;

  @BeforeAll
  static void startChromium() {
    chromium = new Chromium();
  }

  @AfterAll
  static void stopChromium() {
    chromium.close();
  }

  @BeforeEach
  void openBrowser() throws IOException {
    nights = new Nights(dir.resolve("state"));
    browser = new Browser(chromium);
  }

  @AfterEach
  void closeBrowser() {
    browser.close();
    nights.close();
  }

  Page blank() {
    return browser.blank(1200, 900, ColorScheme.LIGHT);
  }

  /** Enters by a new link and goes to a sweep by its address. */
  void visit(Page page, String sweep) {
    page.navigate(nights.open().link());
    page.waitForURL("**/");
    page.navigate(page.url() + "#" + sweep);
    page.waitForSelector("a[aria-current=page] >> text=" + sweep);
  }
}
