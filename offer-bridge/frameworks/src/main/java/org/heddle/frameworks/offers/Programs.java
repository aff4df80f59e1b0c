// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.offers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Programs of the system that frameworks start on this machine. */
public final class Programs {
    private Programs() {}

    /**
     * The file of a program, on the PATH or where Debian puts daemons.
     *
     * @param debianPackage that has it, for the message
     */
    public static String find(String program, String debianPackage) throws IOException {
        for (String folder : (System.getenv("PATH") + ":/usr/sbin").split(":", -1)) {
            Path candidate = Path.of(folder, program);
            if (Files.isExecutable(candidate)) {
                return candidate.toString();
            }
        }
        throw new IOException("there is no " + program + " on the PATH: install it (on Debian: apt-get install "
                + debianPackage + ")");
    }
}
