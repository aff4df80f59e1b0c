// SPDX-License-Identifier: Apache-2.0
package org.heddle.late;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.DataInputStream;
import java.io.IOException;
import org.heddle.late.mr.LateSpeculator;
import org.junit.jupiter.api.Test;

/** The jar is loaded by the ApplicationMasters of older clusters. */
class BytecodeTest {
    private static final int JAVA_11 = 55;

    @Test
    void everyClassLoadsOnJava11() throws IOException {
        JavaClasses classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importUrl(LateSpeculator.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation());
        assertThat(classes).isNotEmpty();
        for (JavaClass type : classes) {
            assertThat(type.getPackageName()).startsWith("org.heddle.late");
            try (DataInputStream in = new DataInputStream(
                    type.getSource().orElseThrow().getUri().toURL().openStream())) {
                in.skipBytes(6);
                assertThat(in.readUnsignedShort()).as(type.getName()).isLessThanOrEqualTo(JAVA_11);
            }
        }
    }
}
