// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Reads the numbers of all options. The library's own messages name types of Java. */
final class Numbers {
    private Numbers() {}

    static void register(CommandLine line) {
        line.registerConverter(int.class, text -> parse(text, Integer::parseInt, "a whole number"));
        line.registerConverter(Integer.class, text -> parse(text, Integer::parseInt, "a whole number"));
        line.registerConverter(long.class, text -> parse(text, Long::parseLong, "a whole number"));
        line.registerConverter(double.class, text -> parse(text, Double::parseDouble, "a number"));
        line.registerConverter(Double.class, text -> parse(text, Double::parseDouble, "a number"));
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
