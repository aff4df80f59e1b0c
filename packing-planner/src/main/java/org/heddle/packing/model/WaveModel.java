// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.Locale;

/**
 * F(n) = offset + ceil(tasks / n) taskSeconds: equal tasks run in waves, so the time is a staircase.
 * It describes map-only jobs with few tasks better than any smooth curve.
 *
 * @param tasks tasks of the job, &gt;= 1
 * @param taskSeconds seconds of one wave, &gt; 0
 * @param offset seconds outside the waves (start, commit), &gt;= 0
 */
public record WaveModel(int tasks, double taskSeconds, double offset) implements RuntimeModel {
    @Override
    public double seconds(int vms) {
        return offset + waves(tasks, vms) * taskSeconds;
    }

    @Override
    public WaveModel plus(double seconds) {
        return new WaveModel(tasks, taskSeconds, offset + seconds);
    }

    @Override
    public WaveModel times(double factor) {
        return new WaveModel(tasks, taskSeconds * factor, offset * factor);
    }

    /** Rounds that {@code tasks} equal tasks need on {@code vms} VMs. */
    public static int waves(int tasks, int vms) {
        return (tasks + vms - 1) / vms;
    }

    @Override
    public String formula() {
        return String.format(Locale.ROOT, "%.6g + ceil(%d/n) x %.6g", offset, tasks, taskSeconds);
    }
}
