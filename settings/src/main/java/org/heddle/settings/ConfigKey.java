// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A configuration key: defined once, with all there is to know about it. The pages {@code docs/config*.md} are
 * generated from the keys.
 *
 * @param <T> type of the value
 */
public final class ConfigKey<T> {
    private final String name;
    private final ValueKind<T> kind;
    private final String fallback;
    private final String doc;

    /**
     * A key.
     *
     * @param name the whole name
     * @param kind what values are valid
     * @param fallback what holds when the key is not set, as an administrator would write it
     * @param doc one or two sentences for the documentation
     */
    public ConfigKey(String name, ValueKind<T> kind, String fallback, String doc) {
        kind.parse(fallback);
        this.name = name;
        this.kind = kind;
        this.fallback = fallback;
        this.doc = doc;
    }

    public String name() {
        return name;
    }

    public ValueKind<T> kind() {
        return kind;
    }

    /** The default, as an administrator would write it. */
    public String fallback() {
        return fallback;
    }

    public String doc() {
        return doc;
    }

    /** The default as a value. */
    public T fallbackValue() {
        return kind.parse(fallback);
    }

    /**
     * The value in a configuration.
     *
     * @param configuration from a name to the text set for it, null if none (Hadoop's {@code Configuration::get})
     * @throws IllegalArgumentException one sentence with the key, the value and what is valid
     */
    public T read(Function<String, @Nullable String> configuration) {
        String text = configuration.apply(name);
        return text == null ? fallbackValue() : parse(text);
    }

    /**
     * Reads a text that is set for this key.
     *
     * @throws IllegalArgumentException one sentence with the key, the value and what is valid
     */
    public T parse(String text) {
        try {
            return kind.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    name + " = '" + text + "': " + e.getMessage() + " (default "
                            + (fallback.isEmpty() ? "none" : fallback) + ")",
                    e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
