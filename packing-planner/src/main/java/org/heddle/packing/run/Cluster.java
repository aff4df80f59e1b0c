// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.io.IOException;
import java.util.Map;
import org.heddle.packing.model.Job;

/** The cluster as the runner sees it: start a job with properties, and look at the jobs of a run. */
public interface Cluster extends AutoCloseable {
    /**
     * Starts a job; returns as soon as it is on its way.
     *
     * @param runId the run that {@link #jobs} will show it in
     * @param tag under which it will show it
     * @param properties on top of the job's own
     */
    Launch start(Job job, String runId, String tag, Map<String, String> properties) throws IOException;

    /** All jobs of a run by tag; the latest one if a tag was used several times. */
    Map<String, JobStatus> jobs(String runId) throws IOException;

    /** Whether the program that an earlier runner started under this tag and process id still runs. */
    boolean isAlive(String tag, long pid);

    /** Whether containers can ask for a resource of this name. */
    boolean knowsResource(String name) throws IOException;

    @Override
    void close();

    /** A job on its way to the cluster. */
    interface Launch {
        /** False once the program that submits the job has ended. */
        boolean isAlive();

        /** Process id of that program. */
        long pid();

        /** What it left behind, for the user. */
        String describe();
    }
}
