package io.nightsweep.sweep;

import java.util.List;

/**
 * What evidence shows about a mechanism.
 *
 * @param kind such as {@code exposed-communication}
 * @param statement one sentence
 * @param sources files it rests on, each with its job id in the path
 */
public record Finding(AttemptId attempt, String kind, String statement, List<String> sources) {
  public Finding {
    sources = List.copyOf(sources);
  }
}
