// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;

/**
 * What goes wrong in a run apart from the nodes' speeds.
 *
 * @param completeFrom share of its work from which an attempt on a slow node reports 1.0; 1 for never
 * @param silentFrom share of its work from which an attempt on a slow node reports nothing; 1 for never
 * @param noise share of the reports that is NaN, and as much of each of: -0.5, 2, infinite, 0.3 of the truth
 * @param clamped whether such reports pass through Hadoop's {@code Progress.set}, as those of real tasks do
 * @param jumpAfter ms from the start of the job until the ApplicationMaster's clock jumps
 * @param jumpBy ms by which it jumps; 0 for a clock that does not jump
 * @param mapSteps random pauses of which a map consists (contended processors); 0 for steady work
 * @param score of an attempt after a part of its work
 * @param createdAfter ms from the start of the job until the speculator is told that the job exists
 */
public record Faults(
        double completeFrom,
        double silentFrom,
        double noise,
        boolean clamped,
        long jumpAfter,
        long jumpBy,
        int mapSteps,
        DoubleUnaryOperator score,
        long createdAfter) {

    public static final Faults NONE = new Faults(1, 1, 0, false, 0, 0, 0, DoubleUnaryOperator.identity(), 0);

    public static Faults completeFrom(double share) {
        return new Faults(share, 1, 0, false, 0, 0, 0, DoubleUnaryOperator.identity(), 0);
    }

    public static Faults silentFrom(double share) {
        return new Faults(1, share, 0, false, 0, 0, 0, DoubleUnaryOperator.identity(), 0);
    }

    public static Faults noise(double share, boolean clamped) {
        return new Faults(1, 1, share, clamped, 0, 0, 0, DoubleUnaryOperator.identity(), 0);
    }

    public static Faults clockJump(long after, long by) {
        return new Faults(1, 1, 0, false, after, by, 0, DoubleUnaryOperator.identity(), 0);
    }

    public static Faults contended(int mapSteps) {
        return new Faults(1, 1, 0, false, 0, 0, mapSteps, DoubleUnaryOperator.identity(), 0);
    }

    /** @param score of an attempt after a part of its work */
    public static Faults score(DoubleUnaryOperator score) {
        return new Faults(1, 1, 0, false, 0, 0, 0, score, 0);
    }

    /** A score that goes up in steps. */
    public static Faults scoreSteps(int steps) {
        return score(work -> Math.floor(work * steps) / steps);
    }

    public static Faults createdAfter(long millis) {
        return new Faults(1, 1, 0, false, 0, 0, 0, DoubleUnaryOperator.identity(), millis);
    }

    float scoreAfter(double work) {
        return (float) score.applyAsDouble(work);
    }

    /** What the speculator is told in place of a true score; the score itself if all is well. */
    float report(float truth, SimNode node, Random random) {
        if (node.factor() > 1 && truth >= completeFrom) {
            return 1;
        }
        double draw = noise > 0 ? random.nextDouble() : 1;
        int kind = draw < 5 * noise ? (int) (draw / noise) : -1;
        return switch (kind) {
            case 0 -> clamped ? 0 : Float.NaN;
            case 1 -> clamped ? 0 : -0.5f;
            case 2 -> clamped ? 1 : 2;
            case 3 -> clamped ? 1 : Float.POSITIVE_INFINITY;
            case 4 -> 0.3f * truth;
            default -> truth;
        };
    }

    boolean silent(float truth, SimNode node) {
        return node.factor() > 1 && truth >= silentFrom;
    }
}
