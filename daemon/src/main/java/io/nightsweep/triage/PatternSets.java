package io.nightsweep.triage;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The fastest engine that this machine has. */
final class PatternSets {
  private static final Logger LOG = LoggerFactory.getLogger(PatternSets.class);

  private PatternSets() {}

  static PatternSet of(List<String> expressions) {
    if (expressions.isEmpty()) {
      return (buffer, from, length, found) -> {};
    }
    try {
      return new NativePatternSet(expressions);
    } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
      LOG.warn("logs are scanned without the native engine, slower: {}", e.toString());
      return new Re2PatternSet(expressions);
    }
  }
}
