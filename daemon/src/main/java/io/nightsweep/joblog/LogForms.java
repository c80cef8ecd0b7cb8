package io.nightsweep.joblog;

import io.nightsweep.sweep.Diagnosis.Quote;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The forms of the lines that several jobs print. Two lines have the same form if they differ only
 * in numbers and hashes.
 *
 * @param inEach the forms that every job prints, with the first such line
 * @param inAny the forms that any job prints
 */
public record LogForms(SequencedMap<String, Quote> inEach, Set<String> inAny) {
  /** In a flood of lines, the first forms are enough. */
  private static final int MOST_FORMS = 20_000;

  private static final Pattern VARYING = Pattern.compile("[0-9a-fA-F]*[0-9][0-9a-fA-F]*");

  /** Lines of each job's wrapper, which contain a profile's own settings by design. */
  private static final String OURS = "nightsweep: ";

  public LogForms {
    inEach = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(inEach));
    inAny = Set.copyOf(inAny);
  }

  /**
   * @param logs not read before
   * @param own words that a job's lines contain by design, such as its name; lines with such a word
   *     are skipped
   */
  public static LogForms of(List<JobLog> logs, Set<String> own) {
    Set<String> any = new HashSet<>();
    SequencedMap<String, Quote> each = new LinkedHashMap<>();
    for (int i = 0; i < logs.size(); i++) {
      boolean isFirst = i == 0;
      Set<String> here = new HashSet<>();
      read(
          logs.get(i),
          line -> {
            String form = form(line);
            if (any.size() < MOST_FORMS && any.add(form) && isFirst && isTold(line, form, own)) {
              each.put(form, line.quote(0));
            }
            if (each.containsKey(form)) {
              here.add(form);
            }
          });
      each.keySet().retainAll(here);
    }
    return new LogForms(each, any);
  }

  /** The first lines that each of these jobs prints and no job of the others. */
  public List<Quote> notIn(LogForms others, int most) {
    return others.inAny.size() < MOST_FORMS
        ? inEach.entrySet().stream()
            .filter(e -> !others.inAny.contains(e.getKey()))
            .map(Map.Entry::getValue)
            .limit(most)
            .toList()
        : List.of();
  }

  private static boolean isTold(Line line, String form, Set<String> own) {
    return !form.isBlank()
        && !line.body().startsWith(OURS)
        && own.stream().noneMatch(line.body()::contains);
  }

  private static String form(Line line) {
    return VARYING.matcher(line.body()).replaceAll("#").strip();
  }

  private static void read(JobLog log, Consumer<Line> reader) {
    log.listener(Every.class, () -> new Every(reader));
    log.lookOrWait();
  }

  private static final class Every implements LogListener {
    private final PatternSet everyLine = new LinePatternSet();
    private final Consumer<Line> reader;

    Every(Consumer<Line> reader) {
      this.reader = reader;
    }

    @Override
    public PatternSet patterns() {
      return everyLine;
    }

    @Override
    public void line(Line line, int[] candidates) {
      reader.accept(line);
    }
  }
}
