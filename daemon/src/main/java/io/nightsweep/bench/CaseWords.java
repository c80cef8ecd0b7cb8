package io.nightsweep.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A case in few words, for tables. */
final class CaseWords {
  /** What the shard tells already, or the same in every case of a program. */
  private static final Set<String> LEFT_OUT =
      Set.of("kernel", "backend", "ranks", "metricContract", "contractVersion");

  private static final List<String> USUAL =
      List.of("false", "0", "none", "heap", "1", "even", "normal");

  private CaseWords() {}

  static String of(Row row) {
    return of(row.identity())
        + (row.side().equals(Row.ONE_SIDE) ? "" : " (" + row.side() + " " + row.round() + ")");
  }

  static String of(ObjectNode identity) {
    return identity.path("kernel").asText()
        + " "
        + identity.properties().stream()
            .filter(p -> !LEFT_OUT.contains(p.getKey()))
            .filter(p -> !USUAL.contains(p.getValue().asText()) || p.getKey().equals("tokens"))
            .map(p -> p.getKey() + "=" + p.getValue().asText())
            .collect(Collectors.joining(" "));
  }
}
