// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.jobs;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ApplicationReport;

/**
 * What the ResourceManager and the client know of an application that ended, in milliseconds since 1970.
 *
 * @param submits the client begins to submit it
 * @param accepted the ResourceManager has it
 * @param launched the container of its master is launched
 * @param unregistered its master has said how it ended
 */
record Submission(long submits, long accepted, long launched, long unregistered) {
    static Submission of(long submits, ApplicationReport report) {
        return new Submission(submits, report.getStartTime(), report.getLaunchTime(), report.getFinishTime());
    }

    static double seconds(long from, long until) {
        return (until - from) / 1e3;
    }

    /**
     * The figures that all jobs have, in seconds.
     *
     * @param begins the master requests its first containers, or begins its first stage
     */
    Map<String, Double> figures(long begins) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("wall time, s", seconds(submits, unregistered));
        figures.put("submission, s", seconds(submits, accepted));
        figures.put("master's container, s", seconds(accepted, launched));
        figures.put("master's start, s", seconds(launched, begins));
        return figures;
    }
}
