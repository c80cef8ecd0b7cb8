package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.sweep.FailureClass;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Playbook;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every packed playbook has each failure class that the code mentions. */
@Tag("triage")
class KnownClassesTest {
  private static final Pattern LITERAL = Pattern.compile("\"([a-z0-9-]+)\"");
  private static final Pattern KEYED = Pattern.compile("\\b(?:phrase|say|text|put)$");

  @ParameterizedTest
  @ValueSource(strings = {"common", "kernels", "maxtext-rocm", "maxtext-cuda", "any"})
  void areOfThePlaybook(String name) throws Exception {
    Playbook playbook = new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read(name);
    List<String> recognised =
        playbook.recognition().classes().stream().map(FailureClass::id).toList();
    TreeSet<String> known = new TreeSet<>(recognised);
    known.addAll(playbook.remedies().keySet());
    assertThat(known).containsAll(KnownClasses.ALL);
  }

  @Test
  void areAskedOfAPlaybookOfOnesOwn(@TempDir Path folder) throws IOException {
    Path file = Files.createDirectories(folder.resolve("playbooks")).resolve("own.yaml");
    Files.writeString(
        file,
        """
        about: Own.
        classes:
          success:
            remedy: {then: accept}
        """);
    assertThatThrownBy(
            () -> new Playbooks(Resources.beside(folder.resolve("sweep.yaml"))).read("own"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll(
            "playbooks/own.yaml:1:1",
            "has no class cancelled, controller-down, crashed, disk-full, implausible, nan-loss",
            "'extends: common'");
  }

  @Test
  void aMisspelledOneIsToldWhereThePlaybookIsRead(@TempDir Path folder) throws IOException {
    Path file = Files.createDirectories(folder.resolve("playbooks")).resolve("own.yaml");
    Files.writeString(
        file,
        """
        about: Own.
        extends: common
        classes:
          vanishd:
            remedy: {then: fail-trial}
        """);
    assertThatThrownBy(
            () -> new Playbooks(Resources.beside(folder.resolve("sweep.yaml"))).read("own"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContainingAll(
            "playbooks/own.yaml:5:5", "recognises the class 'vanishd'", "did you mean 'vanished'?");
  }

  @Test
  void eachConstantIsOneThatAPlaybookMustHaveButForTheCodesOwn() throws Exception {
    Set<String> all = new TreeSet<>(constants());
    all.removeAll(KnownClasses.ALL);
    assertThat(all).containsExactly(KnownClasses.NO_FAILURE_FOUND, KnownClasses.VOID);
  }

  /** As keys of phrases and names of columns, these words may occur anywhere. */
  @Test
  void noOtherClassSpellsAnId() throws Exception {
    Set<String> ids = new TreeSet<>(constants());
    Playbook any = new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read("any");
    any.recognition().classes().forEach(c -> ids.add(c.id()));
    ids.addAll(any.remedies().keySet());
    List<String> spelled = new ArrayList<>();
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      for (Path source :
          sources
              .filter(f -> f.toString().endsWith(".java") && !f.endsWith("KnownClasses.java"))
              .toList()) {
        String text = Files.readString(source);
        LITERAL
            .matcher(text)
            .results()
            .filter(m -> ids.contains(m.group(1)) && !isKey(text, m.start()))
            .forEach(m -> spelled.add(source.getFileName() + ": " + m.group()));
      }
    }
    // The page's word for an attempt's state, beside "measured" and "running".
    assertThat(spelled)
        .containsExactlyInAnyOrder("AttemptRows.java: \"cancelled\"", "AttemptRows.java: \"void\"");
  }

  private static boolean isKey(String text, int at) {
    int depth = 0;
    for (int i = at - 1; i > 0; i--) {
      char c = text.charAt(i);
      if (c == ';') {
        return false;
      }
      depth += c == ')' ? 1 : c == '(' ? -1 : 0;
      if (depth < 0) {
        return KEYED.matcher(text.substring(0, i)).find();
      }
    }
    return false;
  }

  private static List<String> constants() throws IllegalAccessException {
    List<String> constants = new ArrayList<>();
    for (Field field : KnownClasses.class.getFields()) {
      if (field.get(null) instanceof String id) {
        constants.add(id);
      }
    }
    return constants;
  }
}
