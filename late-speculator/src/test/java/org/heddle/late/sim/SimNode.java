// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

/**
 * How a node behaves.
 *
 * @param factor how many times slower than the fastest it is
 * @param changesAt when, in ms, its factor becomes {@code later}
 * @param later the factor from then on
 * @param reduceFactor additional factor of the reduce phase (a bad disk)
 * @param stallMillis how long attempts stand still when they are half done; 0 for healthy nodes
 * @param slowsMaps whether the factor holds for maps, too
 */
public record SimNode(
        double factor, long changesAt, double later, double reduceFactor, long stallMillis, boolean slowsMaps) {

    public static SimNode of(double factor) {
        return new SimNode(factor, Long.MAX_VALUE, factor, 1, 0, true);
    }

    public SimNode degrading(long at, double to) {
        return new SimNode(factor, at, to, reduceFactor, stallMillis, slowsMaps);
    }

    public SimNode badDisk(double reduceSlowdown) {
        return new SimNode(factor, changesAt, later, reduceSlowdown, stallMillis, slowsMaps);
    }

    public SimNode stalling(long millis) {
        return new SimNode(factor, changesAt, later, reduceFactor, millis, slowsMaps);
    }

    /** Slow in reduces only, as the sleeping machines of section 5.4 are. */
    public SimNode reducesOnly() {
        return new SimNode(factor, changesAt, later, reduceFactor, stallMillis, false);
    }

    SimNode forMaps() {
        return slowsMaps ? this : of(1);
    }

    double factorAt(long time) {
        return time >= changesAt ? later : factor;
    }
}
