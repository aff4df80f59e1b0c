// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.DataInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The jar needs nothing but Java 11. */
class LayeringTest {
    private static final int JAVA_11 = 55;
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importUrl(LatePolicy.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void thePolicyDependsOnTheJdkOnly() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "org.heddle.late.policy..",
                        "java.lang..",
                        "java.util",
                        "java.util.function",
                        "java.util.stream",
                        "org.jspecify..")
                .check(CLASSES);
    }

    @Test
    void thePolicyHasNoThreadAndReadsNoClock() {
        noClasses().should().dependOnClassesThat().areAssignableTo(Thread.class).check(CLASSES);
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .check(CLASSES);
    }

    @Test
    void everyClassLoadsOnJava11() throws IOException {
        for (JavaClass type : CLASSES) {
            try (DataInputStream in = new DataInputStream(
                    type.getSource().orElseThrow().getUri().toURL().openStream())) {
                in.skipBytes(6);
                assertThat(in.readUnsignedShort()).as(type.getName()).isLessThanOrEqualTo(JAVA_11);
            }
        }
    }

    @Test
    void hadoopIsNotOnTheClassPath() {
        assertThat(getClass().getClassLoader().getResource("org/apache/hadoop/conf/Configuration.class"))
                .isNull();
    }
}
