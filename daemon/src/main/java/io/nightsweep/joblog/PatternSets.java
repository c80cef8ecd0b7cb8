package io.nightsweep.joblog;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compiles patterns for the fastest engine that this machine has. */
public final class PatternSets {
  private static final Logger LOG = LoggerFactory.getLogger(PatternSets.class);

  /**
   * Sets that are kept: compiling hundreds of patterns takes a second, and attempts use the same
   * ones.
   */
  private static final int MOST_KEPT = 32;

  private static final Map<SortedMap<Integer, String>, PatternSet> KEPT =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SortedMap<Integer, String>, PatternSet> e) {
          return size() > MOST_KEPT;
        }
      };

  private PatternSets() {}

  /** Patterns in RE2 syntax, by number. */
  public static PatternSet of(SortedMap<Integer, String> expressions) {
    if (expressions.isEmpty()) {
      return PatternSet.NONE;
    }
    synchronized (KEPT) {
      PatternSet known = KEPT.get(expressions);
      if (known == null) {
        known = compiled(new TreeMap<>(expressions));
        KEPT.put(new TreeMap<>(expressions), known);
      }
      return known;
    }
  }

  /** Patterns in RE2 syntax, numbered by their position. */
  public static PatternSet of(List<String> expressions) {
    TreeMap<Integer, String> numbered = new TreeMap<>();
    expressions.forEach(e -> numbered.put(numbered.size(), e));
    return of(numbered);
  }

  /** Literal words, numbered by their position. */
  public static PatternSet ofWords(Collection<String> words) {
    List<String> quoted = new ArrayList<>();
    words.forEach(word -> quoted.add(Pattern.quote(word)));
    return of(quoted);
  }

  private static PatternSet compiled(SortedMap<Integer, String> expressions) {
    try {
      return new NativePatternSet(expressions);
    } catch (UnsatisfiedLinkError | NoClassDefFoundError | IllegalArgumentException e) {
      // The native engine has its own limits, which differ from those of the syntax.
      LOG.warn("logs are scanned without the native engine, slower: {}", e.toString());
      return new Re2PatternSet(expressions);
    }
  }
}
