// SPDX-License-Identifier: Apache-2.0
package org.heddle.market;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may know whom. */
@Tag("pure")
class LayeringTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.heddle.market");

    private static String[] packages(String... names) {
        String[] all = new String[names.length];
        java.util.Arrays.setAll(all, i -> "org.heddle.market." + names[i] + "..");
        return all;
    }

    @Test
    void nothingButTheShellKnowsHadoop() {
        noClasses()
                .that()
                .resideInAnyPackage(packages("model", "policy", "floor", "ledger", "simulate"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.hadoop..", "org.heddle.scheduler.yarn..", "org.heddle.market.yarn..")
                .check(CLASSES);
    }

    @Test
    void arrowsPointInward() {
        noClasses()
                .that()
                .resideInAnyPackage(packages("model"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages("policy", "floor", "ledger", "simulate"))
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAnyPackage(packages("policy"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages("floor", "ledger", "simulate"))
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAnyPackage(packages("floor"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages("ledger", "simulate"))
                .check(CLASSES);
    }

    @Test
    void theCoreHasNoClock() {
        noClasses()
                .that()
                .resideInAnyPackage(packages("model", "policy", "floor", "simulate"))
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .check(CLASSES);
    }
}
