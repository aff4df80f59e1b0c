// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.Arrays;

/**
 * The progress of an attempt over time, as straight lines between points. The start of the attempt fixes the points.
 */
final class ProgressCurve {
    private long[] at = new long[8];
    private double[] score = new double[8];
    private int points;

    ProgressCurve(long start) {
        add(start, 0);
    }

    /** A point; times must not go back. */
    ProgressCurve add(long time, double value) {
        if (points == at.length) {
            at = Arrays.copyOf(at, 2 * points);
            score = Arrays.copyOf(score, 2 * points);
        }
        at[points] = time;
        score[points++] = value;
        return this;
    }

    long end() {
        return at[points - 1];
    }

    double last() {
        return score[points - 1];
    }

    double at(long time) {
        if (time >= end()) {
            return last();
        }
        int next = 1;
        while (at[next] <= time) {
            next++;
        }
        double share = at[next] == at[next - 1] ? 1 : (double) (time - at[next - 1]) / (at[next] - at[next - 1]);
        return score[next - 1] + share * (score[next] - score[next - 1]);
    }

    /** Adds {@code work} ms (on the fastest node) of progress up to score {@code to} on a node, honouring changes. */
    ProgressCurve work(double work, double to, SimNode node, double extraFactor) {
        double from = last();
        double left = work;
        long now = end();
        while (left > 1e-6) {
            long pause = node.pauseLeft(now);
            if (pause > 0) {
                now += pause;
                add(now, last());
            }
            double pace = node.factorAt(now) * extraFactor;
            double until = Math.min(left * pace, (double) (node.nextChange(now) - now));
            left -= until / pace;
            now += Math.round(until);
            add(now, left > 1e-6 ? from + (to - from) * (1 - left / Math.max(work, 1e-9)) : to);
        }
        return this;
    }
}
