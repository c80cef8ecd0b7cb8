package io.nightsweep.page;

import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Debian's Chromium. Its start takes a processor for seconds, so the tests of a class share one;
 * each has contexts of its own, with their own storage.
 */
final class Chromium implements AutoCloseable {
  private final Playwright playwright;
  private final com.microsoft.playwright.Browser chromium;

  Chromium() {
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    chromium =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(Path.of("/usr/bin/chromium"))
                    // Root has no sandbox, and a container has little shared memory.
                    .setArgs(List.of("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")));
  }

  BrowserContext context(NewContextOptions options) {
    return chromium.newContext(options);
  }

  @Override
  public void close() {
    chromium.close();
    playwright.close();
  }
}
