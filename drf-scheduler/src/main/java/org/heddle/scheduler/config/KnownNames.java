// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names that a configuration file may use and does not define.
 *
 * @param orders names of share orders
 * @param resources resource types of this cluster, name to unit: {@code ""}, {@code k}, {@code M}, {@code Mi} ..
 *     (YARN's {@code ResourceInformation.getUnits}); for {@code memory-mb} it is {@code Mi}
 */
public record KnownNames(SortedSet<String> orders, SortedMap<String, String> resources) {
    /** A longer list hides the one name that matters. */
    private static final int MOST_CHOICES = 40;

    public KnownNames {
        orders = Collections.unmodifiableSortedSet(new TreeSet<>(orders));
        resources = Collections.unmodifiableSortedMap(new TreeMap<>(resources));
    }

    public static KnownNames of(Collection<String> orders, Map<String, String> resources) {
        return new KnownNames(new TreeSet<>(orders), new TreeMap<>(resources));
    }

    /**
     * A sentence with the valid names, and with the one that {@code unknown} probably means; where there are many and
     * one is meant, with that one.
     */
    public static String choices(String unknown, Collection<String> known) {
        String near = nearest(unknown, known);
        int others = known.size() - MOST_CHOICES;
        if (near != null && others > 0) {
            return "must be one of " + known.size() + " names (did you mean " + near + "?)";
        }
        String all = "must be one of "
                + known.stream().sorted().distinct().limit(MOST_CHOICES).collect(Collectors.joining(", "));
        if (others > 0) {
            return all + " and " + others + " others";
        }
        return near == null ? all : all + " (did you mean " + near + "?)";
    }

    /** The known name that is most like an unknown one; null if none is. */
    public static @Nullable String nearest(String unknown, Collection<String> known) {
        return known.stream()
                .filter(name -> EditDistance.between(unknown, name) <= 1 + name.length() / 3)
                .min(Comparator.comparingInt(name -> EditDistance.between(unknown, name)))
                .orElse(null);
    }
}
