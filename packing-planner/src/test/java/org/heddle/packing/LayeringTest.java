// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.PlanningException;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.TimedSolver;
import org.heddle.packing.solve.phased.Explainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayeringTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.heddle.packing");

    /** What other rooms may use of the planners' rooms, beside the planners. */
    private static final Set<Class<?>> PUBLISHED = Set.of(
            Planner.class,
            SolveContext.class,
            SolveContext.Progress.class,
            PlanningException.class,
            TimedSolver.class,
            TimedSolver.Instance.class,
            TimedSolver.Answer.class,
            Explainer.class);

    /** Which rooms a room must not use; the rooms without a mention are free. */
    @ParameterizedTest(name = "{0} uses none of {1}")
    @CsvSource(delimiter = '|', textBlock = """
            solve           | solve.bound solve.phased solve.timed solve.malleable
            solve.bound     | solve.phased solve.timed solve.malleable
            solve.phased    | solve.timed solve.malleable
            solve.timed     | solve.malleable
            solve.malleable | solve.timed
            model           | solve.. io check chart export fit run cli
            check           | solve.. io chart export fit run cli
            io              | solve.. check chart export fit run cli
            fit             | solve.. io check chart export run cli
            run             | solve.. check chart export fit cli
            chart           | solve.. io check export run cli
            export          | solve.. check chart fit run cli
            solve..         | io check chart export fit run cli
            """)
    void aRoomUsesOnlyTheRoomsBelowIt(String room, String forbidden) {
        String[] packages = forbidden.strip().split(" +");
        for (int i = 0; i < packages.length; i++) {
            packages[i] = "org.heddle.packing." + packages[i];
        }
        noClasses()
                .that()
                .resideInAPackage("org.heddle.packing." + room)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages)
                .check(CLASSES);
    }

    @Test
    void noRoomsDependOnEachOther() {
        slices().matching("org.heddle.packing.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void onlyPlannersAndTheirInterfaceLeaveTheRoomsOfThePlanners() {
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
}
