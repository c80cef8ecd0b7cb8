package io.nightsweep.chat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The bot and its chats, which give commands and get messages.
 *
 * @param token of the bot, from @BotFather
 * @param chats at least one; private chats have positive ids, groups negative ones
 * @param source where they were found, for people
 */
public record Credentials(Secret token, Set<Long> chats, String source) {
  public static final String TOKEN = "TG_BOT_TOKEN";
  public static final String CHATS = "TG_CHAT_ID";

  /**
   * The variable for the profile in the configuration file; the default is the one before the first
   * header.
   */
  public static final String PROFILE = "TG_PROFILE";

  /** The variable for the configuration file, instead of {@code ~/.tg_config}. */
  public static final String FILE = "TG_CONFIG";

  public Credentials {
    chats = Set.copyOf(chats);
  }

  /** There are credentials but they are unusable; the message says why and never quotes them. */
  public static final class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableException(String message) {
      super(message);
    }
  }

  /**
   * The credentials from the environment, else from the configuration file; token and chats may
   * come from different ones. Empty where there are none.
   *
   * @throws UnusableException where a file is readable by others, malformed or incomplete
   */
  public static Optional<Credentials> find(Map<String, String> env, Path home)
      throws UnusableException {
    Optional<String> token = variable(env, TOKEN);
    Optional<String> chats = variable(env, CHATS);
    if (token.isPresent() && chats.isPresent()) {
      return Optional.of(
          new Credentials(token(token.get(), TOKEN), chats(chats.get(), CHATS), "the environment"));
    }
    Optional<String> named = variable(env, FILE);
    Path file = named.map(Path::of).orElse(home.resolve(".tg_config"));
    if (Files.notExists(file)) {
      if (named.isPresent()) {
        throw new UnusableException(FILE + " names " + file + ", which does not exist");
      }
      if (token.isPresent() || chats.isPresent()) {
        throw new UnusableException(
            (token.isPresent() ? TOKEN : CHATS)
                + " is set and "
                + (token.isPresent() ? CHATS : TOKEN)
                + " is not");
      }
      return Optional.empty();
    }
    return Optional.of(fromFile(file, token, chats, variable(env, PROFILE)));
  }

  private static Credentials fromFile(
      Path file, Optional<String> token, Optional<String> chats, Optional<String> profile)
      throws UnusableException {
    ConfigFile config;
    try {
      config = ConfigFile.read(file);
    } catch (IOException e) {
      throw new UnusableException(file + " cannot be read: " + e.getMessage());
    }
    Map<String, String> values = config.profile(profile);
    String where = file + profile.map(p -> " [" + p + "]").orElse("");
    return new Credentials(
        token(required(token, values, ConfigFile.BOT_TOKEN, where), where),
        chats(required(chats, values, ConfigFile.CHAT_ID, where), where),
        where);
  }

  private static String required(
      Optional<String> fromEnvironment, Map<String, String> values, String key, String where)
      throws UnusableException {
    Optional<String> value =
        fromEnvironment.or(() -> Optional.ofNullable(values.get(key)).filter(v -> !v.isEmpty()));
    return value.orElseThrow(() -> new UnusableException(where + " has no line '" + key + " ...'"));
  }

  private static Secret token(String text, String where) throws UnusableException {
    if (!text.matches("\\d+:[A-Za-z0-9_-]+")) {
      throw new UnusableException(
          "the bot token of " + where + " has not the form 'digits:letters' that @BotFather gives");
    }
    return new Secret(text);
  }

  private static Set<Long> chats(String text, String where) throws UnusableException {
    Set<Long> chats = new LinkedHashSet<>();
    List<String> bad = new ArrayList<>();
    for (String part : text.split("[,\\s]+", -1)) {
      try {
        chats.add(Long.parseLong(part));
      } catch (NumberFormatException e) {
        bad.add(part);
      }
    }
    if (!bad.isEmpty()) {
      throw new UnusableException("the chats of " + where + " must be numbers separated by commas");
    }
    return chats;
  }

  private static Optional<String> variable(Map<String, String> env, String name) {
    return Optional.ofNullable(env.get(name)).map(String::strip).filter(v -> !v.isEmpty());
  }
}
