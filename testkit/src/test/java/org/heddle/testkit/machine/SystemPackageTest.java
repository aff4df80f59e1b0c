// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

class SystemPackageTest {
    @TempDir
    Path dir;

    @Test
    void aProgramOnThePathIsFound() throws IOException {
        Path program = Files.createFile(dir.resolve("weave"));
        assertThat(program.toFile().setExecutable(true)).isTrue();

        assertThat(SystemPackage.require("weave", "loom", "/no/such/place" + File.pathSeparator + dir, true))
                .isEqualTo(program);
    }

    @Test
    void aMissingProgramSkipsTheTestUnlessItIsRequired() throws IOException {
        Files.createDirectory(dir.resolve("weave"));

        assertThatThrownBy(() -> SystemPackage.require("weave", "loom", dir.toString(), false))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("needs the program weave on PATH");
        assertThatThrownBy(() -> SystemPackage.require("weave", "loom", dir.toString(), true))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContaining("apt-get install loom");
    }
}
