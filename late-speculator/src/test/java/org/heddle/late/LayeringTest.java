// SPDX-License-Identifier: Apache-2.0
package org.heddle.late;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class LayeringTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.heddle.late");

    @Test
    void thePolicyDependsOnTheJdkOnly() {
        classes()
                .that()
                .resideInAPackage("..late.policy..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "..late.policy..",
                        "java.lang..",
                        "java.util",
                        "java.util.function",
                        "java.util.stream",
                        "org.jspecify..")
                .check(CLASSES);
    }

    @Test
    void thePolicyHasNoThreadAndNoClassReadsAClock() {
        noClasses()
                .that()
                .resideInAPackage("..late.policy..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .check(CLASSES);
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .check(CLASSES);
    }
}
