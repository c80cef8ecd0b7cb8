package io.nightsweep.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.engine.Explanation;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.files.OwnFile;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the page as one file. It contains its modules, and its data under the addresses at which
 * the page would ask a server for them, so it needs no network.
 */
public final class Export {
  private static final Pattern IMPORT = Pattern.compile("from \"\\./([A-Za-z.]+)\"");

  private static final int NONCE_BYTES = 16;

  /** How many earlier sweeps of the cell the file compares with, the latest first. */
  private static final int MOST_COMPARED = 12;

  private static final PageSweeps NONE =
      new PageSweeps() {
        @Override
        public Optional<SweepState> driven(String sweep) {
          return Optional.empty();
        }

        @Override
        public List<Measurement.MeasuredStep> steps(String sweep, AttemptId attempt) {
          return List.of();
        }

        @Override
        public List<Reply.Hosting.Sweep> hosting() {
          return List.of();
        }

        @Override
        public Optional<Statement> tell(Request.Tell request) {
          return Optional.of(Statement.phrase("refusal-file"));
        }
      };

  private Export() {}

  /**
   * Writes the page of one sweep, with the leaderboards of other sweeps of its cell beside it.
   *
   * @return for each earlier sweep that cannot be read, a sentence that says why
   * @throws IOException where the journal cannot be read or the file cannot be written
   */
  public static List<String> write(
      Path file, StateDirectory directory, SweepDirectory sweep, Redaction redaction)
      throws IOException {
    try (Views views =
        new Views(directory, new Histories(directory, NONE), redaction, InstantSource.system())) {
      List<String> unreadable = new ArrayList<>();
      String html =
          text("index.html")
              .replaceAll("(?m)^\\s*<(link|script|meta name=\"build\")[^>]*>.*$\\n?", "")
              .replace("</head>", head(data(views, directory, sweep, unreadable)) + "</head>");
      OwnFile.create(file);
      Files.write(file, html.getBytes(StandardCharsets.UTF_8));
      return unreadable;
    }
  }

  private static String head(JsonNode data) throws IOException {
    ObjectNode imports = Json.mapper().createObjectNode();
    ObjectNode modules = imports.putObject("imports");
    List<String> open = new ArrayList<>(List.of("app.js"));
    for (int i = 0; i < open.size(); i++) {
      String name = open.get(i);
      Matcher imported = IMPORT.matcher(text(name));
      StringBuilder module = new StringBuilder();
      while (imported.find()) {
        if (!open.contains(imported.group(1))) {
          open.add(imported.group(1));
        }
        imported.appendReplacement(module, "from \"page/" + imported.group(1) + "\"");
      }
      imported.appendTail(module);
      modules.put(
          "page/" + name,
          "data:text/javascript;base64,"
              + Base64.getEncoder()
                  .encodeToString(module.toString().getBytes(StandardCharsets.UTF_8)));
    }
    byte[] random = new byte[NONCE_BYTES];
    new SecureRandom().nextBytes(random);
    String nonce = HexFormat.of().formatHex(random);
    return """
    <meta http-equiv="Content-Security-Policy" content="%s">
    <style nonce="%s">%s
    %s</style>
    <script type="importmap" nonce="%s">%s</script>
    <script type="application/json" id="data">%s</script>
    <script type="module" nonce="%s">import "page/app.js";</script>
    """
        .formatted(
            policy(nonce),
            nonce,
            text("uPlot.min.css"),
            text("page.css"),
            nonce,
            inHtml(imports),
            inHtml(data),
            nonce);
  }

  /** JSON in which an HTML parser finds neither an end tag nor a comment. */
  private static String inHtml(JsonNode json) throws IOException {
    return Json.mapper().writeValueAsString(json).replace("<", "\\u003c");
  }

