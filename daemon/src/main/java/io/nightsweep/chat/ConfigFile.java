package io.nightsweep.chat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code ~/.tg_config}: lines such as {@code BotToken 123:abc}. Lines before the first {@code
 * [name]} apply to all profiles; a named profile adds to them and overrides them.
 */
final class ConfigFile {
  static final String BOT_TOKEN = "BotToken";
  static final String CHAT_ID = "ChatID";
  private static final List<String> KEYS = List.of(BOT_TOKEN, CHAT_ID);

  private static final Pattern HEADER = Pattern.compile("\\[\\s*([^\\]]+?)\\s*\\]");
  private static final Pattern LINE = Pattern.compile("(\\w+)\\s*[\\s:=]\\s*(.*)");
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private final Path file;
  private final Map<String, Map<String, String>> profiles;

  private ConfigFile(Path file, Map<String, Map<String, String>> profiles) {
    this.file = file;
    this.profiles = profiles;
  }

  static ConfigFile read(Path file) throws IOException, Credentials.UnusableException {
    if (Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
      throw new Credentials.UnusableException(
          file + " holds a secret and others have access to it; do: chmod 600 " + file);
    }
    Map<String, Map<String, String>> profiles = new LinkedHashMap<>();
    Map<String, String> current = profiles.computeIfAbsent("", name -> new LinkedHashMap<>());
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      Matcher header = HEADER.matcher(line);
      if (header.matches()) {
        current = profiles.computeIfAbsent(header.group(1), name -> new LinkedHashMap<>());
        continue;
      }
      Matcher pair = LINE.matcher(line);
      String key =
          pair.matches()
              ? KEYS.stream().filter(k -> k.equalsIgnoreCase(pair.group(1))).findFirst().orElse("")
              : "";
      if (key.isEmpty()) {
        // The message does not quote the line, which may contain the token.
        throw new Credentials.UnusableException(
            "%s:%d:1: expected '%s ...', '%s ...' or '[name]'"
                .formatted(file, i + 1, BOT_TOKEN, CHAT_ID));
      }
      current.put(key, pair.group(2).strip());
    }
    return new ConfigFile(file, profiles);
  }

  /** The values of the named profile, over those for all profiles. */
  Map<String, String> profile(Optional<String> name) throws Credentials.UnusableException {
    Map<String, String> values = new LinkedHashMap<>(profiles.getOrDefault("", Map.of()));
    if (name.isPresent()) {
      Map<String, String> own = profiles.get(name.get());
      if (own == null) {
        throw new Credentials.UnusableException(
            "%s has no profile [%s]; it has %s"
                .formatted(
                    file,
                    name.get(),
                    profiles.keySet().stream().filter(p -> !p.isEmpty()).toList()));
      }
      values.putAll(own);
    }
    return values;
  }
}
