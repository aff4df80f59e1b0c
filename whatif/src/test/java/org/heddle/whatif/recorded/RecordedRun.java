// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.outcome.Outcome;
import org.heddle.whatif.read.JobHistoryFiles;
import org.heddle.whatif.replay.Replay;
import org.heddle.whatif.scheduler.QueueFiles;
import org.heddle.whatif.scheduler.ReplayConfiguration;
import org.heddle.whatif.scheduler.SchedulerKind;

/** A run of MapReduce on a cluster under FairScheduler: the cluster, and its replay. Each user had one job. */
final class RecordedRun {
    static final int NODES = 4;
    static final Size NODE = new Size(2_048, 4);
    static final int JOBS = 6;

    static final String QUEUES = """
            <allocations>
              <defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>
              <queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>
              <queue name="etl"><weight>2</weight></queue>
              <queue name="adhoc"/>
              <queue name="science"><maxResources>1024 mb, 2 vcores</maxResources></queue>
              <queuePlacementPolicy><rule name="specified" create="false"/><rule name="reject"/></queuePlacementPolicy>
            </allocations>
            """;

    private RecordedRun() {}

    /**
     * The time from submission to end of each user's job.
     *
     * @param recordedMillis as the history says
     * @param replayedMillis in the replay with FairScheduler
     */
    record Times(long recordedMillis, long replayedMillis) {
        double ratio() {
            return (double) replayedMillis / recordedMillis;
        }

        @Override
        public String toString() {
            return recordedMillis + " ms recorded, " + replayedMillis + " ms replayed";
        }
    }

    /**
     * Replays the histories of a directory with the scheduler that they were recorded with.
     *
     * @param directory has the histories, the fair-scheduler.xml and the yarn-site.xml of the run
     * @return by user
     */
    static Map<String, Times> replay(Path directory, Path scratch) throws IOException {
        LogManager.getRootLogger().setLevel(Level.OFF);
        History history = JobHistoryFiles.read(directory.toString(), new Configuration(false), 512, sentence -> {});
        List<Size> nodes = Collections.nCopies(NODES, NODE);
        ReplayConfiguration.Prepared prepared = new ReplayConfiguration(
                        new QueueFiles(List.of(directory.resolve("fair-scheduler.xml"))),
                        ReplayConfiguration.site(List.of(directory.resolve("yarn-site.xml"))),
                        nodes,
                        scratch)
                .of(SchedulerKind.FAIR);
        Outcome outcome;
        try (Replay replay = new Replay(history, "fair", prepared.conf(), nodes, 1_000, false, sentence -> {})) {
            outcome = replay.run(prepared.remarks());
        }
        Map<String, Times> times = new TreeMap<>();
        for (Job job : history.jobs()) {
            times.put(
                    job.user(),
                    new Times(
                            job.finishedMillis() - job.submittedMillis(),
                            Objects.requireNonNull(outcome.users().get(job.user()), job.user())
                                    .jobTime()
                                    .p50Millis()));
        }
        return times;
    }

    /**
     * Each job takes nearly as long as it took.
     *
     * @param tolerance part of the recorded time, for example 0.1
     */
    static void assertNear(Map<String, Times> times, double tolerance) {
        assertThat(times).hasSize(JOBS);
        assertThat(times.values())
                .as("%s", times)
                .allSatisfy(one -> assertThat(one.ratio()).isBetween(1 - tolerance, 1 + tolerance));
    }
}
