package io.nightsweep.files;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes out of a text that others wrote what has the form of a secret. Every repetition is bounded
 * or possessive: {@link Pattern} goes one call deeper for each step that it may have to take back,
 * so that a long text would overflow the stack otherwise.
 */
public final class Masking {
  public static final String MASK = "***";

  /** Not within a word; an escaped line end is written with a letter. */
  private static final String START = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt]))";

  /** The forms that well-known issuers give their tokens. */
  private static final Pattern FORMS =
      Pattern.compile(
          START
              + "(?:\\d{6,20}+:[A-Za-z0-9_-]{30,}+" // Telegram
              + "|sk-[A-Za-z0-9_-]{16,}+" // OpenAI, Anthropic
              + "|[sr]k_(?:live|test)_[A-Za-z0-9]{16,}+" // Stripe
              + "|xox[abeprs]-[A-Za-z0-9.-]{10,}+" // Slack
              + "|npm_[A-Za-z0-9]{20,}+"
              + "|pypi-[A-Za-z0-9_-]{16,}+"
              + "|gsk_[A-Za-z0-9]{16,}+" // Groq
              + "|xai-[A-Za-z0-9]{16,}+"
              + "|r8_[A-Za-z0-9]{16,}+" // Replicate
              + "|dapi[a-f0-9]{32}" // Databricks
              + "|ya29\\.[A-Za-z0-9_-]{16,}+|AIza[A-Za-z0-9_-]{30,}+" // Google
              + "|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])" // AWS
              // A JWT, and other JSON in base64: where the dots lacked, every "eyJ" of a long run
              // would be searched for them to the run's end.
              + "|eyJ[A-Za-z0-9_-]{10,}+(?:\\.[A-Za-z0-9_-]++){0,2}+)"
              + "|hf_[A-Za-z0-9]{20,}+" // Hugging Face
              + "|gh[pousr]_[A-Za-z0-9]{20,}+|github_pat_[A-Za-z0-9_]{20,}+"
              + "|glpat-[A-Za-z0-9_-]{16,}+"
              + "|nvapi-[A-Za-z0-9_-]{16,}+" // NVIDIA NGC
              + "|dckr_pat_[A-Za-z0-9_-]{16,}+" // Docker Hub
              + "|(?<=hooks\\.slack\\.com/(?:services|workflows|triggers)/)[A-Za-z0-9/_-]{10,}+"
              + "|(?<=/api/webhooks/)\\d{6,20}+/[A-Za-z0-9_-]{8,}+" // Discord
              + "|(?<=\\.webhook\\.office\\.com/)[A-Za-z0-9/_@-]{10,}+" // Teams
              // User and password in an address; the password may hold an @ itself.
              + "|(?<=://)[^/\\s:@\"'<>]{0,200}+:[^/\\s\"'<>]{1,400}(?=@)(?!@sha256:)"
              + "|(?<=https?://)[^/\\s:@\"'<>]{8,400}+(?=@)"
              // A line of a key, as it stands alone where a log is quoted line by line.
              + "|(?<![A-Za-z0-9+/=_-])(?!/)(?=[A-Za-z0-9+/]{0,70}[A-Z])(?=[A-Za-z0-9+/]{0,70}[a-z])"
              + "(?=[A-Za-z0-9+/]{0,70}[0-9])[A-Za-z0-9+/]{64,76}+={0,2}(?![A-Za-z0-9+/_.-])");

  /** A private key up to its end (RFC 7468, RFC 4880), whatever stands before each of its lines. */
  private static final Pattern KEY_BEGINS =
      Pattern.compile("-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----");

  private static final Pattern KEY_ENDS =
      Pattern.compile("-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----");

  /** What a key that was cut off still shows. */
  private static final Pattern KEY_BODY =
      Pattern.compile(
          "(?:[A-Za-z0-9-]{1,40}+: [^\\n]{0,200}+\\n|\\d{1,6}+: |[A-Za-z0-9+/=\\s]|\\\\{1,2}[nr])*+");

  private static final int LONGEST_KEY = 32_768;

  /** A name before its value, as configurations, shells, JSON, XML and addresses write it. */
  private static final Pattern NAME =
      Pattern.compile(
          "(?<![A-Za-z0-9_-])-{0,2}+([A-Za-z_][A-Za-z0-9_.-]{1,199}+)"
              + "(?:\\\\{0,2}[\"']?\\s{0,9}+(?:=>|[=:])\\s{0,9}+|>)");

  /** A quoted one ends where its quote does. */
  private static final Pattern VALUE =
      Pattern.compile(
          "(\\\\{1,2}[\"'])[^\"'\\\\\\n]{1,4096}+|(\")[^\"\\n]{1,4096}+|(')[^'\\n]{1,4096}+"
              + "|[^\\s\"'\\\\<]{1,4096}+");

  /** Secrets that a word before them tells, which is no name. */
  private static final List<Pattern> ANNOUNCED =
      List.of(
          Pattern.compile(
              "(?i)(\\B--?(?:[a-z-]{1,20}-)?(?:token|secret|passphrase|password|passwd|api-?key)\\s{1,9}"
                  + "|\\bauthorization:\\s{0,9}token\\s{1,9}"
                  + "|\\b(?:bearer|basic)\\s{1,9})([^\\s\\\\\"',;&]{6,}+)"),
          Pattern.compile("(?i)(\\b(?:set-)?cookie:\\s{0,9}+)([^\\r\\n]{3,4096}+)"),
          // ~/.netrc, on one line or on several
          Pattern.compile(
              "(?im)(\\blogin\\s{1,9}+\\S{1,200}+\\s{1,9}+password\\s{1,9}+|^[ \\t]{0,20}+password[ \\t]{1,9}+)"
                  + "(\\S{1,400}+)(?=\\s|$)"),
          // curl; the numbers of a user and a group are none
          Pattern.compile(
              "((?<=\\s)(?:-u|--user|--proxy-user)[ =]?[\"']?[^\\s:\"'/=]{1,100}+:)(?!\\d{1,10}+(?:\\s|$))([^\\s\"']{1,400}+)"),
          Pattern.compile("(?i)(\\bapi[ _-]?key\\b[^\\n]{0,40}?\\b)([0-9a-f]{40}\\b)"),
          Pattern.compile(
              "(?i)((?<![A-Za-z0-9_-])sig=|\\bx-(?:amz|goog)-signature=)([^\\s\"'&;,]{6,}+)"));

  /** A person chooses these, with any character in them. */
  private static final Pattern CHOSEN =
      Pattern.compile("(?i).*(?:pass|passwd|password|phrase|pwd)");

  private static final Pattern SEPARATOR = Pattern.compile("[,;&]");
  private static final int LEAST_LENGTH = 6;

  private Masking() {}

  /**
   * The text without secrets, by their form and by the names before them. Where {@link Unseen}
   * characters stand in the middle of a secret, the text without them is masked.
   */
  public static String of(String text) {
    String bare = Unseen.removed(text);
    if (bare.length() == text.length()) {
      return masked(text);
    }
    String masked = masked(bare);
    if (masked.equals(bare)) {
      return masked(text);
    }
    // An unseen character may as well have been what set a secret apart from the word before it.
    for (MatchResult secret : FORMS.matcher(text).results().toList()) {
      masked = masked.replace(secret.group(), MASK);
    }
    return masked;
  }

  private static String masked(String text) {
    String masked = FORMS.matcher(withoutKeys(text)).replaceAll(MASK);
    for (Pattern announced : ANNOUNCED) {
      masked =
          announced.matcher(masked).replaceAll(m -> Matcher.quoteReplacement(m.group(1) + MASK));
    }
    return withoutNamed(masked);
  }

  private static String withoutKeys(String text) {
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
    int end = text.indexOf("-----END ", body);
    Matcher ends = KEY_ENDS.matcher(text).region(Math.max(end, body), text.length());
    if (end >= 0 && end - body <= LONGEST_KEY && ends.lookingAt()) {
      return ends.end();
    }
    Matcher cutOff = KEY_BODY.matcher(text).region(body, text.length());
    return cutOff.lookingAt() ? cutOff.end() : body;
  }

  private static String withoutNamed(String text) {
    Matcher name = NAME.matcher(text);
    Matcher value = VALUE.matcher(text);
    StringBuilder kept = new StringBuilder();
    int copied = 0;
    int from = 0;
    while (name.find(from)) {
      // A value may itself begin with a name, as in "env: HF_TOKEN=...".
      from = name.end();
      if (isTelling(name.group(1)) && value.region(from, text.length()).lookingAt()) {
        int secret = from + quote(value).length();
        int end = endOfSecret(name.group(1), value);
        if (end == value.end()) {
          end = endOfLongValue(text, end, quote(value));
        }
        if (end > secret) {
          kept.append(text, copied, secret).append(MASK);
          copied = end;
          from = end;
        }
      }
    }
    return kept.append(text, copied, text.length()).toString();
  }

  /** A value may be longer than what is looked at before it is known to be a secret. */
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

  /** Dictionaries have keys that are none of a lock. */
  private static boolean isTelling(String name) {
    return !name.equalsIgnoreCase("key") && SecretNames.isSecret(name);
  }

  /** Where the secret ends; where the value begins if it is too short to be one. */
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
