// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.util.function.BiConsumer;
import java.util.function.Function;
import org.heddle.late.policy.Settings;

/**
 * One setting: name, default, meaning, and how its text becomes a value. Defined once, in {@link LateKeys}.
 *
 * @param <T> type of the value
 */
final class ConfigKey<T> {
    private final String name;
    private final String fallback;
    private final String doc;
    private final Function<String, T> parse;
    private final BiConsumer<Settings.Draft, T> apply;

    ConfigKey(
            String name, String fallback, String doc, Function<String, T> parse, BiConsumer<Settings.Draft, T> apply) {
        this.name = name;
        this.fallback = fallback;
        this.doc = doc;
        this.parse = parse;
        this.apply = apply;
    }

    String name() {
        return name;
    }

    /** The default as text; empty when there is none. */
    String fallback() {
        return fallback;
    }

    String doc() {
        return doc;
    }

    /**
     * @throws IllegalArgumentException saying what would be right
     */
    T parse(String text) {
        try {
            return parse.apply(text.trim());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    name + " = " + text + ": " + reason(e) + "; default " + (fallback.isEmpty() ? "none" : fallback),
                    e);
        }
    }

    void apply(Settings.Draft draft, String text) {
        apply.accept(draft, parse(text));
    }

    private static String reason(IllegalArgumentException e) {
        return e instanceof NumberFormatException ? "is not a number" : String.valueOf(e.getMessage());
    }
}
