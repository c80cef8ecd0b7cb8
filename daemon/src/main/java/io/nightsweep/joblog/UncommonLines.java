package io.nightsweep.joblog;

import io.nightsweep.sweep.Diagnosis.Quote;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Finds the lines of one job's log of which no other job's log has the like. Two lines are alike
 * where they differ in numbers and hashes only.
 */
public final class UncommonLines {
  /** The first forms of a flood of lines tell enough. */
  private static final int MOST_FORMS = 20_000;

  private static final Pattern VARYING = Pattern.compile("[0-9a-fA-F]*[0-9][0-9a-fA-F]*");

  /** Written by the wrapper of each job; a profile's own settings stand there by design. */
  private static final String OURS = "nightsweep: ";

  private UncommonLines() {}

  /**
   * The first such lines.
   *
   * @param log not read before
   * @param name of the job: what it calls itself and its files by is its own by design
   * @param others not read before
   * @param most how many lines are returned at most
   */
  public static List<Quote> of(JobLog log, String name, List<JobLog> others, int most) {
    Set<String> known = new HashSet<>();
    for (JobLog other : others) {
      read(other, line -> add(known, form(line)));
    }
    List<Quote> uncommon = new ArrayList<>();
    read(
        log,
        line -> {
          String form = form(line);
          if (uncommon.size() < most && isTold(line, form, name) && add(known, form)) {
            uncommon.add(line.quote(0));
          }
        });
    return List.copyOf(uncommon);
  }

  private static boolean isTold(Line line, String form, String name) {
    return !form.isBlank() && !line.body().startsWith(OURS) && !line.body().contains(name);
  }

  private static boolean add(Set<String> forms, String form) {
    return forms.size() < MOST_FORMS && forms.add(form);
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
