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

/** A secret as addresses, JSON, shells and headers write it. */
final class Encoded {
  private static final Pattern PERCENT = Pattern.compile("%[0-9A-F]{2}");
  private static final Pattern SPECIAL_IN_SHELLS = Pattern.compile("[^A-Za-z0-9_@%+=:,./-]");
  private static final int BITS_OF_A_BYTE = 8;
  private static final int BITS_OF_A_DIGIT = 6;
  private static final int BYTES_OF_A_GROUP = 3;

  private Encoded() {}

  /** Every form but the plain one; some are the same. */
  static List<String> all(String secret) {
    List<String> all = new ArrayList<>();
    String address = URLEncoder.encode(secret, StandardCharsets.UTF_8);
    for (String one : List.of(address, address.replace("+", "%20"))) {
      all.add(one);
      all.add(PERCENT.matcher(one).replaceAll(m -> m.group().toLowerCase(Locale.ROOT)));
    }
    String json = new String(JsonStringEncoder.getInstance().quoteAsString(secret));
    all.add(json);
    all.add(json.replace("/", "\\/"));
    all.add(
        SPECIAL_IN_SHELLS
            .matcher(secret)
            .replaceAll(m -> Matcher.quoteReplacement("\\" + m.group())));
    all.add(secret.replace("'", "'\\''"));
    all.add(secret.replace("'", "'\"'\"'"));
    for (int before = 0; before < BYTES_OF_A_GROUP; before++) {
      String digits = base64(secret.getBytes(StandardCharsets.UTF_8), before);
      all.add(digits);
      all.add(digits.replace('+', '-').replace('/', '_'));
    }
    return all;
  }

  /** The digits that hang on the secret alone where so many bytes of a group stand before it. */
  private static String base64(byte[] secret, int before) {
    byte[] shifted = new byte[before + secret.length];
    System.arraycopy(secret, 0, shifted, before, secret.length);
    String digits = Base64.getEncoder().withoutPadding().encodeToString(shifted);
    return digits.substring(
        Math.ceilDiv(BITS_OF_A_BYTE * before, BITS_OF_A_DIGIT),
        BITS_OF_A_BYTE * shifted.length / BITS_OF_A_DIGIT);
  }
}
