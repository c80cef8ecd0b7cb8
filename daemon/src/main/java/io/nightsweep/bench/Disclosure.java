package io.nightsweep.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.files.SecretNames;
import io.nightsweep.journal.JsonTexts;
import io.nightsweep.journal.Redaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Keeps private values out of a bundle. It looks at values, not at their names. Secrets are always
 * hidden; if hosts are replaced by hashes, so are host names, addresses and home folders. Known
 * places are masked; before publication every text is searched once more.
 */
final class Disclosure {
  private static final String HIDDEN = "[hidden]";

  /** File extensions: {@code avx512.cpp} is a file, not a host. */
  private static final String FILES =
      "(?:so|o|a|c|cc|cpp|cu|h|hh|hip|hpp|java|py|sh|bash|json|ndjson|jsonl|yaml|yml|toml|ini|cfg"
          + "|conf|xml|html|css|js|csv|tsv|txt|md|log|out|err|svg|png|pdf|gz|xz|zst|zip|tar|whl|jar"
          + "|bin|exit|rows|part|tmp)";

  /** Common private domains of clusters. */
  private static final String INSIDE =
      "(?:cluster|corp|hpc|internal|intranet|lan|local|localdomain)";

  private static final Pattern PLACES =
      Pattern.compile(
          "(?<![A-Za-z0-9])\\d{1,3}(?:\\.\\d{1,3}){3}(?![A-Za-z0-9])" // IPv4
              + "|(?<![A-Za-z0-9:])(?:[0-9A-Fa-f]{1,4}:){3,7}(?::?[0-9A-Fa-f]{1,4})\\b" // IPv6
              // IPv6 with zeros left out, such as fe80::1
              + "|(?<![\\w:])(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,6})?::"
              + "[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){0,6}(?![\\w:])"
              + "|/(?:home|Users)/[^\\s\"',;:/]+|/root\\b" // home folders
              // host names: three or more parts; or two parts, if one has a digit and the other is
              // not a file extension, or if the second is a cluster's domain; or one part with a
              // digit, before a port
              + "|(?<![A-Za-z0-9-])[A-Za-z][A-Za-z0-9-]*(?:\\.[A-Za-z0-9-]+){1,126}\\.[A-Za-z]{2,}\\b"
              + "|(?<![A-Za-z0-9.-])[A-Za-z](?=[A-Za-z-]*[0-9])[A-Za-z0-9-]*\\.(?!"
              + FILES
              + "(?![\\w-]))[A-Za-z][A-Za-z0-9-]+(?![\\w-])"
              + "|(?<![A-Za-z0-9.-])[A-Za-z][A-Za-z0-9-]*\\."
              + INSIDE
              + "(?![\\w-])"
              + "|(?<![\\w.-])[A-Za-z](?=[A-Za-z-]*[0-9])[A-Za-z0-9-]*(?=:[0-9]{2,5}(?![\\w.:]))");

  /**
   * The first label of a host name, which is hidden on its own too. It must have a digit: without
   * one it may be an ordinary word.
   */
  private static final Pattern FIRST_LABEL = Pattern.compile("(?=[^.]*[A-Za-z])[^.]*\\d[^.]*");

  /** The name of a format that looks like a host name. */
  private static final String SVG = "http://www.w3.org/2000/svg";

  private final Redaction secrets;
  private final Optional<Pattern> places;

  private Disclosure(Redaction secrets, Optional<Pattern> places) {
    this.secrets = secrets;
    this.places = places;
  }

  /**
   * @param environment source of the secrets to hide
   * @param hosts names to hide; present where hosts are replaced by hashes
   */
  static Disclosure of(Map<String, String> environment, Optional<List<String>> hosts) {
    return new Disclosure(
        Redaction.of(environment),
        hosts.map(
            names ->
                Pattern.compile(
                    Stream.concat(
                            Stream.of(PLACES.pattern()),
                            names.stream()
                                .filter(name -> !name.isBlank())
                                .flatMap(n -> Stream.concat(Stream.of(n), firstLabel(n)))
                                .distinct()
                                .map(n -> "(?<![\\w.-])" + Pattern.quote(n) + "(?![\\w-])"))
                        .collect(Collectors.joining("|")))));
  }

  /** The same value with private parts masked. */
  <T> T masked(T value, Class<T> type) throws IOException {
    return BenchJson.MAPPER.treeToValue(masked(BenchJson.MAPPER.valueToTree(value)), type);
  }

  /**
   * @param content bytes by path; pictures are not searched, since they are drawn from the rest
   * @throws IOException where a text still contains a private value; it names the file but not the
   *     value
   */
  void hold(SequencedMap<String, byte[]> content) throws IOException {
    List<String> found = new ArrayList<>();
    for (Map.Entry<String, byte[]> file : content.entrySet()) {
      if (!file.getKey().endsWith(".png")) {
        int line = 0;
        for (String text : new String(file.getValue(), StandardCharsets.UTF_8).lines().toList()) {
          line++;
          if (tells(file.getKey(), text)) {
            found.add(file.getKey() + ":" + line);
          }
        }
      }
    }
    if (!found.isEmpty()) {
      throw new IOException(
          "nothing is published: a secret, or a name of a host, an address or a home folder where"
              + " these are hidden, stands in "
              + String.join(", ", found)
              + "; its rows stay in the work folder");
    }
  }

  private boolean tells(String path, String text) throws IOException {
    // In JSON, the name before a colon is a field name and not that of a secret.
    if (path.endsWith(".ndjson") || path.endsWith(".json")) {
      JsonNode tree = BenchJson.MAPPER.readTree(text);
      return !masked(tree).equals(tree) || names(tree).anyMatch(this::isTelling);
    }
    return !masked(text.replace(SVG, "")).equals(text.replace(SVG, ""));
  }

  private static Stream<String> firstLabel(String host) {
    Matcher label = FIRST_LABEL.matcher(host);
    return label.lookingAt() ? Stream.of(label.group()) : Stream.empty();
  }

  /** The names of all fields, at any depth. */
  private static Stream<String> names(JsonNode tree) {
    return Stream.concat(
        tree.properties().stream().map(Map.Entry::getKey),
        StreamSupport.stream(tree.spliterator(), false).flatMap(Disclosure::names));
  }

  /**
   * Field names are not searched for the run's hosts, since a host may have the same name as a
   * field.
   */
  private boolean isTelling(String name) {
    return !secrets.of(name).equals(name) || (places.isPresent() && PLACES.matcher(name).find());
  }

  private String masked(String text) {
    String safe = secrets.of(text);
    return places.isPresent() ? places.get().matcher(safe).replaceAll(HIDDEN) : safe;
  }

  private JsonNode masked(JsonNode tree) {
    return JsonTexts.rewritten(
        tree,
        name -> name,
        (field, text) -> SecretNames.isSecret(field) ? Redaction.MASK : masked(text));
  }
}
