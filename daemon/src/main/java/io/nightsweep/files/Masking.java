package io.nightsweep.files;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks everything in foreign text that has the form of a secret. In the patterns, every repetition
 * is bounded or possessive: for each step that it may have to undo, {@link Pattern} recurses once,
 * so a long text could overflow the stack.
 */
public final class Masking {
  public static final String MASK = "***";

  /** The text after BEGIN and END of a key; in URLs a space is written differently. */
  private static final String KEY_LABEL =
      "(?: |\\+|%20)(?:[A-Z0-9]{1,20}(?: |\\+|%20)){0,4}PRIVATE(?: |\\+|%20)KEY"
          + "(?:(?: |\\+|%20)BLOCK)? ?-{4,5}";

  /** A private key up to its end (RFC 7468, RFC 4880, RFC 4716), with any prefix on each line. */
  private static final Pattern KEY_BEGINS = Pattern.compile("-{4,5} ?BEGIN" + KEY_LABEL);

  private static final Pattern KEY_ENDS = Pattern.compile("- ?END" + KEY_LABEL);

  /** The remaining lines of a key that was cut off. */
  private static final Pattern KEY_BODY =
      Pattern.compile(
          "(?:[A-Za-z0-9-]{1,40}+: [^\\n]{0,200}+\\n|\\d{1,6}+: |\\[[^\\]\\n]{1,40}+\\]:? "
              + "|%[0-9A-Fa-f]{2}|[A-Za-z0-9+/=\\s]|\\\\{1,2}[nr])*+");

  private static final int LONGEST_KEY = 32_768;

  /** Forms of a quote in JSON, URLs and HTML. */
  private static final String WRITTEN_QUOTE = "(?:%2[27]|&quot;|&#3[49];|\\\\{1,2}u002[27])";

  /** Forms of the sign between a name and its value. */
  private static final String EQUALS = "(?:=>|->|[+?:]?={1,3}|:|%3[DdAa]|&#61;|\\\\{1,2}u003[dD])";

  /**
   * A name before its value, as in configurations, shells, JSON, XML, URLs and programs; in JSON
   * nested three times, a quote has seven backslashes before it.
   */
  private static final Pattern NAME =
      Pattern.compile(
          "\\([\"']([A-Za-z_][A-Za-z0-9_.-]{1,199}+)[\"'],\\s{0,9}+(?=[\"'])"
              + "|(?<![A-Za-z0-9_-])-{0,2}+(?:(?:setenv|ENV|ARG)[ \\t]{1,9}+([A-Za-z_]\\w{1,199}+)[ \\t]{1,9}+(?!=)"
              + "|([A-Za-z_][A-Za-z0-9_.-]{1,199}+)"
              + "(?:(?:\\\\{0,7}[\"']|"
              + WRITTEN_QUOTE
              + ")?]?\\s{0,9}+"
              + EQUALS
              + "\\s{0,9}+"
              // What some languages put before a text: YAML's blocks and types, Python's string
              // prefixes, a shell's $, a list's bracket.
              + "(?:[|>][+-]?\\s{1,40}+|!!str\\s{1,9}+|[ubrf]{1,2}+(?=[\"'])|\\$(?=[\"'])"
              + "|[\\[(]\\s{0,9}+(?=[\"'])|"
              + WRITTEN_QUOTE
              + ")?"
              + "|\\\\{0,2}[\"']?,?\\s{0,40}+\\\\{0,2}[\"']?[Vv]alue\\\\{0,2}[\"']?\\s{0,9}+[=:]\\s{0,9}+|>))");

  /** A value; if it is quoted, it ends at its closing quote. */
  private static final Pattern VALUE =
      Pattern.compile(
          "(\\\\{1,7}[\"'])[^\"'\\\\\\n]{1,4096}+|(\")[^\"\\n]{1,4096}+|(')[^'\\n]{1,4096}+"
              + "|[^\\s\"'\\\\<]{1,4096}+");

  /** Names of secrets that a person chooses, which may contain any character. */
  private static final Pattern CHOSEN =
      Pattern.compile("(?i).*(?:pass|passwd|password|phrase|pwd)");

  private static final Pattern SEPARATOR = Pattern.compile("[,;&]");
  private static final int LEAST_LENGTH = 6;
  private static final int LEAST_ALONE = 12;

  private Masking() {}

  /**
   * The text with its secrets masked, recognised by their form or by the names before them. If
   * {@link Unseen} characters are inside a secret, the text without them is masked.
   */
  public static String of(String text) {
    String bare = Unseen.removed(text);
    if (bare.length() == text.length()) {
      return masked(text, secret -> {});
    }
    String masked = masked(bare, secret -> {});
    if (masked.equals(bare)) {
      return masked(text, secret -> {});
    }
    // An invisible character may have separated a secret from the word before it, and a terminal
    // sequence may contain a part of a name: so the text with these characters is searched too.
    List<String> apart = new ArrayList<>();
    String unused = masked(text, apart::add);
    for (String secret : apart) {
      masked = masked.replace(secret, MASK);
    }
    return masked;
  }

