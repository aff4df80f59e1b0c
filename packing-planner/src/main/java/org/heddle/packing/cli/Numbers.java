// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.util.function.Function;
import org.heddle.packing.io.ProblemFile;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Reads the numbers of all options, because the library's own messages name types of Java, and checks those of several. */
final class Numbers {
    private Numbers() {}

    static void register(CommandLine line) {
        line.registerConverter(int.class, text -> parse(text, Integer::parseInt, "a whole number"));
        line.registerConverter(Integer.class, text -> parse(text, Integer::parseInt, "a whole number"));
        line.registerConverter(long.class, text -> parse(text, Long::parseLong, "a whole number"));
        line.registerConverter(double.class, text -> parse(text, Double::parseDouble, "a number"));
        line.registerConverter(Double.class, text -> parse(text, Double::parseDouble, "a number"));
    }

    /** Throws if a count is 0 or less. */
    static void requirePositive(String option, int count) {
        if (count < 1) {
            throw new CommandException(2, option + " " + count + ": must be a whole number >= 1");
        }
    }

    /** Throws if {@code --alpha} is no overcommit penalty. */
    static void requireAlpha(double alpha) {
        if (!(alpha >= 1 && alpha <= ProblemFile.MOST_ALPHA)) {
            throw new CommandException(2, "--alpha " + alpha + ": must be >= 1 (1 = no penalty) and at most 1000");
        }
    }

    private static <N> N parse(String text, Function<String, N> parser, String what) {
        try {
            return parser.apply(text.strip());
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "': must be " + what
                    + (text.strip().matches("[+-]?[0-9]{10,}") ? ", is too large" : ""));
        }
    }
}
