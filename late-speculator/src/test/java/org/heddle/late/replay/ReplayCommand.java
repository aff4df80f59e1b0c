// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Runs {@code heddle late} in this JVM. */
public final class ReplayCommand {
    private ReplayCommand() {}

    /** What it printed, errors after the rest, and its exit code at the end. */
    public static String run(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8) + "exit " + code;
    }
}
