// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** maven-install from a folder that looks like the archive's, into a directory that is not there yet. */
class MavenInstallTest {
    private static final String JAR = "org/heddle/heddle-testkit/1.0/heddle-testkit-1.0.jar";

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void anArchive() throws IOException {
        for (String file : new String[] {
            JAR, JAR.replace(".jar", "-sources.jar"), JAR.replace(".jar", ".pom"), JAR.replace("testkit", "parent")
        }) {
            boolean parent = file.contains("parent");
            Path place = directory.resolve("maven").resolve(parent ? file.replace(".jar", ".pom") : file);
            Files.createDirectories(place.getParent());
            Files.writeString(place, "of the archive");
        }
        System.setProperty("heddle.maven", directory.resolve("maven").toString());
    }

    @AfterEach
    void forget() {
        System.clearProperty("heddle.maven");
    }

    private int run(String... more) {
        String[] line = new String[3 + more.length];
        line[0] = "maven-install";
        line[1] = "--repository";
        line[2] = directory.resolve("repository").toString();
        System.arraycopy(more, 0, line, 3, more.length);
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(line);
    }

    @Test
    void copiesEverythingAndNamesWhatAPomCanName() throws IOException {
        assertThat(run()).as(err.toString()).isZero();
        Path copy = directory.resolve("repository").resolve(JAR);
        assertThat(copy).hasContent("of the archive");
        assertThat(copy.resolveSibling("heddle-testkit-1.0.pom")).exists();
        assertThat(copy.resolveSibling("heddle-testkit-1.0-sources.jar")).exists();
        assertThat(directory.resolve("repository/org/heddle/heddle-parent/1.0/heddle-parent-1.0.pom"))
                .exists();
        assertThat(out.toString())
                .isEqualTo("copied  org.heddle:heddle-testkit:1.0\nThe local repository is "
                        + directory.resolve("repository") + ".\n");
        Files.writeString(copy, "of a build");
        assertThat(run()).isZero();
        assertThat(copy).hasContent("of the archive");
        try (var files = Files.list(copy.getParent())) {
            assertThat(files).as("nothing but the three files").hasSize(3);
        }
    }

    @Test
    void aDryRunCopiesNothing() {
        assertThat(run("--dry-run")).isZero();
        assertThat(out.toString()).startsWith("would be copied  org.heddle:heddle-testkit:1.0\n");
        assertThat(directory.resolve("repository")).doesNotExist();
    }

    @Test
    void whereTheFolderIsMissingItSaysWhoHasIt() {
        System.setProperty("heddle.maven", directory.resolve("nothing").toString());
        assertThat(run()).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("heddle maven-install: " + directory.resolve("nothing") + " is missing: heddle-")
                .contains("./mvnw -DskipTests install")
                .hasLineCount(1);
    }
}
