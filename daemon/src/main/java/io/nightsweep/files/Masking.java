package io.nightsweep.files;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes out of a text that others wrote what has the form of a secret. Every repetition is bounded,
 * so that no text makes an expression run for long.
 */
public final class Masking {
  public static final String MASK = "***";

  /** What moves cursors and sets titles (ECMA-48), without tabs and line ends. */
  private static final Pattern CONTROL =
      Pattern.compile(
          "[\\p{Cc}&&[^\\t\\n]]|[\\x{2028}\\x{2029}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}]");

  /** The forms that well-known issuers give their tokens. */
  private static final Pattern FORMS =
      Pattern.compile(
          "\\b\\d{6,20}:[A-Za-z0-9_-]{30,}" // Telegram
              + "|\\bhf_[A-Za-z0-9]{20,}" // Hugging Face
              + "|\\bgh[pousr]_[A-Za-z0-9]{20,}|\\bgithub_pat_[A-Za-z0-9_]{20,}"
              + "|\\bglpat-[A-Za-z0-9_-]{16,}"
              + "|\\bsk-[A-Za-z0-9_-]{16,}" // OpenAI, Anthropic
              + "|\\bxox[abprs]-[A-Za-z0-9-]{10,}" // Slack
              + "|\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b" // AWS
              + "|(?<=://)[^/\\s:@]{1,200}:[^/\\s@]{1,400}(?=@)" // user and password in an address
              + "|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\\s]*" // PEM (RFC 7468)
              + "|\\beyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]+"); // JWT

  /** What follows a telling name: {@code WANDB_API_KEY=...}, {@code Authorization: Bearer ...}. */
  private static final Pattern NAMED =
      Pattern.compile(
          "(?i)((?:token|secret|password|passwd|api_?key|access_?key)(?:_id)?[\"']?\\s{0,9}[=:]\\s{0,9}[\"']?"
              + "|\\b(?:bearer|basic)\\s{1,9})([^\\s\"',;&]{6,})");

  private Masking() {}

  /** The text without secrets, by their form and by the names before them. */
  public static String of(String text) {
    return NAMED
        .matcher(FORMS.matcher(text).replaceAll(MASK))
        .replaceAll(m -> Matcher.quoteReplacement(m.group(1) + MASK));
  }

  /** The text without what a terminal would obey; tabs and line ends stay. */
  public static String printable(String text) {
    return CONTROL.matcher(text).replaceAll("\uFFFD");
  }
}
