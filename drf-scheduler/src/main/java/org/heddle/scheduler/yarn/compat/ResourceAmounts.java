// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.compat;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Amounts by resource name, in the order of names. Immutable, and small, because a snapshot of ten thousand
 * applications has two of each: the names are shared.
 */
public final class ResourceAmounts extends AbstractMap<String, Long> {
    private final Names names;
    private final long[] amounts;

    /** Names of resource types, and where each has its amount in a vector. */
    public static final class Names {
        private final String[] sorted;
        private final int[] index;

        /** @param names in the order of vectors */
        public Names(List<String> names) {
            sorted = names.stream().sorted().toArray(String[]::new);
            index = Arrays.stream(sorted).mapToInt(names::indexOf).toArray();
        }
    }

    /** @param vector is copied */
    public ResourceAmounts(Names names, long[] vector) {
        this.names = names;
        this.amounts = new long[vector.length];
        for (int k = 0; k < amounts.length; k++) {
            amounts[k] = vector[names.index[k]];
        }
    }

    @Override
    public @Nullable Long get(Object name) {
        for (int k = 0; k < amounts.length; k++) {
            if (names.sorted[k].equals(name)) {
                return amounts[k];
            }
        }
        return null;
    }

    @Override
    public boolean containsKey(Object name) {
        return get(name) != null;
    }

    @Override
    public Set<Map.Entry<String, Long>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return amounts.length;
            }

            @Override
            public Iterator<Map.Entry<String, Long>> iterator() {
                return new Iterator<>() {
                    private int next;

                    @Override
                    public boolean hasNext() {
                        return next < amounts.length;
                    }

                    @Override
                    public Map.Entry<String, Long> next() {
                        if (!hasNext()) {
                            throw new NoSuchElementException();
                        }
                        Map.Entry<String, Long> entry = Map.entry(names.sorted[next], amounts[next]);
                        next++;
                        return entry;
                    }
                };
            }
        };
    }
}
