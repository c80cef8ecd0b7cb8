package io.nightsweep.files;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether a variable, key or header is named like a secret. A name is split into words, whatever
 * its style: {@code HF_TOKEN}, {@code api-key}, {@code clientSecret}.
 */
public final class SecretNames {
  /** The boundary between two words. */
  private static final Pattern BETWEEN_WORDS =
      Pattern.compile("[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  /**
   * Nightsweep's own variables: for chats and the addresses of webhooks, but not for paths of
   * files.
   */
  private static final Pattern OWN =
      Pattern.compile(
          "(?i)_?TG_(?!(?:CONFIG|PROFILE)$).*|NIGHTSWEEP_(?:SLACK|TEAMS|NTFY|WEBHOOK)_URL");

  /** A word with such an ending means a secret, whatever precedes it: {@code PGPASSWORD}. */
  private static final Pattern CERTAIN =
      Pattern.compile(
          ".*(?:token|secret|password|passwd|passphrase|passcode|apikey|accesskey|secretkey|privatekey"
              + "|accountkey|credentials?|webhook)|cookie|creds|dsn|sas|jwt"
              + "|(?:ssh|pg|db|my|mysql|user|root|smtp|ftp)(?:pass|pwd)");

  /** After one of these words, {@code key} means a secret in any style. */
  private static final Set<String> BEFORE_KEY =
      Set.of(
          "api",
          "access",
          "private",
          "secret",
          "signing",
          "encryption",
          "account",
          "master",
          "ssh",
          "storage",
          "license",
          "deploy",
          "auth",
          "wandb",
          "hf",
          "openai",
          "anthropic",
          "ngc",
          "comet");

  /**
   * After one of these words, {@code pass}, {@code pwd} and {@code pat} mean secrets in any style.
   */
  private static final Set<String> BEFORE_PASS =
      Set.of(
          "db",
          "database",
          "user",
          "root",
          "admin",
          "smtp",
          "mail",
          "ftp",
          "ssh",
          "proxy",
          "redis",
          "mysql",
          "pg",
          "postgres",
          "ldap",
          "mongo",
          "http",
          "login",
          "my",
          "account",
          "service",
          "git",
          "github",
          "gh",
          "gitlab",
          "hf",
          "azure");

  /** Words of compilers, which have passes, and of NCCL, which has an algorithm called PAT. */
  private static final Set<String> COMPILERS =
      Set.of("xla", "hlo", "tf", "jax", "nccl", "rccl", "mlir", "llvm");

  /** Words before the tokens of a model's vocabulary. */
  private static final Set<String> OF_VOCABULARIES =
      Set.of(
          "eos", "bos", "pad", "unk", "mask", "sep", "cls", "special", "image", "per", "stop",
          "next", "end", "max", "num");

  /** After one of these words, "tokens" means secrets; otherwise it means a count. */
  private static final Set<String> BEFORE_TOKENS = Set.of("api", "auth", "access", "hf", "bearer");

  /** Words after the one for the secret that only specify it. */
  private static final Set<String> WHICH =
      Set.of(
          "value",
          "string",
          "read",
          "write",
          "readonly",
          "ro",
          "rw",
          "prod",
          "production",
          "staging",
          "dev",
          "test",
          "ci",
          "old",
          "new",
          "primary",
          "secondary",
          "main",
          "backup",
          "default",
          "team",
          "org",
          "personal",
          "b64",
          "base64");

  /** Each name of a secret contains one of these in upper or lower case. */
  private static final List<String> PARTS =
      List.of(
          "token",
          "secret",
          "pass",
          "pwd",
          "pat",
          "key",
          "auth",
          "credential",
          "webhook",
          "cookie",
          "creds",
          "dsn",
          "sas",
          "jwt",
          "connection",
          "tg_",
          "nightsweep_");

  private SecretNames() {}

  /** Whether the text, in lower case, may be or contain a name of a secret. */
  static boolean mayBeIn(String lowerCase) {
    for (String part : PARTS) {
      if (lowerCase.contains(part)) {
        return true;
      }
    }
    return false;
  }

  public static boolean isSecret(String name) {
    if (!mayBeIn(name.toLowerCase(Locale.ROOT))) {
      return false;
    }
    if (OWN.matcher(name).matches() || name.equals("TOKENS")) {
      return true;
    }
    List<String> words = BETWEEN_WORDS.splitAsStream(name).filter(w -> !w.isEmpty()).toList();
    boolean isVariable = words.size() > 1 && name.equals(name.toUpperCase(Locale.ROOT));
    List<String> meant = meant(words);
    return isSecret(meant, isVariable)
        || (isVariable && meant.size() > 2 && isWhich(meant) && isSecret(shorter(meant), true));
  }

  private static boolean isWhich(List<String> words) {
    return WHICH.contains(words.getLast());
  }

  private static List<String> shorter(List<String> words) {
    return words.subList(0, words.size() - 1);
  }

  /**
   * The words in lower case, without suffixes that only number the secret: {@code TOKEN_2}, {@code
   * KEY_ID}.
   */
  private static List<String> meant(List<String> words) {
    List<String> meant =
        words.stream()
            .map(w -> w.toLowerCase(Locale.ROOT).replaceAll("[0-9]+$", ""))
            .filter(w -> !w.isEmpty())
            .toList();
    boolean isNumbered =
        meant.size() > 1 && (meant.getLast().equals("id") || meant.getLast().equals("url"));
    return isNumbered && isKeyOrWebhook(meant) ? meant.subList(0, meant.size() - 1) : meant;
  }

  private static boolean isKeyOrWebhook(List<String> words) {
    String held = words.get(words.size() - 2);
    return words.getLast().equals("url")
        ? held.endsWith("webhook")
        : held.equals("key") || held.equals("token");
  }

  private static boolean isSecret(List<String> words, boolean isVariable) {
    if (words.isEmpty()) {
      return false;
    }
    String last = words.getLast();
    String before = words.size() > 1 ? words.get(words.size() - 2) : "";
    return switch (last) {
      case "token" -> !OF_VOCABULARIES.contains(before);
      case "tokens" -> BEFORE_TOKENS.contains(before);
      case "string" -> before.equals("connection");
      case "key" ->
          before.isEmpty() || BEFORE_KEY.contains(before) || isOfAPerson(words, isVariable);
      case "pass", "pwd", "pat" -> BEFORE_PASS.contains(before) || isOfAPerson(words, isVariable);
      case "auth" -> isOfAPerson(words, isVariable);
      default -> CERTAIN.matcher(last).matches();
    };
  }

  private static boolean isOfAPerson(List<String> words, boolean isVariable) {
    return isVariable && !COMPILERS.contains(words.getFirst());
  }
}
