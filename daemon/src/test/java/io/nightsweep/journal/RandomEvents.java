package io.nightsweep.journal;

import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Statement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Makes a random value of any event type from its record components, so that none can be forgotten.
 */
public final class RandomEvents {
  private static final String[] TEXTS = {
    "", "a", "n[1-4]", "line\nbreak", "\"quoted\" \\ back", "\u0000\u001f\u007f", "夜间", "🌙", "null"
  };
  private static final double[] DOUBLES = {
    0, -0.0, 1.5, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE, Math.PI, -1e300
  };

  private final Random random;
  private final String[] texts;

  public RandomEvents(long seed) {
    this(seed, TEXTS);
  }

  /** Events with each text chosen from these. */
  RandomEvents(long seed, String... texts) {
    random = new Random(seed);
    this.texts = texts.clone();
  }

  public static List<Class<?>> types() {
    return List.of(Event.class.getPermittedSubclasses());
  }

  public Event of(Class<?> type) {
    return (Event) value(type);
  }

  Event any() {
    return of(types().get(random.nextInt(types().size())));
  }

  private Object value(Type type) {
    if (type instanceof ParameterizedType generic) {
      return container((Class<?>) generic.getRawType(), generic.getActualTypeArguments());
    }
    Class<?> raw = (Class<?>) type;
    if (raw == Statement.class) {
      return statement();
    }
    if (raw.isSealed()) {
      Class<?>[] leaves = raw.getPermittedSubclasses();
      return value(leaves[random.nextInt(leaves.length)]);
    }
    if (raw.isEnum()) {
      Object[] constants = raw.getEnumConstants();
      return constants[random.nextInt(constants.length)];
    }
    return raw.isRecord() ? record(raw) : scalar(raw);
  }

  /** One statement of each kind; a phrase is one from the catalogues. */
  private Statement statement() {
    Statement words = Statement.words(texts[random.nextInt(texts.length)]);
    return switch (random.nextInt(3)) {
      case 0 -> words;
      case 1 -> Statement.phrase("ended-as", words, random.nextInt(9));
      default -> Statement.row(", ", words, Statement.phrase("simulated"));
    };
  }

  private Object scalar(Class<?> raw) {
    return switch (raw.getName()) {
      case "int", "java.lang.Integer" -> 1 + random.nextInt(9999);
      case "long", "java.lang.Long" -> random.nextLong();
      case "boolean", "java.lang.Boolean" -> random.nextBoolean();
      case "double", "java.lang.Double" -> DOUBLES[random.nextInt(DOUBLES.length)];
      case "java.lang.String" -> texts[random.nextInt(texts.length)];
      case "java.time.Instant" ->
          Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
      case "java.time.Duration" -> Duration.ofMillis(random.nextInt());
      case "java.util.OptionalDouble" ->
          random.nextBoolean()
              ? OptionalDouble.empty()
              : OptionalDouble.of(DOUBLES[random.nextInt(DOUBLES.length)]);
      default -> throw new AssertionError("no generator for " + raw);
    };
  }

  private Object container(Class<?> raw, Type[] arguments) {
    if (raw == Optional.class) {
      return random.nextBoolean() ? Optional.empty() : Optional.of(value(arguments[0]));
    }
    int size = 1 + random.nextInt(3);
    if (raw == List.class) {
      List<Object> list = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        list.add(value(arguments[0]));
      }
      return List.copyOf(list);
    }
    if (raw == SortedMap.class || raw == Map.class) {
      TreeMap<Object, Object> map = new TreeMap<>();
      for (int i = 0; i < size; i++) {
        map.put(value(arguments[0]), value(arguments[1]));
      }
      return map;
    }
    throw new AssertionError("no generator for " + raw);
  }

  private Object record(Class<?> raw) {
    RecordComponent[] components = raw.getRecordComponents();
    try {
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      Object[] values = Arrays.stream(components).map(c -> value(c.getGenericType())).toArray();
      return raw.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(raw.toString(), e);
    }
  }
}
