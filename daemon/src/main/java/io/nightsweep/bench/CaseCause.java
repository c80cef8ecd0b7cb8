package io.nightsweep.bench;

import java.util.Optional;

/**
 * Why a case was not measured.
 *
 * @param told what its job, an audit or the program tells of it
 */
record CaseCause(Kind kind, String told) {
  /** From the least to the worst: of several sides or rounds of a case the worst counts. */
  enum Kind {
    /** The program ended before the case. */
    NOT_BEGUN("the case was not begun (%s)"),

    /** Only a whole document tells hosts, ranks, settings and limits. */
    UNATTESTED("it was timed, but its job left no document of where and how it ran (%s)"),

    /** The program ended while the case ran. */
    ENDED_IN_CASE("the program ended while the case ran (%s)"),

    CONTROL_REFUSED("the job refused its control document: %s"),

    /** A rule left the case out, an audit found a contradiction, or the program says why. */
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
