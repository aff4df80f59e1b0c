// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.heddle.testkit.DateReaders;
import org.junit.jupiter.api.Test;

/** Each framework stands alone. */
class LayeringTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.heddle.frameworks");

    @Test
    void noFrameworkKnowsAnother() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("commands")
                .definedBy("org.heddle.frameworks")
                .layer("mpi")
                .definedBy("org.heddle.frameworks.mpi")
                .layer("batch")
                .definedBy("org.heddle.frameworks.batch")
                .layer("webfarm")
                .definedBy("org.heddle.frameworks.webfarm")
                .layer("gang")
                .definedBy("org.heddle.frameworks.gang")
                .layer("offers")
                .definedBy("org.heddle.frameworks.offers")
                .whereLayer("commands")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("mpi")
                .mayOnlyBeAccessedByLayers("commands")
                .whereLayer("batch")
                .mayOnlyBeAccessedByLayers("commands")
                .whereLayer("webfarm")
                .mayOnlyBeAccessedByLayers("commands")
                .whereLayer("gang")
                .mayOnlyBeAccessedByLayers("mpi", "batch")
                .check(CLASSES);
    }

    /**
     * What waits or expires must not depend on the date, which can step by hours: a class that reads it needs a reason
     * here.
     */
    @Test
    void onlyTheseClassesReadTheDate() {
        assertThat(DateReaders.in(CLASSES, "org.heddle.frameworks"))
                // A queue that is kept over restarts says in dates how long jobs have run.
                .containsExactlyInAnyOrder("batch.BatchCommand");
    }
}
