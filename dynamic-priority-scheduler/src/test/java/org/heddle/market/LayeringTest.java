// SPDX-License-Identifier: Apache-2.0
package org.heddle.market;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The order of the rooms. */
@Tag("pure")
class LayeringTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("org.heddle.market");

    /** Every room of the module; a room may refer to the rooms before it and to no other. */
    private static final List<String> ROOMS = List.of(
            "model.amount",
            "model.naming",
            "model.terms",
            "model.change",
            "model.status",
            "policy",
            "security",
            "epoch",
            "ledger.book",
            "ledger.query",
            "ledger.journal",
            "ledger.jdbc",
            "ledger",
            "http.config",
            "http.api",
            "http.auth",
            "http.paper",
            "http.pages",
            "http",
            "yarn",
            "");

    private static String[] rooms(List<String> names) {
        return names.stream()
                .map(name -> "org.heddle.market" + (name.isEmpty() ? "" : "." + name))
                .toArray(String[]::new);
    }

    private static String[] packages(String... names) {
        return Arrays.stream(names)
                .map(name -> "org.heddle.market." + name + "..")
                .toArray(String[]::new);
    }

    @Test
    void everyRoomIsInTheList() {
        List<String> known = new ArrayList<>(List.of(rooms(ROOMS)));
        known.add("org.heddle.market.cli");
        assertThat(CLASSES.stream().map(JavaClass::getPackageName).distinct())
                .containsExactlyInAnyOrderElementsOf(known);
    }

    @Test
    void noRoomRefersToARoomAboveIt() {
        for (int i = 0; i + 1 < ROOMS.size(); i++) {
            noClasses()
                    .that()
                    .resideInAPackage(rooms(ROOMS.subList(i, i + 1))[0])
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(rooms(ROOMS.subList(i + 1, ROOMS.size())))
                    .check(CLASSES);
        }
    }

    @Test
    void theStoresDoNotKnowEachOther() {
        noClasses()
                .that()
                .resideInAPackage("org.heddle.market.ledger.jdbc")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.heddle.market.ledger.journal")
                .check(CLASSES);
    }

    @Test
    void theCommandKnowsNeitherTheLedgerNorTheServer() {
        noClasses()
                .that()
                .resideInAnyPackage(packages("cli"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(packages("policy", "epoch", "ledger", "http", "yarn"))
                .check(CLASSES);
    }

    @Test
    void nothingButTheShellKnowsHadoop() {
        noClasses()
                .that()
                .resideInAnyPackage(packages("model", "policy", "epoch", "ledger", "security"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.hadoop..", "org.heddle.scheduler.yarn..", "org.heddle.market.yarn..")
                .check(CLASSES);
    }

    @Test
    void theCoreHasNoClock() {
        noClasses()
                .that()
                .resideInAnyPackage(packages("model", "policy", "epoch"))
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .check(CLASSES);
    }
}
