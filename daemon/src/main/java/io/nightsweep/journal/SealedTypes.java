package io.nightsweep.journal;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Configures Jackson for the sealed interfaces of the model, which does not depend on Jackson: a
 * value carries its record's simple name as {@code "type"}, and only permitted records are read.
 */
final class SealedTypes extends NopAnnotationIntrospector {
  private static final long serialVersionUID = 1L;
  private static final JsonTypeInfo.Value BY_SIMPLE_NAME =
      JsonTypeInfo.Value.construct(
          JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, "type", null, false, true, null);

  @Override
  public Version version() {
    return Version.unknownVersion();
  }

  @Override
  public @Nullable TypeResolverBuilder<?> findTypeResolver(
      MapperConfig<?> config, AnnotatedClass type, JavaType baseType) {
    return isOfASealedSet(type.getRawType())
        ? new StdTypeResolverBuilder().init(BY_SIMPLE_NAME, null)
        : null;
  }

  @Override
  public @Nullable List<NamedType> findSubtypes(Annotated annotated) {
    Class<?> raw = annotated.getRawType();
    return isOurs(raw) && raw.isSealed()
        ? leaves(raw).map(leaf -> new NamedType(leaf, leaf.getSimpleName())).toList()
        : null;
  }

  @Override
  public @Nullable String findTypeName(AnnotatedClass annotated) {
    Class<?> raw = annotated.getRawType();
    return raw.isRecord() && isOfASealedSet(raw) ? raw.getSimpleName() : null;
  }

  private static boolean isOfASealedSet(Class<?> type) {
    return isOurs(type)
        && (type.isSealed() || Arrays.stream(type.getInterfaces()).anyMatch(Class::isSealed));
  }

  /** A constant with a body makes its enum a sealed class; the enum is still written by name. */
  private static boolean isOurs(Class<?> type) {
    return type.getName().startsWith("io.nightsweep.") && !Enum.class.isAssignableFrom(type);
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(SealedTypes::leaves)
        : Stream.of(type);
  }
}
