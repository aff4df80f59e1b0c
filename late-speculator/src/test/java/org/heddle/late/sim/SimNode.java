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
 * @param pauses when all attempts on the node stand still
 */
public record SimNode(
        double factor,
        long changesAt,
        double later,
        double reduceFactor,
        long stallMillis,
        boolean slowsMaps,
        Pauses pauses) {

    /**
     * Pauses that come again and again.
     *
     * @param every ms from the start of a pause to the start of the next one
     * @param millis length of a pause; 0 for none
     * @param from when one of them starts
     */
    public record Pauses(long every, long millis, long from) {
        static final Pauses NONE = new Pauses(1, 0, 0);

        private long sinceStart(long time) {
            return Math.floorMod(time - from, every);
        }
    }

    public static SimNode of(double factor) {
        return new SimNode(factor, Long.MAX_VALUE, factor, 1, 0, true, Pauses.NONE);
    }

    public SimNode degrading(long at, double to) {
        return new SimNode(factor, at, to, reduceFactor, stallMillis, slowsMaps, pauses);
    }

    public SimNode badDisk(double reduceSlowdown) {
        return new SimNode(factor, changesAt, later, reduceSlowdown, stallMillis, slowsMaps, pauses);
    }

    public SimNode stalling(long millis) {
        return new SimNode(factor, changesAt, later, reduceFactor, millis, slowsMaps, pauses);
    }

    /** All attempts on the node stand still for so long, again and again. */
    public SimNode pausing(long every, long millis, long from) {
        return new SimNode(
                factor, changesAt, later, reduceFactor, stallMillis, slowsMaps, new Pauses(every, millis, from));
    }

    /** Slow in reduces only, as the sleeping machines of section 5.4 are. */
    public SimNode reducesOnly() {
        return new SimNode(factor, changesAt, later, reduceFactor, stallMillis, false, pauses);
    }

    SimNode forMaps() {
        return slowsMaps ? this : of(1);
    }

    /** Milliseconds until the pause ends that there is at this time; 0 if there is none. */
    long pauseLeft(long time) {
        return Math.max(0, pauses.millis() - pauses.sinceStart(time));
    }

    /** When the pace changes next. */
    long nextChange(long time) {
        long pause = pauses.millis() == 0 ? Long.MAX_VALUE : time + pauses.every() - pauses.sinceStart(time);
        return time < changesAt ? Math.min(changesAt, pause) : pause;
    }

    double factorAt(long time) {
        return time >= changesAt ? later : factor;
    }
}
