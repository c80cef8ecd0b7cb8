package io.nightsweep.bench;

import java.util.Optional;

/**
 * Why a case was not measured.
 *
 * @param told details from its job, an audit or the program
 */
record CaseCause(Kind kind, String told) {
  /**
   * In ascending order of severity: if a case has several sides or rounds, the worst cause counts.
   */
  enum Kind {
    /** The program ended before it reached the case. */
    NOT_BEGUN("the case was not begun (%s)"),

    /**
     * A time without a complete document is not attested: only the document names hosts, ranks,
     * settings and limits.
     */
    UNATTESTED("it was timed, but its job left no document of where and how it ran (%s)"),

    /** The program ended while the case ran. */
    ENDED_IN_CASE("the program ended while the case ran (%s)"),

    CONTROL_REFUSED("the job refused its control document: %s"),

    /**
     * The details say it all: a rule excluded the case, an audit found a contradiction, or the
     * program gave a reason.
     */
    TOLD("%s");

    private final String sentence;

    Kind(String sentence) {
      this.sentence = sentence;
    }
  }

  static CaseCause told(String words) {
    return new CaseCause(Kind.TOLD, words);
  }

  static Optional<CaseCause> told(Optional<String> words) {
    return words.map(CaseCause::told);
  }

  String sentence() {
    return kind.sentence.formatted(told);
  }
}
