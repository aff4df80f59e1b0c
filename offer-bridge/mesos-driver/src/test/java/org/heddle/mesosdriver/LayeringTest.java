// SPDX-License-Identifier: Apache-2.0
package org.heddle.mesosdriver;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.heddle.testkit.DateReaders;
import org.junit.jupiter.api.Test;

class LayeringTest {
    private final JavaClasses imported = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> location.contains("mesos-driver") || location.contains("client/target"))
            .importPackages("org.heddle", "org.apache.mesos");

    /** Such a class is com.google.protobuf in one Mesos jar and org.apache.mesos.protobuf in the next. */
    @Test
    void noClassNamesProtobuf() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "org.apache.mesos..", "org.heddle.mesosdriver..", "org.heddle.offers.client.protocol..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.google.protobuf..", "org.apache.mesos.protobuf..")
                .check(imported);
    }

    @Test
    void onlyTheDriversNameMesos() {
        noClasses()
                .that()
                .resideInAnyPackage("org.heddle.mesosdriver..", "org.heddle.offers.client.protocol..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.mesos..")
                .check(imported);
    }

    @Test
    void theProtocolNeedsNothingButJava() {
        classes()
                .that()
                .resideInAPackage("org.heddle.offers.client.protocol..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "org.heddle.offers.client.protocol..",
                        "java..",
                        "javax.net..",
                        "org.jspecify..",
                        "com.google.errorprone..")
                .check(imported);
    }

    /**
     * What waits or expires must not depend on the date, which can step by hours: a class that reads it needs a reason
     * here.
     */
    @Test
    void onlyTheseClassesReadTheDate() {
        assertThat(DateReaders.in(imported, "org.heddle"))
                .containsExactlyInAnyOrder(
                        "mesosdriver.ExecutorSession", // statuses carry dates
                        "mesosdriver.SchedulerSession", // the same
                        "offers.client.HttpExecutorDriver"); // the same
    }
}
