// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import org.heddle.packing.io.ProblemFile;
import org.heddle.settings.command.CommandException;

/** Checks of numbers that several options have. */
final class Numbers {
    private Numbers() {}

    /** Throws if a count is 0 or less. */
    static void requirePositive(String option, int count) {
        if (count < 1) {
            throw new CommandException(CommandException.WRONG, option + " " + count + ": must be a whole number >= 1");
        }
    }

    /** Throws if {@code --alpha} is no overcommit penalty. */
    static void requireAlpha(double alpha) {
        if (!(alpha >= 1 && alpha <= ProblemFile.MOST_ALPHA)) {
            throw new CommandException(
                    CommandException.WRONG, "--alpha " + alpha + ": must be >= 1 (1 = no penalty) and at most 1000");
        }
    }
}