  private static JsonNode data(
      Views views, StateDirectory directory, SweepDirectory sweep, List<String> unreadable)
      throws IOException {
    SweepState s =
        views
            .histories()
            .now(sweep)
            .orElseThrow(() -> new IOException(sweep.id() + " has not started"));
    Map<SweepDirectory, SweepState> beside = beside(views, directory, sweep, s, unreadable);
    Explanation.Grounds grounds = Explanation.Grounds.of(sweep).kept();
    ObjectNode answers = Json.mapper().createObjectNode();
    Map<Phrases, ArrayNode> histories = new HashMap<>();
    for (Phrases t : Phrases.values()) {
      String lang = t == Phrases.ZH ? "zh" : "en";
      String base = "api/sweeps/" + sweep.id();
      answers.set("api/texts?lang=" + lang, Views.texts(t));
      ArrayNode list = answers.putArray("api/sweeps?lang=" + lang).add(views.sweep(sweep, s, t));
      beside.forEach(
          (other, state) -> {
            list.add(((ObjectNode) views.sweep(other, state, t)).put("beside", true));
            answers.set(
                base + "/compare?with=" + other.id() + "&lang=" + lang,
                views.compared(state, s, t));
          });
      answers.set(base + "?lang=" + lang, views.whole(s, t));
      histories.put(t, answers.putObject(base + "/history?lang=" + lang).putArray("frames"));
      answers.set(base + "/explain?lang=" + lang, views.explain(grounds, s, Optional.empty(), t));
      for (String about : subjects(s)) {
        answers.set(
            base + "/explain?about=" + about + "&lang=" + lang,
            views.explain(grounds, s, Optional.of(about), t));
      }
    }
    views
        .rewinds()
        .frames(
            sweep,
            Rewinds.RewindKey.of(s),
            Phrases.values(),
            (t, frame) -> Objects.requireNonNull(histories.get(t)).add(frame));
    for (AttemptState a : Views.withSteps(s).toList()) {
      Views.steps(s, a.id().toString())
          .ifPresent(
              steps -> answers.set("api/sweeps/" + sweep.id() + "/steps?attempt=" + a.id(), steps));
    }
    return answers;
  }

  /** Earlier sweeps of the same cell, the latest first. */
  private static Map<SweepDirectory, SweepState> beside(
      Views views,
      StateDirectory directory,
      SweepDirectory sweep,
      SweepState s,
      List<String> unreadable)
      throws IOException {
    Map<SweepDirectory, SweepState> same = new LinkedHashMap<>();
    for (SweepDirectory other : directory.all()) {
      if (other.id().equals(sweep.id())) {
        continue;
      }
      try {
        views
            .histories()
            .now(other)
            .filter(o -> o.cell().model().equals(s.cell().model()))
            .filter(o -> o.cell().parallelism().equals(s.cell().parallelism()))
            .filter(o -> !start(o).isAfter(start(s)))
            .ifPresent(o -> same.put(other, o));
      } catch (IOException | RuntimeException e) {
        unreadable.add("not compared with " + other.id() + ": " + e.getMessage());
      }
    }
    return same.entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<SweepDirectory, SweepState> e) -> start(e.getValue()))
                .reversed())
        .limit(MOST_COMPARED)
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, LinkedHashMap::new));
  }

  private static Instant start(SweepState s) {
    return s.startedAt().orElse(Instant.EPOCH);
  }

  /** The subjects that {@code explain} can answer about on the page. */
  private static List<String> subjects(SweepState s) {
    return Stream.of(
            s.profileOrder().stream(),
            s.waves().stream().map(w -> w.wave().name()),
            s.attempts().map(a -> a.id().toString()),
            s.questions().keySet().stream())
        .flatMap(names -> names)
        .toList();
  }

  private static String text(String asset) throws IOException {
    return Assets.find(asset)
        .orElseThrow(() -> new IOException("no " + asset + " is packed"))
        .text();
  }

  /**
   * The export's own content policy: no network addresses, and only scripts and styles with a
   * random nonce, which displayed text cannot know. Scripts that a script imports inherit it.
   */
  private static String policy(String nonce) {
    return "default-src 'none'; script-src 'nonce-%1$s'; style-src 'nonce-%1$s'; base-uri 'none'; form-action 'none'"
        .formatted(nonce);
  }
}
