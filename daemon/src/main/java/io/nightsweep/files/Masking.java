package io.nightsweep.files;

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

  /** The forms that well-known issuers give their tokens. */
  private static final Pattern FORMS =
      Pattern.compile(
          "\\b\\d{6,20}:[A-Za-z0-9_-]{30,}+" // Telegram
              + "|\\bhf_[A-Za-z0-9]{20,}+" // Hugging Face
              + "|\\bgh[pousr]_[A-Za-z0-9]{20,}+|\\bgithub_pat_[A-Za-z0-9_]{20,}+"
              + "|\\bglpat-[A-Za-z0-9_-]{16,}+"
              + "|\\bsk-[A-Za-z0-9_-]{16,}+" // OpenAI, Anthropic
              + "|\\bxox[abprs]-[A-Za-z0-9-]{10,}+" // Slack
              + "|(?<=hooks\\.slack\\.com/(?:services|workflows)/)[A-Za-z0-9/_-]{10,}+"
              + "|\\bnvapi-[A-Za-z0-9_-]{16,}+" // NVIDIA NGC
              + "|\\bdckr_pat_[A-Za-z0-9_-]{16,}+" // Docker Hub
              + "|\\bnpm_[A-Za-z0-9]{20,}+"
              + "|\\bAIza[A-Za-z0-9_-]{30,}+" // Google
              + "|\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b" // AWS
              + "|(?<=://)[^/\\s:@]{1,200}+:[^/\\s@]{1,400}+(?=@)" // user and password in an
              // address
              + "|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[A-Za-z0-9+/=\\s]|\\\\{1,2}[nr])*+" // PEM (RFC 7468)
              // A JWT, and other JSON in base64: where the dots lacked, every "eyJ" of a long run
              // would be searched for them to the run's end.
              + "|\\beyJ[A-Za-z0-9_-]{10,}+(?:\\.[A-Za-z0-9_-]++){0,2}+");

  /** What follows a telling name: {@code WANDB_API_KEY=...}, {@code Authorization: Bearer ...}. */
  private static final Pattern NAMED =
      Pattern.compile(
          "(?i)((?:token|secret|passphrase|password|passwd|api[_-]?key|access[_-]?key|x-amz-signature)(?:_id)?"
              + "\\\\{0,2}[\"']?\\s{0,9}[=:]\\s{0,9}\\\\{0,2}[\"']?"
              + "|\\B--?(?:[a-z-]{1,20}-)?(?:token|secret|passphrase|password|passwd|api-?key)\\s{1,9}"
              + "|\\bauthorization:\\s{0,9}token\\s{1,9}"
              + "|\\b(?:bearer|basic)\\s{1,9})([^\\s\\\\\"',;&]{6,}+)");

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
    return NAMED
        .matcher(FORMS.matcher(text).replaceAll(MASK))
        .replaceAll(m -> Matcher.quoteReplacement(m.group(1) + MASK));
  }
}
