package io.nightsweep.llm;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.Optional;

/** The schema that an answer must fit, {@code templates/llm/answer.schema.json}. */
public final class AnswerSchema {
  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(SchemaLocation.of("classpath:templates/llm/answer.schema.json"));

  private AnswerSchema() {}

  /** The schema as JSON, for endpoints that enforce a schema on their answers. */
  public static JsonNode node() {
    return SCHEMA.getSchemaNode();
  }

  /** The first violation of the schema. */
  static Optional<String> problem(JsonNode answer) {
    return SCHEMA.validate(answer).stream().map(Object::toString).sorted().findFirst();
  }
}
