// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

/**
 * The status of one job in YARN.
 *
 * @param tag the tag it was started with
 * @param application id of the YARN application
 * @param state of the job
 * @param startMillis when it was submitted, epoch
 * @param finishMillis when it ended, epoch; 0 while it runs
 * @param containers containers it holds now, its ApplicationMaster among them
 * @param progress 0 .. 1
 * @param trouble message of YARN about a failure; empty otherwise
 */
public record JobStatus(
        String tag,
        String application,
        State state,
        long startMillis,
        long finishMillis,
        int containers,
        double progress,
        String trouble) {
    /** Life of a job. */
    public enum State {
        RUNNING,
        SUCCEEDED,
        FAILED
    }
}
