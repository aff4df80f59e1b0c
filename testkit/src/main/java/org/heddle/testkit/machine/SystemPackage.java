// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.machine;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * A program that a test needs and that no Maven artifact brings. Where it is missing the test is skipped with a message
 * that says so; with {@code -Dheddle.require.system.packages=true} (as {@code .ci/run} sets it) it fails instead.
 */
public final class SystemPackage {
    static final String REQUIRED = "heddle.require.system.packages";

    private SystemPackage() {}

    /**
     * The program's file; ends the calling test where there is none on {@code PATH}. To be called in the test or in
     * {@code @BeforeEach}: a class that is given up in {@code @BeforeAll} is not counted as skipped by Surefire.
     */
    public static Path require(String program) {
        return require(program, program);
    }

    /** The same for a program whose Debian package has another name. */
    public static Path require(String program, String debianPackage) {
        return require(program, debianPackage, String.valueOf(System.getenv("PATH")), Boolean.getBoolean(REQUIRED));
    }

    static Path require(String program, String debianPackage, String searchPath, boolean required) {
        for (String directory : searchPath.split(File.pathSeparator, -1)) {
            Path candidate = Path.of(directory, program);
            if (Files.isExecutable(candidate) && Files.isRegularFile(candidate)) {
                return candidate;
            }
        }
        String missing = "this test needs the program " + program + " on PATH (on Debian: apt-get install "
                + debianPackage + ")";
        if (required) {
            return Assertions.fail(missing);
        }
        return Assumptions.abort(missing);
    }
}
