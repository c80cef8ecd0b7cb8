package io.nightsweep.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.asked.RefusedException;
import io.nightsweep.engine.Explanation;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.Json;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Answers the requests that {@link PageDoor} admitted. */
final class Routes implements AutoCloseable {
  private static final int MOST_STREAMS = 16;

  /** How old a browser's cached expected end may be. */
  private static final int FORECAST_SECONDS = 10;

  private final Views views;
  private final PageSweeps sweeps;
  private final AskedRows asked;
  private final Metrics metrics;
  private final PageDoor door;
  private final String user;
  private final Semaphore streams = new Semaphore(MOST_STREAMS);

  Routes(
      Views views,
      PageSweeps sweeps,
      AskedRows asked,
      Metrics metrics,
      PageDoor door,
      String user) {
    this.views = views;
    this.sweeps = sweeps;
    this.asked = asked;
    this.metrics = metrics;
    this.door = door;
    this.user = user;
  }

  /** Whether a browser is watching. */
  boolean isWatched() {
    return streams.availablePermits() < MOST_STREAMS;
  }

  void answer(Exchange exchange) throws IOException, InterruptedException {
    List<String> path = exchange.path();
    if (exchange.isPost()) {
      post(exchange, path);
    } else if (!exchange.isGet()) {
      exchange.status(Exchange.WRONG_METHOD);
    } else if (path.isEmpty()) {
      asset(exchange, "index.html");
    } else if (path.size() == 2 && path.getFirst().equals("assets")) {
      asset(exchange, path.get(1));
    } else if (path.equals(List.of("metrics"))) {
      exchange.bytes(Exchange.OK, Metrics.TYPE, metrics.scrape().getBytes(StandardCharsets.UTF_8));
    } else if (path.getFirst().equals("api")) {
      api(exchange, path.subList(1, path.size()));
    } else {
      exchange.status(Exchange.NOT_FOUND);
    }
  }

