package io.nightsweep.plan;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads {@code sweep.yaml}. */
public final class SweepFile {
  private static final String INIT = "write one with 'nightsweep init'";

  /** Far more than a person writes; a larger file would take minutes to check. */
  private static final int MOST_BYTES = 1 << 20;

  private SweepFile() {}

  /** Reads the file; resources beside it take precedence. */
  public static Loaded load(Path file) throws InvalidInputException {
    return load(file, Resources.beside(file));
  }

  /**
   * The same, but refuses a file that contains a secret's value from the environment; this includes
   * the user's files that it names.
   *
   * @param environment of the person who is about to start it
   */
  public static Loaded load(Path file, Map<String, String> environment)
      throws InvalidInputException {
    Problems problems = new Problems();
    String name = String.valueOf(file.getFileName());
    String text = text(file, name, INIT, problems);
    Secrets.refuseKnown(name, text, environment, problems);
    problems.throwIfAny();
    Resources resources = Resources.beside(file);
    Loaded loaded = parse(name, text, resources, environment);
    for (Path own : resources.own()) {
      String named = String.valueOf(own.getFileName());
      String ownText = text(own, named, INIT, problems);
      Secrets.refuseKnown(named, ownText, environment, problems);
      Yaml.Mapping document = YamlReader.read(named, ownText, problems);
      problems.throwIfAny();
      Secrets.refuse(document, environment);
    }
    return loaded;
  }

  /**
   * Reads the file and checks everything that needs neither the cluster nor a person.
   *
   * @throws InvalidInputException with every problem found
   */
  public static Loaded load(Path file, Resources resources) throws InvalidInputException {
    Problems problems = new Problems();
    String name = String.valueOf(file.getFileName());
    String text = text(file, name, INIT, problems);
    problems.throwIfAny();
    return parse(name, text, resources);
  }

  /** Like {@link #load}, for a text; {@code name} is its name in messages. */
  public static Loaded parse(String name, String text, Resources resources)
      throws InvalidInputException {
    return parse(name, text, resources, Map.of());
  }

  private static Loaded parse(
      String name, String text, Resources resources, Map<String, String> environment)
      throws InvalidInputException {
    try {
      return read(name, text, resources, environment);
    } catch (StackOverflowError | OutOfMemoryError e) {
      throw unreadable(name, e);
    }
  }

  private static Loaded read(
      String name, String text, Resources resources, Map<String, String> environment)
      throws InvalidInputException {
    Problems problems = new Problems();
    Yaml.Mapping root = YamlReader.read(name, text, problems);
    Secrets.refuse(root, environment);
    if (root.entries().isEmpty()) {
      problems.throwIfAny();
    }
    SchemaCheck.SWEEP.check(root, problems);
    Secrets.refuseBesideTheDocument(name, text, problems);
    Loaded loaded = new Loaded(root, resources);
    SweepForm.read(root, resources, problems);
    problems.throwIfAny();
    return loaded;
  }

  private static InvalidInputException unreadable(String name, VirtualMachineError e) {
    return new InvalidInputException(
        List.of(
            Problem.of(
                Place.startOf(name),
                "reading the file needs more memory than there is (" + e + ")",
                "expected shorter values")));
  }

  /**
   * @param whatToDo advice for the case that the file does not exist
   */
  static String text(Path file, String name, String whatToDo, Problems problems) {
    try {
      if (Files.isDirectory(file)) {
        problems.add(Place.ofFile(name), file + " is a directory", "expected a YAML text");
        return "";
      }
      byte[] bytes;
      try (InputStream in = Files.newInputStream(file)) {
        bytes = in.readNBytes(MOST_BYTES + 1);
      }
      if (bytes.length > MOST_BYTES) {
        problems.add(Place.ofFile(name), "the file is longer than 1 MiB", "expected a YAML text");
        return "";
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (NoSuchFileException e) {
      problems.add(Place.ofFile(name), "there is no file " + file, whatToDo);
    } catch (CharacterCodingException e) {
      problems.add(Place.ofFile(name), "the file is not UTF-8", "expected a YAML text");
    } catch (IOException e) {
      problems.add(Place.ofFile(name), "the file cannot be read: " + e, "");
    }
    return "";
  }
}
