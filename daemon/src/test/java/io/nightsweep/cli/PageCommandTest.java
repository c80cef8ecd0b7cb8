package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.files.ChildJvm;
import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.Replay;
import io.nightsweep.journal.UnsyncedJournal;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Entry;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a person opens, exports and closes the page. */
@Tag("page")
@Tag("slow")
class PageCommandTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Pattern PRINTED =
      Pattern.compile(
          "(?s)page +(?<link>http://127\\.0\\.0\\.1:(?<port>\\d+)/open\\?key=\\S+)\\n"
              + ".*good once.*afar +ssh -N -L \\k<port>:127\\.0\\.0\\.1:\\k<port> \\S+@\\S+\\n"
              + ".*page --state \\S+ --close\\n");

  @TempDir private Path dir;
  private final List<Process> started = new ArrayList<>();

  private record Said(int code, String out, String err) {}

  @AfterEach
  void end() {
    started.forEach(process -> process.destroyForcibly().onExit().join());
  }

  private Said page(String... args) {
    List<String> all = new ArrayList<>(List.of("page", "--state", dir.resolve("state").toString()));
    all.addAll(List.of(args));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    return new Said(code, out.toString(), err.toString());
  }

  private static int status(String address) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(address)).build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }

  @Test
  void itIsOffUntilItIsAskedForAndGoneOnceItIsClosed() throws Exception {
    StateDirectory state = serve();
    assertThat(state.root().resolve("page.json")).doesNotExist();

    Said said = page();
    assertThat(said.code()).as(said.err()).isZero();
    Matcher printed = PRINTED.matcher(said.out());
    assertThat(printed.find()).as(said.out()).isTrue();
    assertThat(status(printed.group("link"))).isEqualTo(200);
    assertThat(status(printed.group("link"))).isEqualTo(403);

    int port = Integer.parseInt(printed.group("port"));
    Said elsewhere = page("--port", "" + (port == 65_535 ? 1024 : port + 1));
    assertThat(elsewhere.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(elsewhere.err())
        .contains("nightsweep page --state " + dir.resolve("state") + " --close");

    assertThat(page("--close").code()).isZero();
    assertThat(state.root().resolve("page.json")).doesNotExist();
    assertThatThrownBy(() -> status("http://127.0.0.1:" + port + "/"))
        .isInstanceOf(ConnectException.class);
  }

  private StateDirectory serve() throws IOException {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    started.add(
        new ProcessBuilder(
                ChildJvm.command(Main.class, "serve", "--state", state.root().toString()))
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("daemon.log").toFile())
            .start());
    await().atMost(PATIENCE).until(() -> new DaemonClient(state).ping().isPresent());
    return state;
  }

  @Test
  void anExportNeedsNoDaemonAndNamesTheSweepThatItCannotCompareWith() throws Exception {
    StateDirectory state = new StateDirectory(dir.resolve("state"));
    state.create();
    List<Entry> night =
        Specs.night(Specs.kernels(4, 20), Specs.surface(0.05, 0.004), Duration.ofMinutes(4), 1)
            .run()
            .entries();
    for (String sweep : List.of("last", "broken")) {
      Files.createDirectories(state.sweep(sweep).root());
      try (FileJournal journal = UnsyncedJournal.open(state.sweep(sweep).journal(), new Replay())) {
        for (Entry entry : night) {
          journal.append(entry.at(), List.of(entry.event()));
        }
      }
    }
    List<String> lines = Files.readAllLines(state.sweep("broken").journal());
    lines.set(2, "damaged");
    Files.write(state.sweep("broken").journal(), lines);

    Path file = dir.resolve("night.html");
    Said said = page("--sweep", "last", "--export", file.toString());
    assertThat(said.code()).as(said.err()).isZero();
    assertThat(said.out()).contains("not compared with broken: ", "damaged", "written: " + file);
    assertThat(Files.readString(file)).contains("id=\"data\"", "api/sweeps/last/history?lang=zh");

    Said nowhere =
        page("--sweep", "last", "--export", dir.resolve("no/such/folder.html").toString());
    assertThat(nowhere.code()).isNotZero();
    assertThat(nowhere.err())
        .contains("there is no folder " + dir.resolve("no/such"))
        .doesNotContain("\tat ");
  }
}
