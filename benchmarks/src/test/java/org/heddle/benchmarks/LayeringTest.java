// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is measured, how results are kept, and how they are shown do not know each other more than they must. */
class LayeringTest {
    private static final String ROOT = "org.heddle.benchmarks";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    /** Of the packages of this module; others may be used. */
    private static ArchRule usesOnly(String layer, String... others) {
        Set<String> layers = Set.of(others);
        return classes()
                .that()
                .resideInAPackage(ROOT + "." + layer)
                .should()
                .onlyDependOnClassesThat(new DescribedPredicate<>("are not of this module, or are in " + layers) {
                    @Override
                    public boolean test(JavaClass used) {
                        String name = used.getPackageName();
                        return !name.startsWith(ROOT)
                                || name.equals(ROOT + "." + layer)
                                || layers.contains(name.substring(name.lastIndexOf('.') + 1));
                    }
                });
    }

    @Test
    void packagesUseOnlyThoseNamed() {
        usesOnly("experiment").check(CLASSES);
        usesOnly("result", "experiment").check(CLASSES);
        usesOnly("report", "experiment", "result").check(CLASSES);
        usesOnly("program", "experiment").check(CLASSES);
        for (String measuring : List.of(
                "drf", "journal", "late", "market", "offers", "offers.emulation", "takeover", "web", "whatif")) {
            usesOnly(measuring, "experiment", "program").check(CLASSES);
        }
        usesOnly("rm", "experiment", "program", "report").check(CLASSES);
        usesOnly("scale", "experiment", "program", "rm").check(CLASSES);
        usesOnly("locality", "experiment", "rm").check(CLASSES);
        usesOnly("sharing", "experiment", "offers", "program").check(CLASSES);
        usesOnly("packing", "experiment", "program", "rm").check(CLASSES);
        usesOnly("requests", "experiment", "program", "rm").check(CLASSES);
        usesOnly("jobs", "experiment", "program", "result", "rm").check(CLASSES);
    }

    @Test
    void theRuleFindsAViolation() {
        assertThatThrownBy(() -> usesOnly("evaluate", "experiment").check(CLASSES))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void experimentsAndResultsKnowNoHadoop() {
        classes()
                .that()
                .resideInAnyPackage(ROOT + ".experiment", ROOT + ".result", ROOT + ".report")
                .should()
                .onlyDependOnClassesThat(new DescribedPredicate<>("are not Hadoop's") {
                    @Override
                    public boolean test(JavaClass used) {
                        return !used.getPackageName().startsWith("org.apache.hadoop");
                    }
                })
                .check(CLASSES);
    }
}
