package io.nightsweep.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns a row of schema 1, in which the cause was an English sentence, into one of schema 2. */
final class RowFromSchema1 {
  private static final Pattern NOT_BEGUN =
      Pattern.compile("the case was not begun \\((.*)\\)", Pattern.DOTALL);
  private static final Pattern UNATTESTED =
      Pattern.compile(
          "it was timed, but its job left no document of where and how it ran \\((.*)\\)",
          Pattern.DOTALL);

  private RowFromSchema1() {}

  static JsonNode upgraded(JsonNode row) {
    if (row instanceof ObjectNode fields && row.path("schema").asInt() == 1) {
      JsonNode reason = row.path("reason");
      if (reason.isTextual()) {
        fields.set("cause", BenchJson.MAPPER.valueToTree(cause(reason.asText())));
      } else {
        fields.putNull("cause");
      }
      fields.put("schema", CaseRow.SCHEMA);
    }
    return row;
  }

  private static CaseCause cause(String reason) {
    Matcher notBegun = NOT_BEGUN.matcher(reason);
    Matcher unattested = UNATTESTED.matcher(reason);
    return notBegun.matches()
        ? new CaseCause(CaseCause.Kind.NOT_BEGUN, notBegun.group(1))
        : unattested.matches()
            ? new CaseCause(CaseCause.Kind.UNATTESTED, unattested.group(1))
            : CaseCause.told(reason);
  }
}
