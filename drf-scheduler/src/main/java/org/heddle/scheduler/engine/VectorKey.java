// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.Arrays;

/** A vector of amounts that can be the key of a map. The array is not copied and must not be changed later. */
public final class VectorKey {
    private final long[] vector;

    public VectorKey(long[] vector) {
        this.vector = vector;
    }

    public long[] vector() {
        return vector;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VectorKey key && Arrays.equals(key.vector, vector);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(vector);
    }
}
