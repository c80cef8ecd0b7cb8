package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.nightsweep.cli.Main;
import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.LabSweep;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.files.ChildJvm;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A real browser on a real sweep of the lab's Slurm: nothing is reloaded from start to end. */
@Tag("page")
class PageIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Runs, gains and the bars' places in one text. */
  private static final String BARS =
      "[...document.querySelectorAll('#board tbody tr')].map((row) => row.dataset.profile + row.children[3].textContent"
          + " + ['.whisker', 'circle'].map((part) => row.querySelector(part).outerHTML)).join()";

  /** Baselines end at once; a candidate takes long enough to see its steps arrive. */
  private static final String SCRIPT =
      """
      #!/bin/bash
      [[ ${SPEED:-} != broken ]] || { echo 'RuntimeError: CUDA error: an illegal memory access was encountered'; exit 1; }
      offset=${NOISE:+$((RANDOM % NOISE))}
      pause=0.05
      [[ -z ${SPEED:-} ]] || pause=0.5
      for ((step = 0; step < 50; step++)); do
        printf 'iter %d/50 | 0.1%d s | %d.%d tok/s\\n' $step $((RANDOM % 9)) $((1000 + ${SPEED:-0} + ${offset:-0} + RANDOM % 3)) $((RANDOM % 10))
        sleep $pause
      done
      """;

  private static final String SWEEP =
      """
      model: anything
      parallelism: ranks=2
      slot: {nodelist: "n[1-2]"}
      workload:
        kind: command
        command: bash train.sh
        directory: "@FOLDER@"
        launch: once
        pattern: 'iter (?<step>\\d+)/\\d+ \\| (?<seconds>[\\d.]+) s \\| (?<value>[\\d.]+) tok/s'
        steps: 50
        windowFrom: 4
      metric: {name: tokensPerSecond, unit: tok/s, better: higher}
      profiles:
        fast: {env: {SPEED: 80}}
        faster: {env: {SPEED: 160}}
      plan: kernels
      budget: {jobs: 60, hours: 1}
      policy: {baselineRuns: 2, confirmRuns: 4, jobTimeLimit: 3m, targetGain: 5%}
      playbook: common
      """;

  @TempDir(cleanup = CleanupMode.NEVER)
  private Path dir;

  private StateDirectory state = new StateDirectory(Path.of("nowhere"));
  private final List<Process> daemons = new ArrayList<>();
  private final Chromium chromium = new Chromium();
  private final Browser browser = new Browser(chromium);

  @AfterEach
  void end() {
    browser.close();
    chromium.close();
    daemons.forEach(daemon -> daemon.destroyForcibly().onExit().join());
  }

  /** Starts the sweep under a separate daemon and opens its page. */
  private Page watch(String text) throws Exception {
    SlurmLab lab = SlurmLab.up();
    Path folder = lab.shared("page");
    Files.writeString(folder.resolve("train.sh"), SCRIPT);
    state = new StateDirectory(folder.resolve("state-" + System.nanoTime()));
    DaemonClient client = serve(state);
    LabSweep sweep = new LabSweep(lab, "anything", text.replace("@FOLDER@", folder.toString()));
    assertThat(client.ask(sweep.request(), PATIENCE)).isInstanceOf(Reply.Started.class);
    Reply.PageOpen link =
        (Reply.PageOpen) client.ask(new Request.OpenPage(Optional.empty()), PATIENCE);

    Page page = browser.open(link.link(), 1200, 900, ColorScheme.LIGHT);
    page.setDefaultTimeout((double) PATIENCE.toMillis());
    return page;
  }

  @Test
  void aNightIsWatchedAndSteeredWithoutAReload() throws Exception {
    Page page = watch(SWEEP);
    page.evaluate("window.neverReloaded = true");

    // The running candidate's steps arrive, and its number changes.
    page.waitForSelector("#steps-words >> text=/fast(er)?, job \\d+: step [1-9]/");
    String before = page.textContent("#steps-words");
    page.waitForSelector("#steps .plot:visible canvas");
    page.waitForCondition(
        () -> step(page.textContent("#steps-words")) > step(before),
        new Page.WaitForConditionOptions().setTimeout((double) PATIENCE.toMillis()));

    // Paused and resumed by click; KeyboardIT does both by keys.
    page.click("[data-act=pause]");
    page.waitForSelector("#summary .phase.paused");
    assertThat(page.evaluate("document.activeElement.dataset.act")).isEqualTo("resume");
    page.click("[data-act=resume]");
    page.waitForSelector("#summary .phase.running");

    // The daemon is killed and restarted: the page says so and continues by itself.
    daemons.getLast().destroyForcibly().onExit().join();
    page.waitForSelector(".lost:visible");
    serve(state);
    page.waitForSelector(
        ".lost", new Page.WaitForSelectorOptions().setState(WaitForSelectorState.HIDDEN));
    // The leaderboard changes: one run more, and the dot and the bar have moved.
    page.waitForSelector("#board tbody tr td:nth-of-type(3)");
    Object board = page.evaluate(BARS);
    page.waitForFunction("before => (" + BARS + ") !== before", board);
    assertThat(page.evaluate("window.neverReloaded")).isEqualTo(true);
    assertThat(Browser.violations(page)).isEmpty();

    // A stop asks for confirmation by the sweep's name.
    page.click("[data-act=stop]");
    page.waitForSelector("dialog[open] button.danger:disabled");
    page.fill("#confirm", "anything");
    page.check("#cancel-jobs");
    page.press("#confirm", "Enter");
    page.waitForSelector("#summary .phase.finished");
    assertThat(page.locator("[data-act]:visible").count()).isZero();
    assertThat(page.evaluate("window.neverReloaded")).isEqualTo(true);

    // The last measured job's curve stays although no more events arrive.
    page.reload();
    page.waitForSelector("#steps .plot:not([hidden]) canvas");
    page.waitForFunction(
        "() => /last [0-9]/.test(document.querySelector('#steps-words').textContent)");

    SweepState s = JournalReader.fold(state.sweep("anything").journal());
    assertThat(s.commands().stream().map(SweepState.CommandRecord::command))
        .isEqualTo(
            List.of(
                new Command.Pause(),
                new Command.Resume(Optional.empty(), Optional.empty()),
                new Command.Stop(Command.Stop.Mode.CANCEL)));
    assertThat(s.commands().stream().map(c -> c.origin().door()))
        .allMatch(Command.Origin.Door.HTTP::equals);
  }

  /** The number of the step in the sentence; another job's number does not count. */
  private static int step(String words) {
    return Integer.parseInt(words.replaceFirst("(?s).*: step (\\d+) .*", "$1"));
  }

  /** Pictures for the documentation, by {@code daemon/docs/pictures}: a night with much to show. */
  @Test
  @Tag("bench")
  void picturesOfANightUnderWay() throws Exception {
    Page page =
        watch(
            SWEEP
                .replace("bash train.sh", "env NOISE=24 bash train.sh")
                .replace("{SPEED: 80}", "{SPEED: 40}")
                .replace(
                    "{env: {SPEED: 160}}",
                    "{env: {SPEED: 70}}\n  slower: {env: {SPEED: -30}}\n  broken: {env: {SPEED: broken}}")
                .replace("targetGain: 5%", "targetGain: 12%"));
    page.setDefaultTimeout((double) Duration.ofMinutes(9).toMillis());
    page.waitForSelector("#failures article");
    page.waitForFunction(
        "() => document.querySelectorAll('#board .whisker:not(.guess)').length >= 2");
    page.waitForFunction(
        "() => /: step (2[0-9]|3[0-9]) of/.test(document.querySelector('#steps-words').textContent) && !document.querySelector('#steps-words').textContent.startsWith('baseline')");
    page.waitForSelector("#steps .plot:visible canvas");
    Path folder = Path.of(System.getProperty("nightsweep.pictures", "target/page"));
    Files.createDirectories(folder);
    picture(page, folder.resolve("page-light.png"));
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
    picture(page, folder.resolve("page-dark.png"));
    page.setViewportSize(390, 844);
    picture(page, folder.resolve("page-phone.png"));
  }

  private static void picture(Page page, Path file) {
    page.screenshot(new Page.ScreenshotOptions().setFullPage(true).setPath(file));
  }

  private DaemonClient serve(StateDirectory state) throws IOException {
    Process daemon =
        new ProcessBuilder(
                ChildJvm.command(
                    List.of("-Xmx192m"), Main.class, "serve", "--state", state.root().toString()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(dir.resolve("daemon.log").toFile()))
            .start();
    daemons.add(daemon);
    DaemonClient client = new DaemonClient(state);
    await()
        .atMost(PATIENCE)
        .until(() -> client.ping().filter(pong -> pong.pid() == daemon.pid()).isPresent());
    return client;
  }
}
