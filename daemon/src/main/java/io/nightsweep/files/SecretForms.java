package io.nightsweep.files;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The forms by which a secret is recognised without its name. Every repetition is bounded or
 * possessive: for each step that it may have to undo, {@link Pattern} recurses once, so a long text
 * could overflow the stack.
 */
final class SecretForms {
  /**
   * Not inside a word; but an escaped line end such as \n may precede, although it ends in a
   * letter.
   */
  private static final String START = "(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt]))";

  /** Issuers' prefixes of tokens, followed by at least sixteen letters and digits. */
  private static final List<String> PREFIXES =
      List.of(
          "sk_live_", // Stripe
          "sk_test_",
          "rk_live_",
          "rk_test_",
          "npm_",
          "gsk_", // Groq
          "xai-",
          "r8_", // Replicate
          "pplx-", // Perplexity
          "csk-", // Cerebras
          "fw_", // Fireworks
          "jina_",
          "KGAT_", // Kaggle
          "rpa_", // RunPod
          "api_org_", // Hugging Face, of an organization
          "ABSK", // AWS Bedrock
          "doo_v1_", // DigitalOcean
          "dop_v1_",
          "dor_v1_",
          "sbp_", // Supabase
          "napi_", // Neon
          "fm1_", // Fly.io
          "fm2_",
          "fo1_",
          "fo2_",
          "fm1r_",
          "fm2r_",
          "fo1r_",
          "fo2r_",
          "nfp_", // Netlify
          "glsa_", // Grafana
          "glc_",
          "sntrys_", // Sentry
          "sntryu_",
          "ntn_", // Notion
          "lin_api_", // Linear
          "NRAK-", // New Relic
          "shpat_", // Shopify
          "shpca_",
          "shppa_",
          "shpss_",
          "pul-", // Pulumi
          "rubygems_",
          "bkua_", // Buildkite
          "AKCp", // JFrog
          "cmVmdGtuO",
          "ATATT", // Atlassian
          "ATBB",
          "ATCTT",
          "AGE-SECRET-KEY-1");

  /** Dynatrace's begins with this, a letter, two digits and a dot. */
  private static final String DYNATRACE = "dt0";

  /**
   * Prefixes before at least sixteen letters, digits and punctuation marks; these contain a digit,
   * or consist of letters only.
   */
  private static final List<String> BEFORE_MARKS =
      List.of(
          "sk-", // OpenAI, Anthropic, OpenRouter, DeepSeek
          "whsec_", // Stripe
          "xapp-", // Slack
          "pypi-",
          "tgp_v1_", // Together
          "pcsk_", // Pinecone
          "lsv2_pt_", // LangSmith
          "lsv2_sk_",
          "wandb_v1_",
          "ya29.", // Google
          "GOCSPX-",
          "1//0",
          "AQ.",
          "hvb.", // Vault
          "hvr.",
          "hvs.",
          "sb_secret_", // Supabase
          "pscale_tkn_",
          "pscale_pw_",
          "pscale_oauth_",
          "tskey-", // Tailscale
          "figd_",
          "PMAK-", // Postman
          "dp.pt.", // Doppler
          "dp.st.",
          "dp.ct.",
          "dp.sa.",
          "dp.scim.",
          "dp.audit.",
          "CCIPAT_", // CircleCI
          "SG."); // SendGrid

  /** How the other tokens begin that are recognised only where a word begins. */
  private static final List<String> OTHERS =
      List.of("xox", "dapi", "AIza", "AKIA", "ASIA", "eyJ", DYNATRACE);

  /** Every token with a form that is recognised anywhere contains one of these. */
  private static final List<String> ANYWHERE =
      List.of(
          "hf_",
          "ghp_",
          "gho_",
          "ghu_",
          "ghs_",
          "ghr_",
          "github_pat_",
          "glpat-",
          "gldt-",
          "glrt-",
          "glcbt-",
          "glptt-",
          "glft-",
          "glimt-",
          "glagent-",
          "glsoat-",
          "gloas-",
          "nvapi-",
          "dckr_",
          "hooks.slack.com/",
          "/api/webhooks/",
          ".webhook.office.com/",
          "7Q~",
          "8Q~");

  private static final TextsThatBegin AT_START =
      new TextsThatBegin(Stream.of(PREFIXES, BEFORE_MARKS, OTHERS).flatMap(List::stream).toList());

  private static final TextsThatBegin IN_WORDS = new TextsThatBegin(ANYWHERE);

  private static final int LEAST_BASE64 = 64;
  private static final int LEAST_DIGITS = 6;
  private static final int LEAST_TELEGRAM = 30;

