package io.nightsweep.evidence;

import io.nightsweep.report.Phrases;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Objects;

/** Files below {@code evidence/}: real ones by {@code sample.py}, and one in a GPU's grammar. */
public final class Samples {
  private Samples() {}

  public static Path file(String name) {
    URL url = Objects.requireNonNull(Samples.class.getResource("/evidence/" + name), name);
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  public static <T> T whole(Outcome<T> outcome) {
    return switch (outcome) {
      case Outcome.Whole<T> w -> w.value();
      case Outcome.Unreadable<T> u -> throw new AssertionError(message(u));
    };
  }

  public static String unreadable(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Whole<?> w -> throw new AssertionError("it was read: " + w.value());
      case Outcome.Unreadable<?> u -> message(u);
    };
  }

  private static String message(Outcome.Unreadable<?> u) {
    return u.file()
        + ": "
        + Phrases.EN.text(u.found())
        + "; expected "
        + Phrases.EN.text(u.expected());
  }
}
