package io.nightsweep.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs several command lines in one process, since each process takes seconds to start. */
public final class InTurn {
  /** Separates two command lines. */
  public static final String THEN = "--then";

  /** The first word where the answers' errors are read apart from their output. */
  static final String APART = "--apart";

  private static final String ENDED = "### the command ended with ";
  private static final Pattern END = Pattern.compile(Pattern.quote(ENDED) + "(\\d+)\\R");

  private InTurn() {}

  /** What one command line printed. */
  public record Said(int code, String text) {}

  public static void main(String[] args) {
    List<String> words = new ArrayList<>(List.of(args));
    boolean apart = words.getFirst().equals(APART);
    if (apart) {
      words.removeFirst();
    }
    for (int then = words.indexOf(THEN); then >= 0; then = words.indexOf(THEN)) {
      run(words.subList(0, then), apart);
      words = new ArrayList<>(words.subList(then + 1, words.size()));
    }
    run(words, apart);
  }

  private static void run(List<String> words, boolean apart) {
    int code = Main.run(words.toArray(String[]::new));
    if (apart) {
      System.err.println(ENDED + code);
    }
    System.err.flush();
    System.out.println(ENDED + code);
  }

  /** What each command line printed, split out of the process's whole output, or its errors. */
  public static List<Said> answers(String printed) {
    List<Said> answers = new ArrayList<>();
    int from = 0;
    for (Matcher end = END.matcher(printed); end.find(); from = end.end()) {
      answers.add(new Said(Integer.parseInt(end.group(1)), printed.substring(from, end.start())));
    }
    return answers;
  }
}
