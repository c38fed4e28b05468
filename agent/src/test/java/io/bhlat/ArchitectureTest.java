// SPDX-License-Identifier: Apache-2.0
package io.bhlat;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The direction in which packages may depend on one another: model ← kernel ← infiniband ← trace ←
 * trace.bcc; model ← config ← web; outputs on the first four and web, and never on one another; cli
 * on all, and nobody on it.
 */
@AnalyzeClasses(packages = "io.bhlat", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String[] OUTPUTS = {
    "io.bhlat.metrics",
    "io.bhlat.terminal",
    "io.bhlat.recording",
    "io.bhlat.compare",
    "io.bhlat.report"
  };

  @ArchTest static final ArchRule modelDependsOnNothingOfOurs = dependsOnlyOn("io.bhlat.model");

  @ArchTest
  static final ArchRule kernelDependsAtMostOnTheModel =
      dependsOnlyOn("io.bhlat.kernel", "io.bhlat.model");

  @ArchTest
  static final ArchRule linuxDependsAtMostOnWhatTheHostIs =
      dependsOnlyOn("io.bhlat.linux", "io.bhlat.kernel");

  @ArchTest
  static final ArchRule infinibandDependsAtMostOnWhatTheHostIs =
      dependsOnlyOn("io.bhlat.infiniband", "io.bhlat.model", "io.bhlat.kernel");

  @ArchTest
  static final ArchRule traceKnowsNoNativeLibraryAndNoOutput =
      dependsOnlyOn("io.bhlat.trace", "io.bhlat.model", "io.bhlat.kernel", "io.bhlat.infiniband");

  @ArchTest
  static final ArchRule traceBccKnowsNoOutput =
      dependsOnlyOn(
          "io.bhlat.trace.bcc",
          "io.bhlat.model",
          "io.bhlat.kernel",
          "io.bhlat.linux",
          "io.bhlat.infiniband",
          "io.bhlat.trace");

  @ArchTest
  static final ArchRule configKnowsAtMostTheModel =
      dependsOnlyOn("io.bhlat.config", "io.bhlat.model");

  @ArchTest
  static final ArchRule webDoesNotKnowWhatIsServed =
      dependsOnlyOn("io.bhlat.web", "io.bhlat.config");

  @ArchTest
  static void outputsDependOnSnapshotsAndPlansAndNotOnOneAnother(JavaClasses classes) {
    for (String output : OUTPUTS) {
      dependsOnlyOn(
              output,
              "io.bhlat.model",
              "io.bhlat.kernel",
              "io.bhlat.infiniband",
              "io.bhlat.trace",
              "io.bhlat.web")
          .check(classes);
    }
  }

  @ArchTest
  static final ArchRule nobodyDependsOnTheCommands =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.bhlat.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.bhlat.cli..");

  @ArchTest
  static final ArchRule everyPackageIsOneOfTheDesign =
      classes()
          .should()
          .resideInAnyPackage(
              Stream.concat(
                      Stream.of(
                          "io.bhlat.model",
                          "io.bhlat.kernel",
                          "io.bhlat.linux",
                          "io.bhlat.infiniband",
                          "io.bhlat.trace",
                          "io.bhlat.trace.bcc",
                          "io.bhlat.config",
                          "io.bhlat.web",
                          "io.bhlat.cli"),
                      Arrays.stream(OUTPUTS))
                  .toArray(String[]::new));

  @ArchTest
  static final ArchRule packagesFormNoCycle =
      slices().matching("io.bhlat.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule onlyTwoPackagesKnowNativeMemory =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.bhlat.linux", "io.bhlat.trace.bcc")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.sun.jna..");

  /** NativeStderr flushes stderr before it takes the descriptor away; it writes nothing. */
  @ArchTest
  static final ArchRule onlyTheCommandsWriteToTheTerminal =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.bhlat.cli")
          .and()
          .doNotHaveFullyQualifiedName("io.bhlat.trace.bcc.NativeStderr")
          .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS);

  @ArchTest
  static final ArchRule onlyTheCommandsEndTheProcess =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.bhlat.cli")
          .should()
          .callMethod(System.class, "exit", int.class);

  @ArchTest
  static final ArchRule onlyTheMetricsKnowPrometheus =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.bhlat.metrics..", "io.bhlat.cli")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.prometheus..", "io.micrometer..");

  /** Of our packages, classes of one may depend on itself and these; it may have no classes yet. */
  private static ArchRule dependsOnlyOn(String from, String... allowed) {
    DescribedPredicate<JavaClass> ours =
        resideInAPackage("io.bhlat..")
            .and(resideOutsideOfPackage(from))
            .and(DescribedPredicate.not(resideInAnyPackage(allowed)))
            .as("other packages of ours");
    return noClasses()
        .that()
        .resideInAPackage(from)
        .should()
        .dependOnClassesThat(ours)
        .as(from + " depends of ours at most on " + Arrays.toString(allowed))
        .allowEmptyShould(true);
  }
}
