// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.journal.FullDisk;
import org.heddle.packing.model.Job;
import org.heddle.settings.Clocks;

/**
 * A cluster on a virtual clock: a job takes ten seconds unless told otherwise, and the jobs in {@code failing} fail.
 */
final class FakeCluster implements Cluster {
    static final long JOB_MILLIS = 10_000;

    /** Stands for kill -9: the runner gets no further. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Polls until the runner is killed; a runner that never ends is killed as well. */
    int pollsLeft = 1_000;

    long now = 1_000_000;
    /** What the date is wrong by. */
    long step;

    final Clocks clocks = new Clocks(() -> now, () -> now + step);
    final List<String> started = new ArrayList<>();
    final Set<String> failing = new HashSet<>();
    /** How long jobs take that do not take ten seconds. */
    final Map<String, Long> millis = new HashMap<>();
    /** Jobs whose program ends without submitting an application. */
    final Set<String> lost = new HashSet<>();
    /** Jobs whose program goes on for ever. */
    final Set<String> lingering = new HashSet<>();

    final Map<String, Map<String, String>> properties = new HashMap<>();
    private final Map<String, JobStatus> known = new HashMap<>();
    private final Map<Integer, Runnable> later = new HashMap<>();
    private int polls;

    /** What is written before a job is started. */
    FullDisk.Work<Path> files = () -> Path.of("none");

    @Override
    public Launch start(Job job, String runId, String tag, Map<String, String> limits) throws IOException {
        files.run();
        started.add(job.name());
        properties.put(job.name(), limits);
        boolean fails = failing.contains(job.name());
        if (!lost.contains(job.name())) {
            known.put(
                    tag,
                    new JobStatus(
                            tag,
                            "application_" + started.size(),
                            fails ? JobStatus.State.FAILED : JobStatus.State.SUCCEEDED,
                            now + 1_000,
                            now + millis.getOrDefault(job.name(), JOB_MILLIS),
                            0,
                            1,
                            fails ? "asked to fail" : ""));
        }
        return new Launch() {
            @Override
            public boolean isAlive() {
                return lingering.contains(job.name());
            }

            @Override
            public long pid() {
                return 4_194_304L + started.size(); // beyond Linux's largest
            }

            @Override
            public String describe() {
                return "fake";
            }
        };
    }

    /** The {@link Execution.Pause} of a runner: a second passes. */
    void untilNextPoll() {
        if (pollsLeft-- == 0) {
            throw new Killed();
        }
        now += 1_000;
        polls++;
        later.getOrDefault(polls, () -> {}).run();
    }

    /** Does something during a run. */
    void afterPolls(int count, Runnable action) {
        later.put(count, action);
    }

    /** The ResourceManager forgets everything. */
    void forget() {
        known.clear();
    }

    @Override
    public Map<String, JobStatus> jobs(String runId) {
        Map<String, JobStatus> seen = new HashMap<>();
        known.forEach((tag, end) -> {
            boolean over = now >= end.finishMillis();
            seen.put(
                    tag,
                    over
                            ? end
                            : new JobStatus(
                                    tag, end.application(), JobStatus.State.RUNNING, end.startMillis(), 0, 3, 0.5, ""));
        });
        return seen;
    }

    @Override
    public boolean isAlive(String tag, long pid) {
        return false;
    }

    @Override
    public boolean knowsResource(String name) {
        return true;
    }

    @Override
    public void close() {}
}
