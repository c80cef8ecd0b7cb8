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
 * Takes secrets out of texts that others wrote, such as lines of a log: those that are known, and
 * what has the form of one.
 */
public final class Redaction {
  public static final String MASK = Masking.MASK;

  /** A shorter value may be an ordinary word, which would then be masked everywhere. */
  private static final int LEAST_LENGTH = 8;

  /** What a field of an event may be called; other keys are texts of maps. */
  private static final Pattern FIELD = Pattern.compile("[a-z][A-Za-z]{0,39}");

  private static final Pattern LINE_END = Pattern.compile("\\r?\\n");

  /** How much of a text is masked; the rest of a longer one is not shown either. */
  private static final int MOST_MASKED = 65_536;

  /** Longer than any message of Nightsweep, shorter than what fills a journal or a chat. */
  private static final int MOST_CHARACTERS = 16_384;

  /** The secrets as they are, from which a copy that knows one more is made. */
  private final List<String> plain;

  /** The secrets in every form that a text may hold them in, the longest first. */
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
   * A secret's lines, since a log may be quoted line by line; lines that anything may have are left
   * out.
   */
  private static Stream<String> lines(String value) {
    return value.strip().lines().filter(Masking::isTellingAlone);
  }

  /** Knows no secret; it masks by their forms alone. */
  public static Redaction byForm() {
    return new Redaction(List.of());
  }

  /** Knows the values of all variables whose names say that they hold a secret. */
  public static Redaction of(Map<String, String> environment) {
    return new Redaction(
        environment.entrySet().stream()
            .filter(e -> SecretNames.isSecret(e.getKey()))
            .map(Map.Entry::getValue)
            .toList());
  }

  /** Where the first secret of those that are known stands in the text, in whatever form. */
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

  /** Masks secrets that a line's end splits, as where a terminal or a mail wrapped them. */
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
   * The event as it may be kept and shown: secrets are masked, control characters of terminals are
   * replaced, and a text is cut after {@value #MOST_CHARACTERS} characters. Whatever a job, a log
   * or a server wrote passes here.
   */
  public Event of(Event event) {
    return switch (event) {
      // Read from the files of people, which are refused where they hold a secret; its values are
      // run as they stand.
      case Event.SweepStarted e -> e;
      // Numbers alone, many of them.
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

  /** Every text of the tree as it may be shown; see {@link #of(Event)}. */
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

  /** A text of others as it may be kept and printed: without secrets, harmless and bounded. */
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
