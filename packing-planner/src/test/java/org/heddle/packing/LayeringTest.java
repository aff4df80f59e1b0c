// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class LayeringTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.heddle.packing");

    @Test
    void theCheckerSharesNoCodeWithThePlanners() {
        noClasses()
                .that()
                .resideInAPackage("..packing.check..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..packing.solve..", "..packing.io..")
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
                        "..packing.see..",
                        "..packing.export..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.hadoop..")
                .check(CLASSES);
    }

    @Test
    void theModelKnowsOnlyItself() {
        noClasses()
                .that()
                .resideInAPackage("..packing.model..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..packing.solve..", "..packing.io..", "..packing.check..", "..packing.cli..")
                .check(CLASSES);
    }
}