  private static String masked(String text, Consumer<String> found) {
    // A mask joins no words: a word that the text does not contain is not in what is left either.
    String lowerCase = text.toLowerCase(Locale.ROOT);
    String masked = withoutKeys(text);
    if (SecretForms.mayHoldToken(masked)) {
      masked =
          SecretForms.OF_TOKENS
              .matcher(masked)
              .replaceAll(
                  m -> {
                    found.accept(m.group());
                    return MASK;
                  });
    }
    for (SecretForms.Announced announced : SecretForms.ANNOUNCED) {
      if (announced.mayBeIn(lowerCase)) {
        masked =
            announced
                .pattern()
                .matcher(masked)
                .replaceAll(
                    m -> {
                      found.accept(m.group(2));
                      return Matcher.quoteReplacement(m.group(1) + MASK);
                    });
      }
    }
    if (!SecretNames.mayBeIn(lowerCase)) {
      return masked;
    }
    List<String> named = new ArrayList<>();
    masked = withoutNamed(masked, named::add);
    named.forEach(found);
    // Also masks the secret where it occurs without its name, for instance where a program repeats
    // it.
    for (String secret : named) {
      masked = isTellingAlone(secret) ? masked.replace(secret, MASK) : masked;
    }
    return masked;
  }

  /**
   * Whether the secret can be masked without its name: a shorter one, or one of letters only, may
   * be an ordinary word elsewhere.
   */
  public static boolean isTellingAlone(String secret) {
    return secret.length() >= LEAST_ALONE
        && secret.chars().anyMatch(Character::isDigit)
        && secret.chars().anyMatch(Character::isLetter);
  }

  private static String withoutKeys(String text) {
    if (!text.contains("BEGIN")) {
      return text;
    }
    Matcher begins = KEY_BEGINS.matcher(text);
    StringBuilder kept = new StringBuilder();
    int from = 0;
    while (begins.find(from)) {
      kept.append(text, from, begins.start()).append(MASK);
      from = endOfKey(text, begins.end());
    }
    return kept.append(text, from, text.length()).toString();
  }

  private static int endOfKey(String text, int body) {
    int last = Math.min(text.length(), body + LONGEST_KEY);
    int end = Math.max(text.indexOf("-END", body, last), text.indexOf("- END", body, last));
    Matcher ends = KEY_ENDS.matcher(text).region(Math.max(end, body), text.length());
    if (end >= 0 && ends.lookingAt()) {
      return ends.end();
    }
    Matcher cutOff = KEY_BODY.matcher(text).region(body, text.length());
    return cutOff.lookingAt() ? cutOff.end() : body;
  }

  private static String withoutNamed(String text, Consumer<String> found) {
    Matcher name = NAME.matcher(text);
    Matcher value = VALUE.matcher(text);
    StringBuilder kept = new StringBuilder();
    int copied = 0;
    int from = 0;
    while (name.find(from)) {
      // A value may itself begin with a name, as in "env: HF_TOKEN=...".
      from = name.end();
      String called = called(name);
      if (isTelling(called) && value.region(from, text.length()).lookingAt()) {
        int secret = from + quote(value).length();
        int end = endOfSecret(called, value);
        if (end == value.end()) {
          end = endOfLongValue(text, end, quote(value));
        }
        if (end > secret) {
          kept.append(text, copied, secret).append(MASK);
          found.accept(text.substring(secret, end));
          copied = end;
          from = end;
        }
      }
    }
    return kept.append(text, copied, text.length()).toString();
  }

  private static String called(Matcher name) {
    for (int group = 1; group < name.groupCount(); group++) {
      if (name.start(group) >= 0) {
        return name.group(group);
      }
    }
    return name.group(name.groupCount());
  }

  /** The end of a long value, of which the pattern has matched only the beginning. */
  private static int endOfLongValue(String text, int from, String quote) {
    int end = from;
    while (end < text.length() && !endsValue(text.charAt(end), quote)) {
      end++;
    }
    return end;
  }

  private static boolean endsValue(char c, String quote) {
    return quote.isEmpty()
        ? Character.isWhitespace(c) || "\"'\\<".indexOf(c) >= 0
        : c == '\n' || quote.indexOf(c) >= 0;
  }

  /** Whether the name announces a secret; "key" alone does not, since dictionaries have keys. */
  private static boolean isTelling(String name) {
    return !name.equalsIgnoreCase("key") && SecretNames.isSecret(name);
  }

  /** The end of the secret, or the start of the value if it is too short to be one. */
  private static int endOfSecret(String name, Matcher value) {
    boolean isQuoted = !quote(value).isEmpty();
    Matcher separator = SEPARATOR.matcher(value.group());
    int length = value.group().length();
    if (CHOSEN.matcher(name).matches()) {
      return isQuoted || length >= LEAST_LENGTH ? value.end() : value.start();
    }
    if (!isQuoted && separator.find()) {
      length = separator.start();
    }
    return length - quote(value).length() >= LEAST_LENGTH ? value.start() + length : value.start();
  }

  private static String quote(Matcher value) {
    for (int group = 1; group <= value.groupCount(); group++) {
      if (value.start(group) >= 0) {
        return value.group(group);
      }
    }
    return "";
  }
}
