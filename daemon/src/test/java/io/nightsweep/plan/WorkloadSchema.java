package io.nightsweep.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The keys of a kind of workload according to the schema of sweep files. */
public final class WorkloadSchema {
  private static final Path FILE = Path.of("../templates/sweep.schema.json");

  private WorkloadSchema() {}

  /** The kinds that have keys of their own. */
  public static Set<String> kinds() throws IOException {
    LinkedHashSet<String> kinds = new LinkedHashSet<>();
    read()
        .at("/properties/workload/allOf")
        .forEach(rule -> kinds.add(rule.at("/if/properties/kind/const").asText()));
    return kinds;
  }

  /** The keys of one kind, {@code kind} itself left out. */
  public static Set<String> keys(String kind) throws IOException {
    LinkedHashSet<String> keys = new LinkedHashSet<>();
    of(kind).path("properties").fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  /** The values that a key of a kind may have. */
  public static List<String> choices(String kind, String key) throws IOException {
    return of(kind)
        .path("properties")
        .path(key)
        .path("enum")
        .valueStream()
        .map(JsonNode::asText)
        .toList();
  }

  static JsonNode of(String kind) throws IOException {
    return read().path("$defs").path(kind);
  }

  private static JsonNode read() throws IOException {
    return new ObjectMapper().readTree(FILE.toFile());
  }
}
