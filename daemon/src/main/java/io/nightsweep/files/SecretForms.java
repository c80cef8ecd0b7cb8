package io.nightsweep.files;

import java.util.List;
import java.util.regex.Pattern;

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
          "[sr]k_(?:live|test)_", // Stripe
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
          "do[opr]_v1_", // DigitalOcean
          "sbp_", // Supabase
          "napi_", // Neon
          "f[mo][12]r?_", // Fly.io
          "nfp_", // Netlify
          "gl(?:sa|c)_", // Grafana
          "sntry[su]_", // Sentry
          "ntn_", // Notion
          "lin_api_", // Linear
          "NRAK-", // New Relic
          "shp(?:at|ca|pa|ss)_", // Shopify
          "pul-", // Pulumi
          "rubygems_",
          "bkua_", // Buildkite
          "AKCp", // JFrog
          "cmVmdGtuO",
          "AT(?:ATT|BB|CTT)", // Atlassian
          "AGE-SECRET-KEY-1");

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
          "lsv2_(?:pt|sk)_", // LangSmith
          "wandb_v1_",
          "ya29\\.", // Google
          "GOCSPX-",
          "1//0",
          "AQ\\.",
          "hv[bsr]\\.", // Vault
          "sb_secret_", // Supabase
          "pscale_(?:tkn|pw|oauth)_",
          "tskey-", // Tailscale
          "figd_",
          "PMAK-", // Postman
          "dp\\.(?:pt|st|ct|sa|scim|audit)\\.", // Doppler
          "dt0[a-z]\\d\\d\\.", // Dynatrace
          "CCIPAT_", // CircleCI
          "SG\\."); // SendGrid

  /** The token forms of well-known issuers, and the places of secrets in URLs and keys. */
  static final Pattern OF_TOKENS =
      Pattern.compile(
          // User and password in a URL: a user may be a token, and a password may contain an @.
          "(?<=://)[^/\\s:@\"'<>]{0,200}+:(?!\\d{1,5}+/)[^\\s\"'<>]{1,400}(?=@)(?!@sha256:)"
              + "|(?<=https?://)[^/\\s:@\"'<>]{8,400}+(?=@)|"
              + START
              + "(?:\\d{6,20}+:[A-Za-z0-9_-]{30,}+" // Telegram
              + "|(?:"
              + String.join("|", PREFIXES)
              + ")[A-Za-z0-9]{16}[A-Za-z0-9_.=+/-]*+"
              + "|(?:"
              + String.join("|", BEFORE_MARKS)
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
   * Secrets after a word that is not a variable's name; the groups are the part to keep and the
   * secret.
   */
  static final List<Pattern> ANNOUNCED =
      List.of(
          Pattern.compile(
              "(?i)(\\B--?+(?!(?:[eb]os|pad|unk|mask|sep|cls|max|num|stop|end)[_-]token)(?:[a-z_-]{1,20}[_-])?(?:token|secret|passphrase|password|passwd|api-?key)"
                  // if a program's arguments are printed as a list, the next item
                  + "(?:\\s{1,9}|\\\\?[\"'],\\s{0,9}\\\\?[\"'])"
                  + "|\\bauthorization\\\\?[\"']?\\s{0,3}+[:=]\\s{0,9}+\\\\?[\"']?"
                  + "(?:token|digest|negotiate|api-?key|key|bot|splunk|hawk|ssws|oauth|githubtoken)\\s{1,9}"
                  + "|\\b(?:bearer|basic)\\s{1,9})([^\\s\\\\\"',;&]{6,}+)"),
          Pattern.compile(
              "(?i)(\\bauthorization\\\\?[\"']?\\s{0,3}+[:=]\\s{0,9}+\\\\?[\"']?)([A-Za-z0-9_.~+/=-]{16,}+)"),
          Pattern.compile("(?i)(\\b(?:set-)?cookie:\\s{0,9}+)([^\\r\\n]{3,4096}+)"),
          // ~/.netrc, on one line or several
          Pattern.compile(
              "(?im)(\\blogin\\s{1,9}+\\S{1,200}+\\s{1,9}+password\\s{1,9}+|^[ \\t]{0,20}+password[ \\t]{1,9}+)"
                  + "(\\S{1,400}+)(?=\\s|$)"),
          // curl; the numbers of a user and a group are not secrets
          Pattern.compile(
              "((?<=\\s)(?:-u|--user|--proxy-user)[ =]?[\"']?[^\\s:\"'/=]{1,100}+:)(?!\\d{1,10}+(?:\\s|$))([^\\s\"']{1,400}+)"),
          Pattern.compile(
              "(?i)(\\bapi[ _-]?key\\b[^\\n]{0,40}?\\b|\\bwandb login (?:--relogin )?)([0-9a-f]{40}\\b)"),
          Pattern.compile(
              "(?i)((?<![A-Za-z0-9_-])sig=|\\bx-(?:amz|goog)-signature=|\\bSignature=)([^\\s\"'&;,]{6,}+)"),
          // a proxy without a scheme
          Pattern.compile(
              "(?i)(\\b(?:https?|ftp|all|socks)_proxy\\\\?[\"']?\\s{0,3}+[=:]\\s{0,3}+\\\\?[\"']?[^\\s:/@\"']{1,100}+:)"
                  + "([^\\s\"'/]{1,400})(?=@)"),
          // programs with the secret as a one-letter option or after a word
          Pattern.compile(
              "(\\bsshpass -p ?[\"']?|\\bdocker login [^\\n]{0,200}?(?<= )-p ?[\"']?|\\bredis-cli [^\\n]{0,200}?(?<= )-a ?[\"']?"
                  + "|\\bmysql(?:dump|admin)? [^\\n]{0,200}?(?<= )-p|-pass(?:in|out)? pass:"
                  + "|\\baws_(?:secret_access_key|session_token) )([^\\s\"']{3,400}+)"),
          // databases
          Pattern.compile(
              "(?i)(\\b(?:uid|user|server|database)=[^;\\n]{0,100}+;[^\\n]{0,100}?\\bpwd=)([^;\\s\"']{1,400}+)"),
          Pattern.compile("(?i)(\\bidentified by [\"'])([^\"'\\n]{1,400}+)"),
          // PuTTY's own form of a private key
          Pattern.compile(
              "(\\bPrivate-Lines: \\d{1,4}\\r?\\n)((?:[A-Za-z0-9+/=]{1,80}+(?:\\r?\\n|$)){1,200}+)"));

  private SecretForms() {}
}
