package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.files.Masking;
import io.nightsweep.files.SecretNames;
import io.nightsweep.files.Unseen;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Judgement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Removes secrets from texts of other authors, such as log lines: known secrets, and text that has
 * the form of a secret.
 */
public final class Redaction {
  public static final String MASK = Masking.MASK;

  /** A shorter value may be an ordinary word, and every occurrence would be masked. */
  private static final int LEAST_LENGTH = 8;

  /** The form of an event's field names; other keys are texts of maps. */
  private static final Pattern FIELD = Pattern.compile("[a-z][A-Za-z]{0,39}");

  private static final Pattern LINE_END = Pattern.compile("\\r?\\n");

  /** Only this much of a text is masked; the rest of a longer text is not shown. */
  private static final int MOST_MASKED = 65_536;

  /** Longer than any message of Nightsweep, but too short to fill a journal or a chat. */
  private static final int MOST_CHARACTERS = 16_384;

  /** The unencoded secrets, from which a copy with one more secret is made. */
  private final List<String> plain;

  /** The secrets in every form in which a text may contain them, the longest first. */
  private final List<String> known;

  private Redaction(Collection<String> known) {
    plain = List.copyOf(known);
    this.known =
        known.stream()
            .flatMap(value -> Stream.concat(Stream.of(value, value.strip()), lines(value)))
            .filter(value -> value.strip().length() >= LEAST_LENGTH)
            .flatMap(value -> Stream.concat(Stream.of(value), Encoded.all(value).stream()))
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  /**
   * The lines of a secret, since a log may be quoted line by line; lines that any text may contain
   * are left out.
   */
  private static Stream<String> lines(String value) {
    return value.strip().lines().filter(Masking::isTellingAlone);
  }

  /** A redaction without known secrets; it recognises secrets only by their form. */
  public static Redaction byForm() {
    return new Redaction(List.of());
  }

  /** A redaction that knows the values of all variables with names that indicate a secret. */
  public static Redaction of(Map<String, String> environment) {
    return new Redaction(
        environment.entrySet().stream()
            .filter(e -> SecretNames.isSecret(e.getKey()))
            .map(Map.Entry::getValue)
            .toList());
  }

  /** The position of the first known secret in the text, in any form. */
  public OptionalInt firstKnown(String text) {
    return known.stream().mapToInt(text::indexOf).filter(at -> at >= 0).min();
  }

  public Redaction knowing(String secret) {
    return new Redaction(Stream.concat(plain.stream(), Stream.of(secret)).toList());
  }

  public String of(String text) {
    String masked = withoutKnown(text);
    String bare = Unseen.removed(masked);
    String again = withoutKnown(bare);
    return Masking.of(again.equals(bare) ? masked : again);
  }

  private String withoutKnown(String text) {
    String masked = text;
    for (String secret : known) {
      masked = masked.replace(secret, MASK);
    }
    return masked.indexOf('\n') < 0 ? masked : withoutWrapped(masked);
  }

  /**
   * Masks secrets that are split by a line end, for example where a terminal or a mail wrapped
   * them.
   */
  private String withoutWrapped(String text) {
    String joined = LINE_END.matcher(text).replaceAll("");
    String masked = text;
    for (String secret : known) {
      if (joined.contains(secret)) {
        masked =
            Pattern.compile(
                    secret
                        .codePoints()
                        .mapToObj(c -> Pattern.quote(Character.toString(c)))
                        .collect(Collectors.joining("(?:\\r?\\n)?+")))
                .matcher(masked)
                .replaceAll(MASK);
      }
    }
    return masked;
  }

  /**
   * The event in a form that may be kept and shown: secrets are masked, terminal control characters
   * are replaced, and texts are cut after {@value #MOST_CHARACTERS} characters. Everything that a
   * job, a log or a server wrote passes through here.
   */
  public Event of(Event event) {
    return switch (event) {
      // The values come from people's files, which are refused if they contain a secret, and are
      // executed unchanged.
      case Event.SweepStarted e -> e;
      // The event contains only numbers, and there are many such events.
      case Event.AttemptProgressed e -> e;
      case Event.AttemptShown e -> e;
      case Event.AttemptJudged e -> e.judgement() instanceof Judgement.Measured ? e : rewritten(e);
      case Event.InventoryTaken e ->
          rewritten(
              new Event.InventoryTaken(
                  e.facts().stream().map(fact -> isSecret(fact) ? masked(fact) : fact).toList()));
      default -> rewritten(event);
    };
  }

  /** The tree with every text in a form that may be shown; see {@link #of(Event)}. */
  public JsonNode of(JsonNode tree) {
    return masked(tree);
  }

  private static boolean isSecret(Fact fact) {
    String[] words = fact.name().split("[^\\w.-]+");
    return words.length > 0 && SecretNames.isSecret(words[words.length - 1]);
  }

  private static Fact masked(Fact fact) {
    return new Fact(fact.name(), MASK, fact.headline());
  }

  private Event rewritten(Event event) {
    JsonNode tree = Json.mapper().valueToTree(event);
    JsonNode masked = masked(tree);
    if (masked.equals(tree)) {
      return event;
    }
    try {
      return Json.mapper().treeToValue(masked, Event.class);
    } catch (IOException e) {
      throw new UncheckedIOException("an event does not read back as it was written", e);
    }
  }

  /**
   * A foreign text in a form that may be kept and printed: without secrets, harmless and bounded.
   */
  public String shown(String text) {
    String masked =
        Unseen.marked(of(text.length() > MOST_MASKED ? text.substring(0, MOST_MASKED) : text));
    return masked.length() <= MOST_CHARACTERS
        ? masked
        : masked.substring(0, MOST_CHARACTERS)
            + " ... ("
            + (masked.length() - MOST_CHARACTERS)
            + " characters are left out)";
  }

  private JsonNode masked(JsonNode tree) {
    return JsonTexts.rewritten(
        tree,
        name -> FIELD.matcher(name).matches() ? name : shown(name),
        (field, text) -> shown(text));
  }
}
