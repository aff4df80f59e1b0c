// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every command of README and docs is run by a test, or listed with the reason why it is not. */
class DocumentedCommandsTest {
    @Test
    void everyCommandIsListed() throws Exception {
        Set<String> listed =
                Documented.entries().stream().map(Documented.Entry::command).collect(Collectors.toSet());
        Set<String> shown = Documented.commands();
        Set<String> missing = new TreeSet<>(shown);
        missing.removeAll(listed);
        Set<String> stale = new TreeSet<>(listed);
        stale.removeAll(shown);
        assertThat(shown).hasSizeGreaterThan(20);
        assertThat(missing)
                .as("commands of the documents that are missing in documented-commands.txt: add each with the test that"
                        + " runs it, or with 'not run, REASON'")
                .isEmpty();
        assertThat(stale)
                .as("commands in documented-commands.txt that no document shows: remove them")
                .isEmpty();
    }

    @Test
    void whoRunsThemExistsAndAsksForThem() throws Exception {
        for (Documented.Entry entry : Documented.entries()) {
            if (entry.who().startsWith("not run, ")) {
                assertThat(entry.who()).as(entry.command()).hasSizeGreaterThan("not run, ".length() + 10);
                continue;
            }
            Path test = SourceTree.root()
                    .resolve("acceptance/src/test/java/org/heddle/acceptance")
                    .resolve(entry.who() + ".java");
            assertThat(test).exists();
            assertThat(Files.readString(test)).contains("commandsOf(\"" + entry.who() + "\")");
        }
    }
}