  private static void asset(Exchange exchange, String name) throws IOException {
    Optional<Assets.Asset> asset = Assets.find(name);
    if (asset.isEmpty()) {
      exchange.status(Exchange.NOT_FOUND);
    } else {
      String text = asset.get().text().replace("@BUILD@", Views.BUILD);
      exchange.bytes(Exchange.OK, asset.get().type(), text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static Phrases language(Exchange exchange) {
    return exchange.query("lang").filter("zh"::equals).isPresent() ? Phrases.ZH : Phrases.EN;
  }

  private void api(Exchange exchange, List<String> path) throws IOException, InterruptedException {
    Phrases t = language(exchange);
    if (path.equals(List.of("texts"))) {
      exchange.json(Views.texts(t));
    } else if (path.equals(List.of("sweeps"))) {
      exchange.json(views.sweeps(t));
    } else if (path.equals(List.of("asked"))) {
      exchange.json(asked.json());
    } else if (path.equals(List.of("starts"))) {
      exchange.json(views.starts());
    } else if (path.size() >= 2 && path.getFirst().equals("sweeps")) {
      Optional<SweepDirectory> directory = views.histories().find(path.get(1));
      Optional<SweepState> state =
          directory.isEmpty() ? Optional.empty() : views.histories().now(directory.get());
      if (state.isEmpty()) {
        exchange.status(Exchange.NOT_FOUND);
      } else {
        sweep(exchange, directory.get(), state.get(), path.subList(2, path.size()), t);
      }
    } else {
      exchange.status(Exchange.NOT_FOUND);
    }
  }

  private void sweep(
      Exchange exchange, SweepDirectory directory, SweepState s, List<String> path, Phrases t)
      throws IOException, InterruptedException {
    switch (path.isEmpty() ? "" : path.getFirst()) {
      case "" -> {
        views.histories().shown(directory, s);
        exchange.tagged(tag(s, t), () -> exchange.json(views.whole(s, t)));
      }
      case "events" -> stream(exchange, directory, t);
      case "history" ->
          exchange.tagged(
              Rewinds.RewindKey.of(s).tag() + t.suffix() + "-" + Views.BUILD,
              () -> exchange.packedJson(views.rewinds().packed(directory, s, t)));
      case "explain" ->
          exchange.json(
              views.explain(Explanation.Grounds.of(directory), s, exchange.query("about"), t));
      case "steps" -> found(exchange, Views.steps(s, exchange.query("attempt").orElse("")));
      case "compare" -> {
        Optional<SweepDirectory> with = views.histories().find(exchange.query("with").orElse(""));
        Optional<SweepState> other =
            with.isEmpty() ? Optional.empty() : views.histories().now(with.get());
        found(exchange, other.map(o -> views.compared(o, s, t)));
      }
      default -> exchange.status(Exchange.NOT_FOUND);
    }
  }

  /**
   * Everything that an answer depends on: the last event's sequence number; the sweep's start,
   * since another sweep may have had the name; the program's version, which may change the wording;
   * and, while the sweep runs, the clock, which moves its expected end.
   */
  private String tag(SweepState s, Phrases t) {
    return s.seq()
        + "-"
        + s.lastEventAt().toEpochMilli()
        + t.suffix()
        + "-"
        + Views.BUILD
        + (s.isFinished() ? "" : "-" + views.now().getEpochSecond() / FORECAST_SECONDS);
  }

  private static void found(Exchange exchange, Optional<JsonNode> json) throws IOException {
    if (json.isEmpty()) {
      exchange.status(Exchange.NOT_FOUND);
    } else {
      exchange.json(json.get());
    }
  }

  private void stream(Exchange exchange, SweepDirectory directory, Phrases t)
      throws IOException, InterruptedException {
    if (!streams.tryAcquire()) {
      exchange.status(Exchange.BUSY);
      return;
    }
    try {
      long after =
          exchange
              .header("Last-Event-ID")
              .filter(id -> id.matches("\\d{1,18}"))
              .map(Long::parseLong)
              .orElse(0L);
      exchange.stream(
          "text/event-stream",
          out ->
              new EventStream(views, asked, directory, t, out)
                  .follow(
                      after,
                      exchange.query("started").orElse(""),
                      exchange.query("once").isPresent()));
    } finally {
      streams.release();
    }
  }

  private void post(Exchange exchange, List<String> path) throws IOException, InterruptedException {
    if (!door.mayAct(exchange)) {
      exchange.refuse();
      return;
    }
    if (path.size() == 3 && path.subList(0, 2).equals(List.of("api", "asked"))) {
      answerAsked(exchange, path.get(2));
      return;
    }
    if (path.size() != 4
        || !path.subList(0, 2).equals(List.of("api", "sweeps"))
        || !path.getLast().equals("commands")) {
      exchange.status(Exchange.NOT_FOUND);
      return;
    }
    Phrases t = language(exchange);
    Optional<JsonNode> form = exchange.form();
    try {
      if (form.isEmpty()) {
        throw new Forms.BadFormException(Statement.phrase("refusal-object"));
      }
      Command command = Forms.command(form.get(), path.get(2));
      Optional<Statement> refusal =
          sweeps.tell(
              new Request.Tell(
                  path.get(2), command, new Command.Origin(Command.Origin.Door.HTTP, user)));
      if (refusal.isPresent()) {
        exchange.json(Exchange.CONFLICT, said("refused", t.text(refusal.get())));
      } else {
        exchange.json(said("accepted", form.get().path("type").asText()));
      }
    } catch (Forms.BadFormException e) {
      exchange.json(Exchange.BAD_REQUEST, said("refused", t.text(e.reason())));
    }
  }

  /** Handles a person's answer to an assistant's request. */
  private void answerAsked(Exchange exchange, String id) throws IOException, InterruptedException {
    Phrases t = language(exchange);
    try {
      JsonNode form =
          exchange
              .form()
              .orElseThrow(() -> new Forms.BadFormException(Statement.phrase("refusal-object")));
      String words = asked.answer(id, Forms.confirms(form, id), user + " by the page");
      exchange.json(said("accepted", words));
    } catch (Forms.BadFormException e) {
      exchange.json(Exchange.BAD_REQUEST, said("refused", t.text(e.reason())));
    } catch (RefusedException e) {
      exchange.json(Exchange.CONFLICT, said("refused", t.said(String.valueOf(e.getMessage()))));
    }
  }

  static ObjectNode said(String what, String words) {
    return Json.mapper().createObjectNode().put(what, words);
  }

  @Override
  public void close() {
    views.close();
    metrics.close();
  }
}
