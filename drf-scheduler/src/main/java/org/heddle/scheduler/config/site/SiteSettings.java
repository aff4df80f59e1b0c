// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.site;

import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The settings in Hadoop's site files on which a queue file depends.
 *
 * @param values from a key to its value, null where it is not set
 * @param names from a prefix to all keys that are set and begin with it
 * @param isFinal whether a key is final, so that no file that is read later changes it
 */
public record SiteSettings(
        Function<String, @Nullable String> values, Function<String, Set<String>> names, Predicate<String> isFinal) {
    /** Settings of which only the values of known keys matter. */
    public static SiteSettings of(Function<String, @Nullable String> values) {
        return new SiteSettings(values, prefix -> Set.of(), key -> false);
    }

    public @Nullable String get(String key) {
        return values.apply(key);
    }
}
