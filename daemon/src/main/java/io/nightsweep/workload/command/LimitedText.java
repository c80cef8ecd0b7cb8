package io.nightsweep.workload.command;

/**
 * A text that counts and limits reads of its characters. With some patterns, each further word of a
 * line that does not match doubles the time. RE2/J has no such cost, but lacks look-around and
 * back-references, which patterns of sweep files may use.
 */
final class LimitedText implements CharSequence {
  /** The pattern has read more characters than allowed. */
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
