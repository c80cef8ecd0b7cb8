package io.nightsweep.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.sweep.Command;
import java.time.Duration;
import java.util.Optional;

/** Reads what a browser sends into a command. */
final class Forms {
  private static final int MOST_CHARACTERS = 200;

  private Forms() {}

  /** What the browser sent cannot be a command; the message says why. */
  static final class BadFormException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String reason;

    BadFormException(String reason) {
      super(reason);
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  /**
   * @param sweep whose name a stop has to repeat, so that no single click ends a night
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
      default ->
          throw new BadFormException(
              "expected a type of pause, resume, stop, skip, budget, approve or deny");
    };
  }

  /**
   * Whether an answer to an assistant's request says yes.
   *
   * @param asked whose id a yes has to repeat, so that no single click spends a night
   */
  static boolean confirms(JsonNode form, String asked) throws BadFormException {
    switch (form.path("type").asText()) {
      case "deny" -> {
        return false;
      }
      case "confirm" -> {
        if (!text(form, "confirm").equals(asked)) {
          throw new BadFormException("a yes has to repeat the request's name, " + asked);
        }
        return true;
      }
      default -> throw new BadFormException("expected a type of confirm or deny");
    }
  }

  private static Command stop(JsonNode form, String sweep) throws BadFormException {
    if (!text(form, "confirm").equals(sweep)) {
      throw new BadFormException("a stop has to repeat the sweep's name, " + sweep);
    }
    return new Command.Stop(
        form.path("cancel").asBoolean(false) ? Command.Stop.Mode.CANCEL : Command.Stop.Mode.DRAIN);
  }

  /** Of a month; the daemon's own limit is told with its reason. */
  private static final int MOST_HOURS = 24 * 31;

  private static Command budget(JsonNode form) throws BadFormException {
    JsonNode jobs = form.path("jobs");
    JsonNode hours = form.path("hours");
    boolean isJobs = jobs.isInt() && jobs.asInt() > 0;
    boolean isHours = hours.isNumber() && hours.asDouble() > 0 && hours.asDouble() <= MOST_HOURS;
    JsonNode nodeHours = form.path("nodeHours");
    boolean isNodeHours = nodeHours.isNumber() && nodeHours.asDouble() > 0;
    if (!isJobs && !isHours && !isNodeHours) {
      throw new BadFormException(
          "expected jobs, hours or nodeHours, a number above 0; hours up to " + MOST_HOURS);
    }
    return new Command.SetBudget(
        isJobs ? Optional.of(jobs.asInt()) : Optional.empty(),
        isHours
            ? Optional.of(Duration.ofSeconds(Math.round(hours.asDouble() * 3600)))
            : Optional.empty(),
        isNodeHours ? Optional.of(nodeHours.asDouble()) : Optional.empty());
  }

  private static String text(JsonNode form, String field) throws BadFormException {
    JsonNode value = form.path(field);
    if (!value.isTextual() || value.textValue().isBlank()) {
      throw new BadFormException("expected a text for " + field);
    }
    if (value.textValue().length() > MOST_CHARACTERS) {
      throw new BadFormException(
          "expected at most " + MOST_CHARACTERS + " characters for " + field);
    }
    return value.textValue();
  }
}
