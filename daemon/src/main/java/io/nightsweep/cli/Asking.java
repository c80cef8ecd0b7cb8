package io.nightsweep.cli;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** Puts questions to a person and repeats each until its answer is valid. */
final class Asking {
  private final Function<String, Optional<String>> ask;
  private final Consumer<String> say;

  /**
   * @param ask asks a question; empty when nobody answers any more
   * @param say explains a wrong answer before the question is repeated
   */
  Asking(Function<String, Optional<String>> ask, Consumer<String> say) {
    this.ask = ask;
    this.say = say;
  }

  /** Any answer, stripped; empty where there is none. */
  String any(String question) {
    return ask.apply(question).map(String::strip).orElse("");
  }

  /**
   * An answer that fits; an empty one keeps the present value.
   *
   * @param expected what fits, in words
   */
  String fitting(String question, Predicate<String> fits, String expected) {
    while (true) {
      String answer = any(question);
      if (answer.isEmpty() || fits.test(answer)) {
        return answer;
      }
      complain(answer, "expected " + expected);
    }
  }

  /**
   * @param usual what an empty answer means
   */
  boolean isYes(String question, boolean usual) {
    String answer =
        fitting(
            question + " yes or no [" + (usual ? "yes" : "no") + "]:",
            a -> a.toLowerCase(Locale.ROOT).matches("y|yes|n|no"),
            "yes or no");
    return answer.isEmpty() ? usual : answer.toLowerCase(Locale.ROOT).startsWith("y");
  }

  /** Says what is wrong with an answer. */
  void complain(String answer, String found) {
    tell("'" + answer + "': " + found + "; Enter keeps what is set");
  }

  void tell(String line) {
    say.accept("  " + line);
  }
}
