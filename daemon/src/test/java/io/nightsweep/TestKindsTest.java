package io.nightsweep;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/**
 * Separates the two kinds of tests: {@code *Test} and {@code *Properties} need only a JDK and run
 * in {@code mvn test} unless they are tagged {@code slow}; {@code *IT} run in {@code mvn verify}
 * and may use the Slurm lab, the built kernels and processes that take many seconds.
 */
class TestKindsTest {
  @Test
  void quickTestsUseNeitherTheLabNorTheBuiltKernels() {
    noClasses()
        .that()
        .haveNameMatching(".*(Test|Properties)(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            ".*\\.(SlurmLab|LabSweep|FaultyNight|DaemonProcess|ChattyDaemon|LocalStudies|RealDocuments)")
        .because("tests that need them are named *IT")
        .check(
            new ClassFileImporter()
                .withImportOption(new ImportOption.OnlyIncludeTests())
                .importPackages("io.nightsweep"));
  }
}
