package io.nightsweep.files;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs of the test's own class path as processes, which start quickly. */
public final class ChildJvm {
  private ChildJvm() {}

  public static List<String> command(Class<?> main, String... words) {
    return command(List.of(), main, words);
  }

  /**
   * @param options of Java, besides those for a quick start
   */
  public static List<String> command(List<String> options, Class<?> main, String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(words));
    return command;
  }
}
