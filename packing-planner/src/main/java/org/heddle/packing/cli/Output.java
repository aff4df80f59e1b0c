// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.heddle.packing.io.TextFile;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.file.AtomicFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The option for the file of the result, which the commands that make problems or plans share, and how files are
 * written.
 */
final class Output {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write the result, a problem or a plan, as JSON.")
    private @Nullable Path file;

    boolean isWanted() {
        return file != null;
    }

    /** Writes the result if the option was given. */
    void write(String json) {
        if (file != null) {
            write(file, json);
        }
    }

    /** Writes a file; a failure becomes a message for the user, and leaves a file that was there as it was. */
    static void write(Path file, String text) {
        String lines = text.endsWith("\n") ? text : text + "\n";
        try {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.notExists(file)) {
                AtomicFile.write(file, lines);
            } else {
                Files.writeString(file, lines); // such as /dev/stdout, or a link to somewhere
            }
        } catch (IOException e) {
            throw new CommandException(
                    CommandException.WRONG, file + ": cannot be written: " + TextFile.reason(file, e));
        }
    }

    /** Columns of the terminal from the variable COLUMNS; 100 without it. */
    static int width() {
        String columns = System.getenv("COLUMNS");
        return columns != null && columns.matches("[1-9][0-9]{1,3}") ? Integer.parseInt(columns) : 100;
    }
}