  /** The token forms of well-known issuers, and the places of secrets in URLs and keys. */
  static final Pattern OF_TOKENS =
      Pattern.compile(
          // User and password in a URL: a user may be a token, and a password may contain an @.
          "(?<=://)[^/\\s:@\"'<>]{0,200}+:(?!\\d{1,5}+/)[^\\s\"'<>]{1,400}(?=@)(?!@sha256:)"
              + "|(?<=https?://)[^/\\s:@\"'<>]{8,400}+(?=@)|"
              + START
              + "(?:\\d{6,20}+:[A-Za-z0-9_-]{30,}+" // Telegram
              + "|(?:"
              + anyOf(PREFIXES)
              + ")[A-Za-z0-9]{16}[A-Za-z0-9_.=+/-]*+"
              + "|(?:"
              + anyOf(BEFORE_MARKS)
              + "|"
              + DYNATRACE
              + "[a-z]\\d\\d\\."
              + ")(?=[A-Za-z_.=+/-]{0,80}+[0-9]|[A-Za-z]{16})[A-Za-z0-9_.=+/-]{16,}+"
              + "|xox[a-z]-[A-Za-z0-9.-]{10,}+" // Slack
              + "|dapi[a-f0-9]{32}" // Databricks
              + "|AIza[A-Za-z0-9_-]{30,}+" // Google
              + "|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])" // AWS
              // A JWT, or other JSON in base64; an encrypted JWT has five parts. The dots are
              // optional: if they were required, a long run without dots would be searched to its
              // end for every "eyJ" in it.
              + "|eyJ[A-Za-z0-9_-]{10,}+(?:\\.[A-Za-z0-9_-]*+){0,4}+)"
              + "|hf_[A-Za-z0-9]{20,}+" // Hugging Face
              + "|gh[pousr]_[A-Za-z0-9]{20,}+|github_pat_[A-Za-z0-9_]{20,}+"
              + "|gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas)-[A-Za-z0-9_-]{16,}+(?:\\.[A-Za-z0-9_-]++){0,3}+"
              + "|nvapi-[A-Za-z0-9_-]{16,}+" // NVIDIA NGC
              + "|dckr_[op]at_[A-Za-z0-9_-]{16,}+" // Docker Hub
              + "|(?<=hooks\\.slack\\.com/(?:services|workflows|triggers)/)[A-Za-z0-9/_-]{10,}+"
              + "|(?<=/api/webhooks/)\\d{6,20}+/[A-Za-z0-9_-]{8,}+" // Discord
              + "|(?<=\\.webhook\\.office\\.com/)[A-Za-z0-9/_@-]{10,}+" // Teams
              // Azure: a client secret, and an account key
              + "|(?:(?<![A-Za-z0-9_~.-])|(?<=\\\\[nrt]))[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,}+"
              + "|(?<![A-Za-z0-9+/=_])(?<!sha512-)[A-Za-z0-9+/]{86}==(?![A-Za-z0-9+/=])"
              // One line of a private key, for logs that are quoted line by line.
              + "|(?<![A-Za-z0-9+/=_-])(?!/)(?=[A-Za-z0-9+/]{0,70}[A-Z])(?=[A-Za-z0-9+/]{0,70}[a-z])"
              + "(?=[A-Za-z0-9+/]{0,70}[0-9])[A-Za-z0-9+/]{64,76}+={0,2}(?![A-Za-z0-9+/_.-])");

  /**
   * A secret after a word that is not a variable's name.
   *
   * @param pattern with two groups: the part to keep and the secret
   * @param words in lower case; each match contains one of them in upper or lower case
   */
  record Announced(Pattern pattern, List<String> words) {
    Announced(String pattern, String... words) {
      this(Pattern.compile(pattern), List.of(words));
    }

    /** Whether a text may contain one, by the text in lower case. */
    boolean mayBeIn(String lowerCase) {
      for (String word : words) {
        if (lowerCase.contains(word)) {
          return true;
        }
      }
      return false;
    }
  }

