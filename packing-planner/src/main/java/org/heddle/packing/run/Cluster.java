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
     * @param tag under which {@link #jobs} will show it
     * @param properties on top of the job's own
     */
    Launch start(Job job, String tag, Map<String, String> properties) throws IOException;

    /** All jobs whose tags begin with a prefix, by tag; the latest one if a tag was used twice. */
    Map<String, JobStatus> jobs(String tagPrefix) throws IOException;

    /** Whether containers can ask for a resource of this name. */
    boolean knowsResource(String name) throws IOException;

    @Override
    void close();

    /** A job on its way to the cluster. */
    interface Launch {
        /** False once the program that submits the job has ended. */
        boolean isAlive();

        /** What it left behind, for the user. */
        String describe();
    }
}
