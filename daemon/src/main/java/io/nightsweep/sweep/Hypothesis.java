package io.nightsweep.sweep;

/**
 * What a language model expects of a profile, written down before the profile runs.
 *
 * @param profile its name begins with {@link #PREFIX}, so that nobody takes it for another's
 * @param mechanism why it should gain, in the model's words
 * @param signal what the compiled step or the trace would show
 * @param falsifier what would refute it, in the model's words
 * @param refutedBelowPercent a gain that is surely smaller refutes it
 * @param lowPercent the least gain that it expects
 * @param highPercent the greatest
 */
public record Hypothesis(
    Profile profile,
    String mechanism,
    Signal signal,
    String falsifier,
    double refutedBelowPercent,
    double lowPercent,
    double highPercent) {
  public static final String PREFIX = "llm-";

  /**
   * @param name a mechanism or a cost, by the words of the catalogs and findings
   */
  public record Signal(SignalSource source, String name, ExpectedChange change) {
    public enum SignalSource {
      HLO,
      TRACE
    }

    public enum ExpectedChange {
      APPEARS,
      VANISHES,
      GROWS,
      SHRINKS
    }
  }
}
