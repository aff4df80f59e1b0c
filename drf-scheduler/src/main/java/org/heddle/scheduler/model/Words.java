// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.math.BigDecimal;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.heddle.settings.ValueKind;

/** The values of settings as text: for files, and for people. */
public final class Words {
    private Words() {}

    // ---- for files ----

    /** As a file has it, unless the kind of value has words of its own: times in milliseconds. */
    public static String text(Object value) {
        if (value instanceof Long millis) {
            return millis + "ms";
        }
        if (value instanceof Double number) {
            return plain(number);
        }
        return value instanceof Enum<?> constant ? ValueKind.written(constant) : value.toString();
    }

    /** @param word for a time that does not end */
    public static String time(long millis, String word) {
        return millis == Long.MAX_VALUE ? word : millis + "ms";
    }

    /** A number without an exponent: {@code 0.5}. */
    public static String plain(double value) {
        return new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString();
    }

    /** A part, exactly: {@code 50%}. */
    public static String percentage(double part) {
        return new BigDecimal(String.valueOf(part))
                        .movePointRight(2)
                        .stripTrailingZeros()
                        .toPlainString() + "%";
    }

    // ---- for people ----

    /** A part, rounded: {@code 50 %}. */
    public static String percent(double part) {
        return number(Math.round(part * 100_000) / 1000.0) + " %";
    }

    /** A time, of which the longest does not end. */
    public static String millis(long time) {
        if (time == Long.MAX_VALUE) {
            return "for ever";
        }
        return time % 1000 == 0 ? time / 1000 + " s" : time + " ms";
    }

    /** Empty for no limit. */
    public static String amounts(Amounts amounts) {
        StringJoiner text = new StringJoiner(" and ");
        amounts.absolute().forEach((resource, units) -> text.add(units + " " + resource));
        amounts.fraction().forEach((resource, part) -> text.add(percent(part) + " of " + resource));
        return text.toString();
    }

    /** Empty for nobody. */
    public static String people(AccessList list) {
        if (list.everyone()) {
            return "everyone";
        }
        StringJoiner text = new StringJoiner(" ");
        new TreeSet<>(list.users()).forEach(text::add);
        new TreeSet<>(list.groups()).forEach(group -> text.add("group:" + group));
        return text.toString();
    }

    public static String weights(Weights weights) {
        StringJoiner text = new StringJoiner(" ");
        text.add(number(weights.base()));
        weights.byResource().forEach((resource, weight) -> text.add("(" + resource + " " + number(weight) + ")"));
        return text.toString();
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }
}
