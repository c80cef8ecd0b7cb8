package io.nightsweep.journal;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.Module.SetupContext;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.TrialId;
import java.io.IOException;
import java.util.function.Function;

/**
 * The one JSON mapping of the model: records by their components, sealed interfaces by {@code
 * "type"}, times in ISO 8601, NaN and infinities as strings. Unknown and missing properties are
 * errors.
 */
public final class Json {
  private static final JsonMapper MAPPER = build();

  private Json() {}

  public static JsonMapper mapper() {
    return MAPPER;
  }

  private static JsonMapper build() {
    return JsonMapper.builder()
        .addModule(new Jdk8Module())
        .addModule(new JavaTimeModule())
        .addModule(new ModelModule())
        .visibility(PropertyAccessor.GETTER, Visibility.NONE)
        .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
        .visibility(PropertyAccessor.FIELD, Visibility.ANY)
        .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
        .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
        .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .build();
  }

  private static final class ModelModule extends SimpleModule {
    private static final long serialVersionUID = 1L;

    ModelModule() {
      super("nightsweep-model");
      asString(TrialId.class, TrialId::parse);
      asString(AttemptId.class, AttemptId::parse);
      asString(JobId.class, JobId::new);
    }

    @Override
    public void setupModule(SetupContext context) {
      super.setupModule(context);
      context.insertAnnotationIntrospector(new SealedTypes());
    }

    private <T> void asString(Class<T> type, Function<String, T> parse) {
      addSerializer(type, ToStringSerializer.instance);
      addDeserializer(type, new FromString<>(type, parse));
    }
  }

  private static final class FromString<T> extends StdScalarDeserializer<T> {
    private static final long serialVersionUID = 1L;
    private final transient Function<String, T> parse;

    FromString(Class<T> type, Function<String, T> parse) {
      super(type);
      this.parse = parse;
    }

    @Override
    @SuppressWarnings("unchecked")
    public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
      if (!parser.hasToken(JsonToken.VALUE_STRING)) {
        return (T) context.handleUnexpectedToken(handledType(), parser);
      }
      String text = parser.getText();
      try {
        return parse.apply(text);
      } catch (RuntimeException e) {
        return (T) context.handleWeirdStringValue(handledType(), text, "not an id");
      }
    }
  }
}
