package io.nightsweep.triage;

/** Samples among meaningless lines. */
public final class NoisySamples {
  private NoisySamples() {}

  /**
   * @param each lines of noise for each line of the sample
   */
  public static Sample of(Sample s, long seed, int each) {
    if (s.log().isEmpty() || s.leastBytes() > 0) {
      return s;
    }
    String noisy = new NoiseLines(seed, s.running().isEmpty()).around(s.log(), each);
    return with(s, noisy);
  }

  static Sample with(Sample s, String log) {
    return new Sample(
        s.about(),
        s.beside(),
        s.expected(),
        log,
        s.end(),
        s.step(),
        s.stepsTotal(),
        s.running(),
        s.leastBytes());
  }
}