  static final List<Announced> ANNOUNCED =
      List.of(
          new Announced(
              "(?i)(\\B--?+(?!(?:[eb]os|pad|unk|mask|sep|cls|max|num|stop|end)[_-]token)(?:[a-z_-]{1,20}[_-])?(?:token|secret|passphrase|password|passwd|api-?key)"
                  // if a program's arguments are printed as a list, the next item
                  + "(?:\\s{1,9}|\\\\?[\"'],\\s{0,9}\\\\?[\"'])"
                  + "|\\bauthorization\\\\?[\"']?\\s{0,3}+[:=]\\s{0,9}+\\\\?[\"']?"
                  + "(?:token|digest|negotiate|api-?key|key|bot|splunk|hawk|ssws|oauth|githubtoken)\\s{1,9}"
                  + "|\\b(?:bearer|basic)\\s{1,9})([^\\s\\\\\"',;&]{6,}+)",
              "token",
              "secret",
              "passphrase",
              "password",
              "passwd",
              "api-key",
              "apikey",
              "authorization",
              "bearer",
              "basic"),
          new Announced(
              "(?i)(\\bauthorization\\\\?[\"']?\\s{0,3}+[:=]\\s{0,9}+\\\\?[\"']?)([A-Za-z0-9_.~+/=-]{16,}+)",
              "authorization"),
          new Announced("(?i)(\\b(?:set-)?cookie:\\s{0,9}+)([^\\r\\n]{3,4096}+)", "cookie:"),
          // ~/.netrc, on one line or several
          new Announced(
              "(?im)(\\blogin\\s{1,9}+\\S{1,200}+\\s{1,9}+password\\s{1,9}+|^[ \\t]{0,20}+password[ \\t]{1,9}+)"
                  + "(\\S{1,400}+)(?=\\s|$)",
              "password"),
          // curl; the numbers of a user and a group are not secrets
          new Announced(
              "((?<=\\s)(?:-u|--user|--proxy-user)[ =]?[\"']?[^\\s:\"'/=]{1,100}+:)(?!\\d{1,10}+(?:\\s|$))([^\\s\"']{1,400}+)",
              "-u"),
          new Announced(
              "(?i)(\\bapi[ _-]?key\\b[^\\n]{0,40}?\\b|\\bwandb login (?:--relogin )?)([0-9a-f]{40}\\b)",
              "key",
              "wandb login"),
          new Announced(
              "(?i)((?<![A-Za-z0-9_-])sig=|\\bx-(?:amz|goog)-signature=|\\bSignature=)([^\\s\"'&;,]{6,}+)",
              "sig=",
              "signature="),
          // a proxy without a scheme
          new Announced(
              "(?i)(\\b(?:https?|ftp|all|socks)_proxy\\\\?[\"']?\\s{0,3}+[=:]\\s{0,3}+\\\\?[\"']?[^\\s:/@\"']{1,100}+:)"
                  + "([^\\s\"'/]{1,400})(?=@)",
              "_proxy"),
          // programs with the secret as a one-letter option or after a word
          new Announced(
              "(\\bsshpass -p ?[\"']?|\\bdocker login [^\\n]{0,200}?(?<= )-p ?[\"']?|\\bredis-cli [^\\n]{0,200}?(?<= )-a ?[\"']?"
                  + "|\\bmysql(?:dump|admin)? [^\\n]{0,200}?(?<= )-p|-pass(?:in|out)? pass:"
                  + "|\\baws_(?:secret_access_key|session_token) )([^\\s\"']{3,400}+)",
              "sshpass",
              "docker login",
              "redis-cli",
              "mysql",
              "-pass",
              "aws_se"),
          // databases
          new Announced(
              "(?i)(\\b(?:uid|user|server|database)=[^;\\n]{0,100}+;[^\\n]{0,100}?\\bpwd=)([^;\\s\"']{1,400}+)",
              "pwd="),
          new Announced("(?i)(\\bidentified by [\"'])([^\"'\\n]{1,400}+)", "identified by"),
          // PuTTY's own form of a private key
          new Announced(
              "(\\bPrivate-Lines: \\d{1,4}\\r?\\n)((?:[A-Za-z0-9+/=]{1,80}+(?:\\r?\\n|$)){1,200}+)",
              "private-lines"));

  private SecretForms() {}

  private static String anyOf(List<String> texts) {
    return texts.stream().map(Pattern::quote).collect(Collectors.joining("|"));
  }

  /**
   * Whether {@link #OF_TOKENS} may match in the text: false for most texts, and found much faster
   * than by the pattern.
   */
  static boolean mayHoldToken(String text) {
    return (text.contains("://") && text.indexOf('@') >= 0) || holdsBeginOrLongWord(text);
  }

  private static boolean holdsBeginOrLongWord(String text) {
    int base64 = 0;
    int digits = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ':' && digits >= LEAST_DIGITS && isTelegramFrom(text, i + 1)) {
        return true;
      }
      digits = isDigit(c) ? digits + 1 : 0;
      base64 = isLetterOrDigit(c) || c == '+' || c == '/' ? base64 + 1 : 0;
      if (base64 >= LEAST_BASE64
          || (AT_START.isAt(text, i) && isAtStart(text, i))
          || IN_WORDS.isAt(text, i)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTelegramFrom(String text, int from) {
    int to = from;
    while (to < text.length() && to - from < LEAST_TELEGRAM && isOfTelegram(text.charAt(to))) {
      to++;
    }
    return to - from == LEAST_TELEGRAM;
  }

  private static boolean isOfTelegram(char c) {
    return isLetterOrDigit(c) || c == '_' || c == '-';
  }

  /** Whether {@link #START} matches here. */
  private static boolean isAtStart(String text, int at) {
    return at == 0
        || !isLetterOrDigit(text.charAt(at - 1))
        || (at > 1 && text.charAt(at - 2) == '\\' && "nrt".indexOf(text.charAt(at - 1)) >= 0);
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** ASCII texts, by their first character. */
  private static final class TextsThatBegin {
    private static final int ASCII = 128;

    private final List<List<String>> byFirst;

    TextsThatBegin(List<String> texts) {
      byFirst =
          IntStream.range(0, ASCII)
              .mapToObj(first -> texts.stream().filter(t -> t.charAt(0) == first).toList())
              .toList();
    }

    boolean isAt(String text, int at) {
      char first = text.charAt(at);
      if (first >= ASCII) {
        return false;
      }
      List<String> texts = byFirst.get(first);
      for (int i = 0; i < texts.size(); i++) {
        if (text.startsWith(texts.get(i), at)) {
          return true;
        }
      }
      return false;
    }
  }
}
