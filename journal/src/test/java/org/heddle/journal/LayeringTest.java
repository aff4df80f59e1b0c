// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.heddle.testkit.DateReaders;
import org.junit.jupiter.api.Test;

/** The library drags nothing onto a ResourceManager's class path, and only its back end for HDFS needs Hadoop. */
class LayeringTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.heddle.journal");

    private static final String[] PLAIN = {
        "java..", "org.slf4j..", "org.jspecify..", "com.google.errorprone.annotations..", "org.heddle.journal"
    };

    @Test
    void theLogKnowsOnlyTheJdk() {
        String[] allowed = java.util.Arrays.copyOf(PLAIN, PLAIN.length + 1);
        allowed[PLAIN.length] = "org.heddle.settings.file";
        classes()
                .that()
                .resideInAPackage("org.heddle.journal")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed)
                .check(OURS);
    }

    /** What waits or expires must not depend on the date, which can step by hours. */
    @Test
    void noClassReadsTheDate() {
        assertThat(DateReaders.in(OURS, "org.heddle.journal")).isEmpty();
    }
}
