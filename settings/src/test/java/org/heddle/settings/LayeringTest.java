// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** Plugins carry this module: what they load must need nothing but the JDK. */
class LayeringTest {
    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.heddle.settings");

    @Test
    void keysAndValuesNeedOnlyTheJdk() {
        noClasses()
                .that()
                .resideInAPackage("org.heddle.settings")
                .and()
                .haveNameNotMatching(".*\\.LayeredSettings(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("java..", "javax.xml..", "org.heddle.settings", "org.jspecify..")
                .orShould()
                .dependOnClassesThat()
                .haveSimpleNameStartingWith("LayeredSettings")
                .check(classes);
    }

    /** The offer bridge's agent takes it along to nodes where nothing else of ours is. */
    @Test
    void startsOfProcessesNeedOnlyTheJdk() {
        noClasses()
                .that()
                .resideInAPackage("org.heddle.settings.process")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("java..", "org.heddle.settings.process", "org.jspecify..")
                .check(classes);
    }

    /** LATE takes it along into ApplicationMasters. */
    @Test
    void readersOfThePastNeedOnlyTheJdk() {
        noClasses()
                .that()
                .resideInAPackage("org.heddle.settings.past")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("java..", "org.heddle.settings.past", "org.jspecify..")
                .check(classes);
    }

    @Test
    void onlyThePackageOfCommandsKnowsPicocli() {
        noClasses()
                .that()
                .resideInAPackage("org.heddle.settings")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("picocli..", "org.heddle.settings.command..")
                .check(classes);
    }

    @Test
    void noOtherModuleIsUsed() {
        ArchRule rule = noClasses()
                .should()
                .dependOnClassesThat(
                        resideInAPackage("org.heddle..").and(resideOutsideOfPackage("org.heddle.settings..")));
        rule.check(classes);
        failsOnPlanted(rule);
    }

    @Test
    void noPackagesDependOnEachOther() {
        ArchRule rule = slices().matching("org.heddle.(**)").should().beFreeOfCycles();
        rule.check(classes);
        failsOnPlanted(rule);
    }

    private static void failsOnPlanted(ArchRule rule) {
        JavaClasses planted = new ClassFileImporter().importPackages("org.heddle.settings.planted");
        assertThatThrownBy(() -> rule.check(planted)).isInstanceOf(AssertionError.class);
    }
}
