package io.nightsweep.journal;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Produces the forms of a secret in URLs, JSON, YAML, HTML, shells and headers. */
final class Encoded {
  private static final Pattern PERCENT = Pattern.compile("%[0-9A-F]{2}");
  private static final Pattern KEPT_IN_ADDRESSES = Pattern.compile("%(?:2[1789]|7E)");
  private static final Pattern SPECIAL_IN_HTML = Pattern.compile("[<>&]");
  private static final Pattern SPECIAL_IN_GSON = Pattern.compile("[<>&=']");
  private static final Pattern BEYOND_ASCII = Pattern.compile("[^\\x00-\\x7f]");
  private static final Pattern SPECIAL_IN_QUOTES = Pattern.compile("[\\\\\"$`]");
  private static final Pattern SPECIAL_IN_SHELLS = Pattern.compile("[^A-Za-z0-9_@%+=:,./-]");
  private static final Pattern SPECIAL_AND_ASCII =
      Pattern.compile("[\\x00-\\x7f&&[^A-Za-z0-9_@%+=:,./-]]");
  private static final int BITS_OF_A_BYTE = 8;
  private static final int BITS_OF_A_DIGIT = 6;
  private static final int BYTES_OF_A_GROUP = 3;

  private Encoded() {}

  /** All forms except the plain one; some may be equal. */
  static List<String> all(String secret) {
    List<String> all = new ArrayList<>();
    String address = URLEncoder.encode(secret, StandardCharsets.UTF_8);
    String spaced = address.replace("+", "%20");
    // Python keeps the tilde, and often the slash; JavaScript keeps !'()*~.
    String python = spaced.replace("%7E", "~").replace("*", "%2A");
    String javaScript =
        KEPT_IN_ADDRESSES
            .matcher(spaced)
            .replaceAll(m -> Character.toString(Integer.parseInt(m.group().substring(1), 16)));
    for (String one : List.of(address, spaced, python, python.replace("%2F", "/"), javaScript)) {
      all.add(one);
      all.add(PERCENT.matcher(one).replaceAll(m -> m.group().toLowerCase(Locale.ROOT)));
    }
    String json = json(secret);
    String ascii = escaped(BEYOND_ASCII, json);
    for (String one :
        List.of(
            json,
            json.replace("/", "\\/"),
            ascii,
            escaped(SPECIAL_IN_HTML, json),
            escaped(SPECIAL_IN_HTML, ascii),
            escaped(SPECIAL_IN_GSON, json))) {
      all.add(one);
      // JSON within JSON
      all.add(json(one));
    }
    String html = secret.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    all.add(html);
    for (String apostrophe : List.of("&#39;", "&#x27;", "&apos;")) {
      for (String quote : List.of("&quot;", "&#34;")) {
        all.add(html.replace("'", apostrophe).replace("\"", quote));
      }
    }
    for (Pattern special : List.of(SPECIAL_IN_SHELLS, SPECIAL_AND_ASCII, SPECIAL_IN_QUOTES)) {
      all.add(special.matcher(secret).replaceAll(m -> Matcher.quoteReplacement("\\" + m.group())));
    }
    // Bash's $'...'
    all.add(
        secret.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t"));
    // YAML
    all.add(secret.replace("'", "''"));
    all.add(secret.replace("'", "'\\''"));
    all.add(secret.replace("'", "'\"'\"'"));
    for (int before = 0; before < BYTES_OF_A_GROUP; before++) {
      String digits = base64(secret.getBytes(StandardCharsets.UTF_8), before);
      all.add(digits);
      all.add(digits.replace('+', '-').replace('/', '_'));
    }
    return all;
  }

  private static String json(String text) {
    return new String(JsonStringEncoder.getInstance().quoteAsString(text));
  }

  /** Replaces each matching character of the JSON text by its numeric escape. */
  private static String escaped(Pattern characters, String json) {
    return characters
        .matcher(json)
        .replaceAll(
            m ->
                m.group()
                    .chars()
                    .mapToObj(c -> "\\\\u%04x".formatted(c))
                    .collect(Collectors.joining()));
  }

  /** The base64 digits that depend only on the secret if it follows this many bytes in a group. */
  private static String base64(byte[] secret, int before) {
    byte[] shifted = new byte[before + secret.length];
    System.arraycopy(secret, 0, shifted, before, secret.length);
    String digits = Base64.getEncoder().withoutPadding().encodeToString(shifted);
    return digits.substring(
        Math.ceilDiv(BITS_OF_A_BYTE * before, BITS_OF_A_DIGIT),
        BITS_OF_A_BYTE * shifted.length / BITS_OF_A_DIGIT);
  }
}
