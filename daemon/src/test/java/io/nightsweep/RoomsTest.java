package io.nightsweep;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds the rooms: a room imports only rooms below it, and the pure ones touch no world. */
class RoomsTest {
  /** From the ground up; rooms on one line do not know each other. */
  private static final List<List<String>> FLOORS =
      List.of(
          List.of("sweep"),
          List.of("measure", "journal", "cluster", "triage", "evidence"),
          List.of("workload"),
          List.of("plan", "advisor"),
          List.of("conductor"),
          List.of("report"),
          List.of("chat", "bench"),
          List.of("engine"),
          List.of("sim"),
          List.of("web"),
          List.of("cli"));

  private static final List<String> PURE = List.of("sweep", "measure", "conductor", "advisor");

  private final JavaClasses classes =
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
            .check(classes);
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
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callConstructor(java.util.Random.class)
          .allowEmptyShould(true)
          .check(classes);
    }
  }

  private static String packages(String room) {
    return "io.nightsweep." + room + "..";
  }
}
