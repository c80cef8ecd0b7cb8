package io.nightsweep.endpoint;

/**
 * Tokens of one call; neither count is negative.
 *
 * @param in of the prompt
 * @param out of the answer
 */
public record TokenCount(long in, long out) {
  public static final TokenCount NONE = new TokenCount(0, 0);

  public TokenCount {
    if (in < 0 || out < 0) {
      throw new IllegalArgumentException("expected counts of tokens, found " + in + " and " + out);
    }
  }

  public long sum() {
    return Math.addExact(in, out);
  }
}
