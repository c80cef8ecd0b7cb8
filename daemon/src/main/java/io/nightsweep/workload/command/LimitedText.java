package io.nightsweep.workload.command;

/**
 * A text that may be looked at so often. A pattern of a sweep file can be such that the time it
 * takes doubles with each word of a line that it does not match. RE2/J takes no such time, and
 * knows no look-around and no back-references, which the patterns of sweep files may use.
 */
final class LimitedText implements CharSequence {
  /** The pattern has read more characters than it may. */
  static final class TooManyLooksException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyLooksException() {
      super("more looks at a text than are allowed", null, false, false);
    }
  }

  private final String text;
  private int left;

  LimitedText(String text, int looks) {
    this.text = text;
    this.left = looks;
  }

  @Override
  public char charAt(int index) {
    if (left <= 0) {
      throw new TooManyLooksException();
    }
    left--;
    return text.charAt(index);
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int from, int to) {
    return text.subSequence(from, to);
  }

  @Override
  public String toString() {
    return text;
  }
}
