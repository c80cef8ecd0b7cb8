package io.nightsweep.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.files.Plain;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Turns forms sent by a browser into commands. */
final class Forms {
  private static final int MOST_CHARACTERS = 200;

  private Forms() {}

  /** The form is not a valid command; the message says why. */
  static final class BadFormException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Statement reason;

    BadFormException(Statement reason) {
      super(reason.toString());
      this.reason = reason;
    }

    Statement reason() {
      return reason;
    }
  }

  /**
   * @param sweep the sweep's name; a stop must repeat it, so that no single click ends a night
   */
  static Command command(JsonNode form, String sweep) throws BadFormException {
    return switch (form.path("type").asText()) {
      case "pause" -> new Command.Pause();
      case "resume" -> new Command.Resume(Optional.empty(), Optional.empty());
      case "stop" -> stop(form, sweep);
      case "skip" -> new Command.SkipProfile(text(form, "profile"));
      case "budget" -> budget(form);
      case "approve" -> new Command.Approve(text(form, "approval"));
      case "deny" -> new Command.Deny(text(form, "approval"));
      default -> throw new BadFormException(Statement.phrase("refusal-type"));
    };
  }

  /**
   * Whether an answer to an assistant's request says yes.
   *
   * @param asked the request's id; a yes must repeat it, so that no single click spends a night
   */
  static boolean confirms(JsonNode form, String asked) throws BadFormException {
    switch (form.path("type").asText()) {
      case "deny" -> {
        return false;
      }
      case "confirm" -> {
        if (!text(form, "confirm").equals(asked)) {
          throw new BadFormException(Statement.phrase("refusal-yes-name", asked));
        }
        return true;
      }
      default -> throw new BadFormException(Statement.phrase("refusal-answer-type"));
    }
  }

  private static Command stop(JsonNode form, String sweep) throws BadFormException {
    if (!text(form, "confirm").equals(sweep)) {
      throw new BadFormException(Statement.phrase("refusal-name", sweep));
    }
    return new Command.Stop(
        form.path("cancel").asBoolean(false) ? Command.Stop.Mode.CANCEL : Command.Stop.Mode.DRAIN);
  }

  /** A month in hours. The daemon has a stricter limit of its own and explains it. */
  private static final int MOST_HOURS = 24 * 31;

  private static final Set<String> LIMITS = Set.of("jobs", "hours", "nodeHours");

  /** Rejects the form unless every field is a known limit with a valid value. */
  private static Command budget(JsonNode form) throws BadFormException {
    for (Map.Entry<String, JsonNode> field : form.properties()) {
      if (!LIMITS.contains(field.getKey()) && !field.getKey().equals("type")) {
        throw new BadFormException(Statement.phrase("refusal-limit", shortened(field.getKey())));
      }
    }
    Optional<JsonNode> jobs = Optional.ofNullable(form.get("jobs"));
    Optional<JsonNode> hours = Optional.ofNullable(form.get("hours"));
    Optional<JsonNode> nodeHours = Optional.ofNullable(form.get("nodeHours"));
    if (jobs.filter(n -> !(n.isInt() && n.asInt() > 0)).isPresent()) {
      throw new BadFormException(Statement.phrase("unfit-jobs", shortened(jobs.get().toString())));
    }
    if (hours.filter(n -> !isAbove0(n) || n.asDouble() > MOST_HOURS).isPresent()) {
      throw new BadFormException(
          Statement.phrase("unfit-hours", MOST_HOURS, shortened(hours.get().toString())));
    }
    if (nodeHours.filter(n -> !isAbove0(n)).isPresent()) {
      throw new BadFormException(
          Statement.phrase("unfit-node-hours", shortened(nodeHours.get().toString())));
    }
    if (jobs.isEmpty() && hours.isEmpty() && nodeHours.isEmpty()) {
      throw new BadFormException(Statement.phrase("refusal-no-limit"));
    }
    return new Command.SetBudget(
        jobs.map(JsonNode::asInt),
        hours.map(n -> Duration.ofSeconds(Math.round(n.asDouble() * 3600))),
        nodeHours.map(JsonNode::asDouble));
  }

  private static boolean isAbove0(JsonNode number) {
    return number.isNumber() && number.asDouble() > 0;
  }

  private static String shortened(String found) {
    return Plain.text(found, MOST_CHARACTERS);
  }

  private static String text(JsonNode form, String field) throws BadFormException {
    JsonNode value = form.path(field);
    if (!value.isTextual() || value.textValue().isBlank()) {
      throw new BadFormException(Statement.phrase("refusal-text", field));
    }
    if (value.textValue().length() > MOST_CHARACTERS) {
      throw new BadFormException(Statement.phrase("refusal-long", MOST_CHARACTERS, field));
    }
    return value.textValue();
  }
}
