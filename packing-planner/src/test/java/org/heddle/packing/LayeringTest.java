// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.heddle.packing.check.BoundCheck;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.PlanningException;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.TimedSolver;
import org.heddle.packing.solve.phased.Explainer;
import org.heddle.testkit.DateReaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayeringTest {
    private static final String ROOT = "org.heddle.packing";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);
    private static final JavaClasses PLANTED = new ClassFileImporter().importPackages(ROOT + ".planted");

    /** What other packages may use of the planners' packages, beside the planners. */
    private static final Set<Class<?>> PUBLISHED = Set.of(
            Planner.class,
            SolveContext.class,
            SolveContext.Progress.class,
            PlanningException.class,
            TimedSolver.class,
            TimedSolver.Instance.class,
            TimedSolver.Answer.class,
            Explainer.class);

    private static ArchRule usesOnly(String layer, Set<String> packages) {
        return classes()
                .that()
                .resideInAPackage(ROOT + "." + layer)
                .should()
                .onlyDependOnClassesThat(new DescribedPredicate<>("are not ours, or are in " + packages) {
                    @Override
                    public boolean test(JavaClass used) {
                        String name = used.getPackageName();
                        return !name.startsWith("org.heddle.")
                                || name.equals(ROOT + "." + layer)
                                || packages.contains(name);
                    }
                });
    }

    private static ArchRule noCycles() {
        return slices().matching("org.heddle.(**)").should().beFreeOfCycles();
    }

    /**
     * Of everything in Heddle, a package uses itself and the packages named; those of other modules have full names.
     */
    @ParameterizedTest(name = "{0} uses only {1}")
    @CsvSource(delimiter = '|', textBlock = """
        model           |
        check           | model
        export          | model
        fit             | model org.heddle.settings.past
        io              | model
        chart           | model fit
        run             | model io org.heddle.settings org.heddle.settings.file org.heddle.settings.process \
                          org.heddle.settings.web org.heddle.journal
        solve           | model
        solve.bound     | model solve
        solve.phased    | model solve solve.bound
        solve.timed     | model solve solve.bound solve.phased
        solve.malleable | model solve solve.bound solve.phased solve.timed
        cli             | model check export fit io chart run solve solve.phased solve.timed solve.malleable \
                          org.heddle.settings org.heddle.settings.command org.heddle.settings.file \
                          org.heddle.settings.past
        """)
    void aPackageUsesOnly(String layer, @Nullable String named) {
        Set<String> packages = Stream.ofNullable(named)
                .flatMap(names -> Stream.of(names.strip().split(" +")))
                .map(name -> name.startsWith("org.heddle.") ? name : ROOT + "." + name)
                .collect(Collectors.toSet());
        usesOnly(layer, packages).check(CLASSES);
    }

    @Test
    void noPackagesDependOnEachOther() {
        noCycles().check(CLASSES);
    }

    /** Imports count, also those for comments only: who reads one file then has to read the other. */
    @Test
    void noTwoFilesImportEachOther() throws IOException {
        Map<String, Set<String>> imports = new HashMap<>();
        Path sources = Path.of("src", "main", "java");
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                String name =
                        sources.relativize(file).toString().replace(".java", "").replace('/', '.');
                imports.put(name, importsOf(Files.readString(file)));
            }
        }
        assertThat(imports).hasSizeGreaterThan(100);
        imports.forEach((file, used) -> assertThat(used)
                .as("files which " + file + " imports and which import it")
                .noneMatch(other -> imports.getOrDefault(other, Set.of()).contains(file)));
    }

    private static Set<String> importsOf(String source) {
        return source.lines()
                .filter(line -> line.startsWith("import org.heddle."))
                .map(line -> line.replace("import ", "").replace(";", ""))
                .collect(Collectors.toSet());
    }

    @Test
    void theRulesFailOnPlantedClasses() {
        failsOnPlanted(noCycles());
        failsOnPlanted(usesOnly("planted.left", Set.of(ROOT + ".planted.right")));
        failsOnPlanted(usesOnly("planted.left", Set.of("org.heddle.testkit")));
    }

    private static void failsOnPlanted(ArchRule rule) {
        assertThatThrownBy(() -> rule.check(PLANTED)).isInstanceOf(AssertionError.class);
    }

    @Test
    void onlyPlannersAndTheirInterfaceAreUsedOutsideThePlanners() {
        noClasses()
                .that()
                .resideOutsideOfPackage("org.heddle.packing.solve..")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("org.heddle.packing.solve..")
                        .and(DescribedPredicate.describe(
                                "are neither planners nor published",
                                type -> !type.isAssignableTo(Planner.class)
                                        && PUBLISHED.stream().noneMatch(type::isEquivalentTo))))
                .check(CLASSES);
    }

    /** The proofs of lower bounds are code of tests; they would prove nothing with code of the planners. */
    @Test
    void proofsOfLowerBoundsUseNoCodeOfThePlanners() {
        JavaClasses withTests = new ClassFileImporter().importPackages(ROOT + ".check");
        assertThat(withTests.contain(BoundCheck.class)).isTrue();
        noClasses()
                .that(DescribedPredicate.describe(
                        "are no tests", type -> !type.getName().contains("Test")))
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("org.heddle.packing.solve..")
                        .and(DescribedPredicate.describe(
                                "are not the solver's interface",
                                type -> !type.getName().startsWith(TimedSolver.class.getName()))))
                .check(withTests);
    }

    @Test
    void whatPlansKnowsNoHadoop() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "..packing.model..",
                        "..packing.solve..",
                        "..packing.check..",
                        "..packing.io..",
                        "..packing.chart..",
                        "..packing.export..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.hadoop..")
                .check(CLASSES);
    }

    /**
     * What waits or expires must not depend on the date, which can step by hours: a class that reads it needs a reason
     * here.
     */
    @Test
    void onlyTheseClassesReadTheDate() {
        assertThat(DateReaders.in(CLASSES, ROOT))
                .containsExactlyInAnyOrder(
                        "run.PlanRunner", // the journal's dates are compared with those of the cluster's jobs
                        "cli.ExportCommand"); // reservations begin at dates
    }
}
