package io.nightsweep.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.engine.Explanation;
import io.nightsweep.engine.ScheduledStart;
import io.nightsweep.engine.ScheduledStarts;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.engine.Version;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.report.ComparedRuns;
import io.nightsweep.report.ComparedSweeps;
import io.nightsweep.report.EventLines;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.ProfileVerdict;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The page's data as JSON, with secrets removed from every text. */
final class Views implements AutoCloseable {
  private static final int DECISIONS = 20;

  /** Identifies this build: a page of another build may ask for other data. */
  static final String BUILD = Integer.toHexString(Objects.hash(Version.build(), Version.current()));

  private final StateDirectory directory;
  private final Histories histories;
  private final Boards boards;
  private final Redaction redaction;
  private final InstantSource clock;
  private final SweepList list;
  private final Rewinds rewinds;

  Views(StateDirectory directory, Histories histories, Redaction redaction, InstantSource clock) {
    this.directory = directory;
    this.histories = histories;
    this.redaction = redaction;
    this.clock = clock;
    boards = new Boards();
    rewinds = new Rewinds(redaction);
    list = new SweepList(directory, histories, boards, clock);
  }

  Histories histories() {
    return histories;
  }

  /** The page's own texts by key, from the report's catalogue. */
  static JsonNode texts(Phrases t) {
    ObjectNode texts = Json.mapper().createObjectNode();
    t.keys().stream()
        .filter(key -> key.startsWith("page.") || key.startsWith("verdict."))
        .sorted()
        .forEach(key -> texts.put(key, t.text(key)));
    return texts;
  }

  /** All sweeps, the unfinished ones first, then the latest. */
  JsonNode sweeps(Phrases t) throws IOException {
    return redaction.of(list.json(t));
  }

  /** Starts scheduled for an hour, and what happened to those that failed. */
  JsonNode starts() throws IOException {
    ArrayNode rows = Json.mapper().createArrayNode();
    List<Path> damaged = new ArrayList<>();
    for (ScheduledStart start :
        ScheduledStarts.of(directory, (file, problem) -> damaged.add(file))) {
      ObjectNode row = rows.addObject().put("file", start.file().toString());
      row.put("weekly", start.weekly());
      start.next(clock.instant()).ifPresent(at -> row.put("at", at.toEpochMilli()));
      start
          .last()
          .ifPresent(
              last ->
                  row.putObject("last")
                      .put("at", last.at().toEpochMilli())
                      .put("succeeded", last.succeeded())
                      .put("said", last.said()));
    }
    damaged.forEach(file -> rows.addObject().put("file", file.toString()).put("damaged", true));
    return redaction.of(rows);
  }

  /** One sweep as its row of the list. */
  JsonNode sweep(SweepDirectory sweep, SweepState s, Phrases t) {
    return redaction.of(list.row(sweep, s, t));
  }

  JsonNode whole(SweepState s, Phrases t) {
    return new Frames(t, boards).whole(s, clock.instant()).json(redaction);
  }

  JsonNode between(SweepState before, SweepState now, Phrases t) {
    return new Frames(t, boards).between(before, now, clock.instant()).json(redaction);
  }

  Rewinds rewinds() {
    return rewinds;
  }

  JsonNode explain(Explanation.Grounds grounds, SweepState s, Optional<String> about, Phrases t)
      throws IOException {
    Explanation explanation = Explanation.of(grounds, s, about, DECISIONS);
    ObjectNode json = Json.mapper().createObjectNode();
    about.ifPresent(subject -> json.put("about", subject));
    about
        .filter(subject -> s.profiles().containsKey(subject))
        .ifPresent(profile -> json.put("settings", s.profile(profile).describe()));
    explanation
        .profile()
        .filter(s.profiles()::containsKey)
        .ifPresent(p -> json.put("verdict", ProfileVerdict.sentence(s, boards.of(s), p, t)));
    ArrayNode steps = json.putArray("steps");
    for (Explanation.ExplainedDecision step : explanation.steps()) {
      ObjectNode one = steps.addObject();
      one.put("at", step.at().toEpochMilli())
          .put("decided", EventLines.of(step.decision(), t))
          .put("because", t.text(step.decision().because()));
      ArrayNode events = one.putArray("events");
      step.after()
          .forEach(
              e ->
                  events.addObject().put("seq", e.seq()).put("words", EventLines.of(e.event(), t)));
    }
    ArrayNode runs = json.putArray("runs");
    explanation
        .profile()
        .ifPresent(
            p ->
                ComparedRuns.of(s, p, t)
                    .forEach(
                        run ->
                            runs.addObject()
                                .put("at", run.at().toEpochMilli())
                                .put("words", run.words())));
    return redaction.of(json);
  }

  /** Every step of one attempt; empty where there is no such attempt. */
  static Optional<JsonNode> steps(SweepState s, String attempt) {
    return s.attempts()
        .filter(a -> a.id().toString().equals(attempt))
        .findFirst()
        .map(
            a -> {
              ObjectNode json = Json.mapper().createObjectNode().put("from", 0);
              AttemptRows.series(
                  json, a.measurement().or(a::sofar).map(m -> m.steps()).orElse(List.of()));
              return (JsonNode) json;
            });
  }

  /** An earlier sweep of the cell ("there") beside this one ("here"); gains in percent. */
  JsonNode compared(SweepState there, SweepState here, Phrases t) {
    ComparedSweeps c = ComparedSweeps.of(there, boards.of(there), here, boards.of(here));
    ObjectNode json = Json.mapper().createObjectNode();
    ArrayNode unlike = json.putArray("unlike");
    c.unlike().forEach(difference -> unlike.add(difference.words(t)));
    change(json.putObject("baseline"), c.baseline());
    ArrayNode profiles = json.putArray("profiles");
    for (ComparedSweeps.Pair pair : c.profiles()) {
      ObjectNode row =
          profiles
              .addObject()
              .put("profile", pair.secondProfile())
              .put("thereRuns", pair.firstRuns())
              .put("hereRuns", pair.secondRuns());
      Numbers.put(row, "thereGain", pair.firstGainPercent());
      Numbers.put(row, "hereGain", pair.secondGainPercent());
      change(row.putObject("change"), pair.change());
    }
    c.onlyFirst().forEach(json.putArray("onlyThere")::add);
    c.onlySecond().forEach(json.putArray("onlyHere")::add);
    return redaction.of(json);
  }

  private static void change(ObjectNode row, ComparedSweeps.GainChange change) {
    Numbers.put(row, "percent", change.percent());
    change.lowPercent().ifPresent(low -> Numbers.put(row, "low", low));
    change.highPercent().ifPresent(high -> Numbers.put(row, "high", high));
    row.put("certain", change.isCertain());
  }

  Instant now() {
    return clock.instant();
  }

  /** Attempts with measured steps, the only ones that an exported file keeps. */
  static Stream<AttemptState> withSteps(SweepState s) {
    return s.attempts()
        .filter(a -> a.measurement().or(a::sofar).filter(m -> m.steps().size() > 1).isPresent());
  }

  @Override
  public void close() {
    list.close();
  }
}
