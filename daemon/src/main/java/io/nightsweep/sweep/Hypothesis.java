package io.nightsweep.sweep;

/**
 * What a language model expects of a profile, recorded before the profile runs.
 *
 * @param profile its name begins with {@link #PREFIX}, which marks it as the model's
 * @param mechanism why it should gain, in the model's words
 * @param signal what the compiled step or the trace would show
 * @param falsifier what would refute it, in the model's words
 * @param refutedBelowPercent it is refuted if the gain is certainly smaller than this
 * @param lowPercent the smallest expected gain
 * @param highPercent the largest expected gain
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
   * @param name a mechanism or a cost, as named in the catalogs and findings
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
