package io.nightsweep.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The files that the browser loads. They are packed in the jar; nothing is fetched from elsewhere.
 */
final class Assets {
  private static final String FOLDER = "/page/";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  record Asset(String type, String text) {}

  private Assets() {}

  /**
   * Finds an asset by its plain name; empty where there is none. A name with a path in it never
   * matches.
   */
  static Optional<Asset> find(String name) throws IOException {
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null || !name.matches("[A-Za-z]+(\\.[a-z]+)++")) {
      return Optional.empty();
    }
    try (InputStream in = Assets.class.getResourceAsStream(FOLDER + name)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new Asset(type, new String(in.readAllBytes(), StandardCharsets.UTF_8)));
    }
  }
}
