// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The packages of the configuration are layers: no class refers to a package above its own. */
@Tag("pure")
class ConfigPackagesTest {
    private static final String ROOT = "org.heddle.scheduler.config";
    private static final List<String> FROM_BELOW = List.of(
            ROOT,
            ROOT + ".site",
            ROOT + ".schema",
            ROOT + ".xml",
            ROOT + ".fair",
            ROOT + ".capacity",
            ROOT + ".read",
            ROOT + ".edit");
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void noClassRefersToAPackageAboveItsOwn() {
        for (int i = 0; i < FROM_BELOW.size() - 1; i++) {
            noClasses()
                    .that()
                    .resideInAPackage(FROM_BELOW.get(i))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            FROM_BELOW.subList(i + 1, FROM_BELOW.size()).toArray(String[]::new))
                    .allowEmptyShould(false)
                    .check(CLASSES);
        }
    }

    @Test
    void everyPackageIsInTheOrder() {
        assertThat(CLASSES).extracting(type -> type.getPackageName()).containsOnly(FROM_BELOW.toArray(String[]::new));
    }

    /** The rest of the scheduler sees specifications, not the library that their files are read with. */
    @Test
    void onlyPackageXmlUsesTheLibrary() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + ".xml")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.commons.configuration2..")
                .allowEmptyShould(false)
                .check(CLASSES);
    }
}
