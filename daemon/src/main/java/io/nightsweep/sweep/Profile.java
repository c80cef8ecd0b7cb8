package io.nightsweep.sweep;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * A named set of flags, environment variables and workload overrides.
 *
 * @param name for people; unique in a sweep
 * @param base the state to which the profile is added
 * @param flags XLA flags by full name ({@code --xla_...}), appended after all other sources of
 *     flags
 * @param env environment variables, exported last
 * @param overrides workload settings
 * @param parts the names of the profiles in this stack; empty for a single profile
 */
public record Profile(
    String name,
    Base base,
    SortedMap<String, String> flags,
    SortedMap<String, String> env,
    SortedMap<String, String> overrides,
    List<String> parts) {

  /** The deployed production state, or the image's defaults restored. */
  public enum Base {
    DEPLOYED,
    NO_ENV
  }

  public static final String BASELINE = "baseline-deployed";
  public static final String BASELINE_NO_ENV = "baseline-no-env";

  public Profile {
    flags = Collections.unmodifiableSortedMap(new TreeMap<>(flags));
    env = Collections.unmodifiableSortedMap(new TreeMap<>(env));
    overrides = Collections.unmodifiableSortedMap(new TreeMap<>(overrides));
    parts = List.copyOf(parts);
  }

  public static Profile of(
      String name,
      Map<String, String> flags,
      Map<String, String> env,
      Map<String, String> overrides) {
    return new Profile(
        name,
        Base.DEPLOYED,
        new TreeMap<>(flags),
        new TreeMap<>(env),
        new TreeMap<>(overrides),
        List.of());
  }

  public static Profile baseline() {
    return of(BASELINE, Map.of(), Map.of(), Map.of());
  }

  public boolean isBaseline() {
    return name.equals(BASELINE);
  }

  /** The settings of both profiles; the other's value applies if both set one. */
  public Profile stackedWith(Profile other) {
    return new Profile(
        name + "+" + other.name,
        base,
        union(flags, other.flags),
        union(env, other.env),
        union(overrides, other.overrides),
        Stream.concat(singles(), other.singles()).toList());
  }

  /**
   * @param flag its name; a value that a log quotes after it is ignored
   */
  public Profile withoutFlag(String flag) {
    TreeMap<String, String> kept = new TreeMap<>(flags);
    kept.remove(flag.split("=", 2)[0]);
    return new Profile(name, base, kept, env, overrides, parts);
  }

  /** The identity: a hash of the canonical form, which does not contain the name. */
  public String hash() {
    return DigestUtils.sha256Hex(canonical()).substring(0, 16);
  }

  /** One line per setting, sorted; the input of {@link #hash}. */
  public String canonical() {
    return Stream.of(
            Stream.of("base " + base),
            lines("flag", flags),
            lines("env", env),
            lines("override", overrides))
        .flatMap(s -> s)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** The settings on one line, as people write them; {@code -} if there are none. */
  public String describe() {
    String text =
        Stream.of(
                base == Base.NO_ENV ? Stream.of("restore_default") : Stream.<String>empty(),
                flags.entrySet().stream()
                    .map(
                        e -> e.getValue().isEmpty() ? e.getKey() : e.getKey() + "=" + e.getValue()),
                env.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()),
                overrides.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()))
            .flatMap(s -> s)
            .collect(Collectors.joining(" "));
    return text.isEmpty() ? "-" : text;
  }

  private Stream<String> singles() {
    return parts.isEmpty() ? Stream.of(name) : parts.stream();
  }

  private static Stream<String> lines(String kind, SortedMap<String, String> settings) {
    return settings.entrySet().stream()
        .map(e -> kind + " " + e.getKey() + "=" + e.getValue().replace("\n", "\\n"));
  }

  private static SortedMap<String, String> union(
      SortedMap<String, String> first, SortedMap<String, String> second) {
    TreeMap<String, String> union = new TreeMap<>(first);
    union.putAll(second);
    return union;
  }
}
