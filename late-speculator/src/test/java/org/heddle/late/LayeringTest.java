// SPDX-License-Identifier: Apache-2.0
package org.heddle.late;

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
import java.util.Set;
import org.heddle.testkit.DateReaders;
import org.junit.jupiter.api.Test;

class LayeringTest {
    private static final String ROOT = "org.heddle.late";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);
    private static final JavaClasses PLANTED = new ClassFileImporter().importPackages(ROOT + ".planted");

    @Test
    void noClassReadsAClock() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .check(CLASSES);
    }

    /**
     * What waits or expires must not depend on the date, which can step by hours: a class that reads it needs a reason
     * here.
     */
    @Test
    void onlyTheseClassesReadTheDate() {
        // They read the ApplicationMaster's clock, by which its events are dated; of MapReduce's SteadyTime takes the
        // jumps out.
        assertThat(DateReaders.in(CLASSES, ROOT))
                .containsExactlyInAnyOrder("mr.JobSpeculation", "mr.LateSpeculator", "tez.LateEstimator");
    }

    private static ArchRule usesOnly(String layer, String... others) {
        Set<String> packages = Set.of(others);
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

    @Test
    void packagesUseOnlyThoseNamed() {
        usesOnly("mr", ROOT + ".policy", "org.heddle.settings").check(CLASSES);
        usesOnly("tez", ROOT + ".policy").check(CLASSES);
        usesOnly("explain", ROOT + ".policy", "org.heddle.settings.command").check(CLASSES);
        usesOnly(
                        "replay",
                        ROOT + ".explain",
                        ROOT + ".mr",
                        ROOT + ".policy",
                        ROOT + ".policy.statistics",
                        "org.heddle.settings.command",
                        "org.heddle.settings.past")
                .check(CLASSES);
        failsOnPlanted(usesOnly("planted.left", ROOT + ".planted.right"));
        failsOnPlanted(usesOnly("planted.left", "org.heddle.testkit"));
    }

    @Test
    void noPackagesDependOnEachOther() {
        noCycles().check(CLASSES);
        failsOnPlanted(noCycles());
    }

    private static void failsOnPlanted(ArchRule rule) {
        assertThatThrownBy(() -> rule.check(PLANTED)).isInstanceOf(AssertionError.class);
    }
}
