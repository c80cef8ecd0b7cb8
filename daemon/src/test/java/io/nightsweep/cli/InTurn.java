package io.nightsweep.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs several command lines in one process, since each process takes seconds to start. */
public final class InTurn {
  /** Separates two command lines. */
  public static final String THEN = "--then";

  private static final String ENDED = "### the command ended with ";
  private static final Pattern END = Pattern.compile(Pattern.quote(ENDED) + "(\\d+)\\R");

  private InTurn() {}

  /** What one command line printed. */
  public record Said(int code, String text) {}

  public static void main(String[] args) {
    List<String> words = new ArrayList<>();
    for (String arg : args) {
      if (arg.equals(THEN)) {
        run(words);
        words.clear();
      } else {
        words.add(arg);
      }
    }
    run(words);
  }

  private static void run(List<String> words) {
    int code = Main.run(words.toArray(String[]::new));
    System.err.flush();
    System.out.println(ENDED + code);
  }

  /** What each command line printed, split out of the process's whole output. */
  public static List<Said> answers(String printed) {
    List<Said> answers = new ArrayList<>();
    int from = 0;
    for (Matcher end = END.matcher(printed); end.find(); from = end.end()) {
      answers.add(new Said(Integer.parseInt(end.group(1)), printed.substring(from, end.start())));
    }
    return answers;
  }
}
