// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.logs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a log, for messages. */
public final class LogTail {
    private LogTail() {}

    /** The last lines of a file, two blanks before each; says so if it cannot be read. */
    public static String of(Path log, int most) {
        try {
            List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return "  " + String.join("\n  ", lines.subList(Math.max(0, lines.size() - most), lines.size()));
        } catch (IOException e) {
            return "  (no log: " + e + ")";
        }
    }
}
