// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.io.IOException;
import java.util.Map;
import org.heddle.packing.model.Job;

/** The cluster for the runner: it starts jobs and reads the state of the jobs of a run. */
public interface Cluster extends AutoCloseable {
    /**
     * Starts the program that submits a job, and returns at once.
     *
     * @param runId id of the run, for {@link #jobs}
     * @param tag key of the job in {@link #jobs}
     * @param properties in addition to those of the job
     * @throws org.heddle.journal.UnavailableException if the disk is full; the program was not started
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

    /** A started program that submits a job. */
    interface Launch {
        /** False once the program that submits the job has ended. */
        boolean isAlive();

        /** Process id of that program. */
        long pid();

        /** How the program ended, as text for the user. */
        String describe();
    }
}
