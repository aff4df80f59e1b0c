// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A configuration key: defined once, here is all there is to know about it. {@code docs/config.md} is generated from it.
 *
 * @param name the whole name, from {@code yarn.} on
 * @param kind what values are valid
 * @param fallback what holds when the key is not set, as an admin would write it
 * @param doc one or two sentences for the documentation
 * @param <T> type of the value
 */
public record ConfigKey<T>(String name, ValueKind<T> kind, String fallback, String doc) {
    public ConfigKey {
        kind.parse(fallback);
    }

    /**
     * The value in a configuration.
     *
     * @param configuration from a name to the text set for it, null if none (Hadoop's {@code Configuration::get})
     * @throws IllegalArgumentException one sentence naming the key, the value and what is valid
     */
    public T read(Function<String, @Nullable String> configuration) {
        String text = configuration.apply(name);
        if (text == null) {
            return kind.parse(fallback);
        }
        try {
            return kind.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    name + " = '" + text + "': " + e.getMessage() + " (default " + fallback + ")", e);
        }
    }
}
