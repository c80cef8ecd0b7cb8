package io.nightsweep;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checks the rooms: a room imports only rooms below it, and the pure rooms have no side effects.
 */
@Tag("guard")
class RoomsTest {
  /** From the ground up; rooms on one line do not import each other. */
  private static final List<List<String>> FLOORS =
      List.of(
          List.of("sweep"),
          List.of("files"),
          List.of("joblog"),
          List.of("measure", "journal", "cluster", "triage", "evidence"),
          List.of("workload"),
          List.of("plan", "advisor", "judging", "llm", "asked"),
          List.of("conductor"),
          List.of("report"),
          List.of("chat", "bench", "endpoint"),
          List.of("engine"),
          List.of("sim"),
          List.of("page", "agent"),
          List.of("cli"));

  private static final List<String> PURE =
      List.of("sweep", "measure", "conductor", "advisor", "judging", "llm");

  /** Names that are unclear without their owner's name, as in {@code Wave.Kind}. */
  private static final Set<String> READ_WITH_THEIR_OWNER = Set.of("Kind", "Mode", "Type");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.nightsweep");

  @Test
  void aRoomImportsOnlyRoomsBelowIt() {
    for (int floor = 0; floor < FLOORS.size(); floor++) {
      for (String room : FLOORS.get(floor)) {
        String[] forbidden =
            FLOORS.subList(floor, FLOORS.size()).stream()
                .flatMap(List::stream)
                .filter(other -> !other.equals(room))
                .map(RoomsTest::packages)
                .toArray(String[]::new);
        noClasses()
            .that()
            .resideInAPackage(packages(room))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(forbidden)
            .allowEmptyShould(true)
            .check(CLASSES);
      }
    }
  }

  @Test
  void thePureRoomsReadNoClockNoFileAndNoRandomSource() {
    for (String room : PURE) {
      noClasses()
          .that()
          .resideInAPackage(packages(room))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.io..", "java.nio.file..", "java.net..", "java.util.concurrent..", "java.sql..")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callConstructor(Random.class)
          .orShould()
          .callConstructor(SplittableRandom.class)
          .orShould()
          .callMethod(UUID.class, "randomUUID")
          .orShould()
          .callMethod(System.class, "getenv")
          .orShould()
          .callMethod(System.class, "getenv", String.class)
          .orShould()
          .callMethod(System.class, "getProperty", String.class)
          .orShould()
          .callMethod(LocalDate.class, "now")
          .orShould()
          .callMethod(ZonedDateTime.class, "now")
          .allowEmptyShould(true)
          .check(CLASSES);
    }
  }

  /** A workload consists of one folder and one line that registers it. */
  @Test
  void nothingOutsideItsFolderKnowsAWorkload() {
    for (String kind : List.of("maxtext", "command")) {
      noClasses()
          .that()
          .resideOutsideOfPackage(packages("workload." + kind))
          .should()
          .dependOnClassesThat()
          .resideInAPackage(packages("workload." + kind))
          .check(CLASSES);
    }
    // A study measures kernels case by case, and knows the program's own records; what others
    // published is of the program's own figures.
    noClasses()
        .that()
        .resideOutsideOfPackages(packages("workload.kernels"), packages("bench"))
        .and()
        .doNotHaveSimpleName("StudyFile")
        .and()
        .doNotHaveSimpleName("ReferenceFile")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(packages("workload.kernels"))
        .check(CLASSES);
  }

  @Test
  void noSourceOutsideItsFolderNamesMaxText() throws IOException {
    assertThat(sourcesWith(text -> text.toLowerCase(Locale.ROOT).contains("maxtext")))
        .allMatch(file -> file.startsWith("workload/maxtext/"));
  }

  @Test
  void oneClassQuotesForTheShell() throws IOException {
    // Encoded runs no command: it knows how a shell quotes a secret so that it can mask it.
    assertThat(sourcesWith(text -> text.contains("'\\\\''")))
        .containsExactly("cluster/Shell.java", "journal/Encoded.java");
  }

  /** Two files of one name would leave every reader unsure which one is meant. */
  @Test
  void noTwoFilesHaveOneName() throws IOException {
    List<String> names =
        sourcesWith(text -> true).stream()
            .map(file -> file.substring(file.lastIndexOf('/') + 1))
            .filter(name -> !name.equals("package-info.java"))
            .toList();
    assertThat(names).doesNotHaveDuplicates();
  }

  /** Members of a sealed set are read with its name, such as {@code JobStatus.Running}. */
  @Test
  void noNestedTypeHasTheNameOfAFile() {
    Set<String> files =
        CLASSES.stream()
            .filter(c -> c.getEnclosingClass().isEmpty())
            .map(JavaClass::getSimpleName)
            .collect(Collectors.toSet());
    assertThat(nested().filter(c -> files.contains(c.getSimpleName())).map(JavaClass::getName))
        .isEmpty();
  }

  @Test
  void noTwoNestedTypesHaveOneName() {
    assertThat(
            nested()
                .map(JavaClass::getSimpleName)
                .filter(name -> !READ_WITH_THEIR_OWNER.contains(name)))
        .doesNotHaveDuplicates();
  }

  private static Stream<JavaClass> nested() {
    return CLASSES.stream()
        .filter(c -> c.getEnclosingClass().isPresent() && !c.isAnonymousClass())
        .filter(c -> !isOfASealedSet(c));
  }

  private static boolean isOfASealedSet(JavaClass nested) {
    Class<?> outer = nested.reflect().getEnclosingClass();
    return outer.isSealed() && outer.isAssignableFrom(nested.reflect());
  }

  private static List<String> sourcesWith(Predicate<String> wanted) throws IOException {
    Path root = Path.of("src/main/java/io/nightsweep");
    try (Stream<Path> files = Files.walk(root)) {
      List<String> found = new ArrayList<>();
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
        if (wanted.test(Files.readString(file))) {
          found.add(root.relativize(file).toString());
        }
      }
      return found;
    }
  }

  private static String packages(String room) {
    return "io.nightsweep." + room + "..";
  }
}
