// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.heddle.testkit.DateReaders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayeringTest {
    private static final String ROOT = "org.heddle.whatif.";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.heddle.whatif");

    /**
     * Of everything in Heddle, a package uses itself and the packages named; those of other modules have full names.
     */
    @ParameterizedTest(name = "{0} uses only {1}")
    @CsvSource(delimiter = '|', textBlock = """
        driven    |
        model     |
        outcome   | model
        report    | model outcome
        read      | model org.heddle.packing.fit org.heddle.settings.past
        replay    | driven model outcome
        scheduler | driven model replay org.heddle.drf org.heddle.scheduler.config org.heddle.scheduler.config.fair \
                    org.heddle.scheduler.config.read org.heddle.scheduler.policy org.heddle.scheduler.model \
                    org.heddle.settings
        cli       | model outcome read replay report scheduler org.heddle.settings org.heddle.settings.command \
                    org.heddle.settings.web
        """)
    void aPackageUsesOnly(String layer, @Nullable String named) {
        Set<String> packages = Stream.ofNullable(named)
                .flatMap(names -> Stream.of(names.strip().split(" +")))
                .map(name -> name.startsWith("org.heddle.") ? name : ROOT + name)
                .collect(Collectors.toSet());
        classes()
                .that()
                .resideInAPackage(ROOT + layer)
                .should()
                .onlyDependOnClassesThat(new DescribedPredicate<>("are not ours, or are in " + packages) {
                    @Override
                    public boolean test(JavaClass used) {
                        String name = used.getPackageName();
                        return !name.startsWith("org.heddle.") || name.equals(ROOT + layer) || packages.contains(name);
                    }
                })
                .check(CLASSES);
    }

    @Test
    void noPackagesDependOnEachOther() {
        slices().matching("org.heddle.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void whatIsPureKnowsNoHadoop() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "model", ROOT + "outcome", ROOT + "report")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.hadoop..")
                .check(CLASSES);
    }

    /** The replay has the only clock. */
    @Test
    void nobodyLooksAtTheMachinesClock() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .check(CLASSES);
    }

    /** So that help and completion need no Hadoop. */
    @Test
    void theOptionsKnowNoHadoop() {
        noClasses()
                .that()
                .haveSimpleName("WhatIf")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache..")
                .check(CLASSES);
    }

    /** What waits or expires must not depend on the date, which can step by hours. */
    @Test
    void noClassReadsTheDate() {
        assertThat(DateReaders.in(CLASSES, "org.heddle.whatif")).isEmpty();
    }
}
