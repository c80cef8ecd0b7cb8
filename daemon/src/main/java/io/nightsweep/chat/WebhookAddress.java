package io.nightsweep.chat;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where notices are posted. The address is a secret, since everyone who knows it can post there.
 *
 * @param url from the environment alone
 */
public record WebhookAddress(Service service, Secret url) {
  /** A service's format, and the variable with its address. */
  public enum Service {
    SLACK("Slack", "NIGHTSWEEP_SLACK_URL"),
    TEAMS("Teams", "NIGHTSWEEP_TEAMS_URL"),
    NTFY("ntfy", "NIGHTSWEEP_NTFY_URL"),
    PLAIN("webhook", "NIGHTSWEEP_WEBHOOK_URL");

    private final String label;
    private final String variable;

    Service(String label, String variable) {
      this.label = label;
      this.variable = variable;
    }

    public String label() {
      return label;
    }

    public String variable() {
      return variable;
    }
  }

  /**
   * The addresses in the environment, in the order of {@link Service}.
   *
   * @throws Credentials.UnusableException where one is not an HTTP address; never quotes it
   */
  public static List<WebhookAddress> find(Map<String, String> environment)
      throws Credentials.UnusableException {
    List<WebhookAddress> found = new ArrayList<>();
    for (Service service : Service.values()) {
      String url = environment.getOrDefault(service.variable(), "").strip();
      if (url.isEmpty()) {
        continue;
      }
      if (!isHttp(url)) {
        throw new Credentials.UnusableException(
            service.variable() + " must be an address such as https://host/path");
      }
      found.add(new WebhookAddress(service, new Secret(url)));
    }
    return List.copyOf(found);
  }

  private static boolean isHttp(String url) {
    try {
      URI uri = URI.create(url);
      return uri.getHost() != null
          && ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
