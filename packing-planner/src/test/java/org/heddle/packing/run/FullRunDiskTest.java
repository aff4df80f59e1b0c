// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.heddle.journal.FullDisk;
import org.heddle.packing.SearchSteps;
import org.heddle.packing.model.Plan;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.testkit.machine.SmallDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The directory of a run on a file system that is really full. */
class FullRunDiskTest {
    private static final int ENDS = 20;

    @Test
    void theRunWaitsForRoomAndNotesEachEventOnce(@TempDir Path disk) throws Exception {
        SmallDisk.run(FullRunDiskTest.class, disk);
    }

    /** The program on the small disk. */
    public static void main(String[] args) throws Exception {
        Path disk = Path.of(args[0]);
        aNewPlanAndTheFilesOfAJobAreWrittenWhenThereIsRoom(disk, Files.createDirectory(disk.resolve("run")));
        List<String> told = new ArrayList<>();
        try (RunJournal journal = new RunJournal(disk, () -> makeRoom(disk, told.size()), told::add)) {
            SmallDisk.fill(disk);
            for (int i = 1; i <= ENDS; i++) {
                journal.noteLaunch("job", new RunJournal.Launched(0, i, ""));
                journal.noteSubmitter("job", 0, i);
                journal.noteEnd("job", failure(i));
            }
            check(journal);
        }
        assertThat(told)
                .hasSize(5)
                .allMatch(why -> why.startsWith(disk.resolve("journal") + " cannot be written, because its disk"));
        SmallDisk.fill(disk);
        told.clear();
        try (RunJournal journal = new RunJournal(disk, () -> makeRoom(disk, told.size()), told::add)) {
            check(journal);
        }
        assertThat(told).as("it starts on a full disk").hasSize(5);
    }

    /**
     * The disk is full when a job has failed, and again when one is to be started: the run waits for room both times.
     */
    private static void aNewPlanAndTheFilesOfAJobAreWrittenWhenThereIsRoom(Path disk, Path run) throws Exception {
        FakeCluster cluster = new FakeCluster();
        cluster.failing.add("b");
        List<String> told = new ArrayList<>();
        Execution.Listener listener = new Execution.Listener() {
            @Override
            public void polled(int phase, int phases, Map<String, JobStatus> running) {}

            @Override
            public void waits(String why) {
                told.add(why);
            }

            @Override
            public void ended(String job, JobStatus status) {
                if (cluster.failing.remove(job)) {
                    fill(disk);
                    cluster.files = () -> aFile(disk, cluster);
                }
            }

            @Override
            public void replanned(Plan plan, List<String> leftOut) {}
        };
        Execution.Pause pause = () -> {
            cluster.untilNextPoll();
            if (!told.isEmpty() && told.size() % 5 == 0) {
                told.add("there is room");
                makeRoom(disk, 5);
            }
        };
        RunOutcome outcome = new Execution(cluster, run, "Run-1", "disk", cluster.clocks, pause, listener)
                .run(
                        ExecutionTest.PROBLEM,
                        ExecutionTest.ONE_BY_ONE,
                        left -> new PhasedPlanner().plan(left, SearchSteps.limit(2_000)));
        assertThat(outcome.succeeded(ExecutionTest.PROBLEM)).isTrue();
        assertThat(cluster.started).containsExactlyInAnyOrder("a", "b", "b", "c");
        assertThat(run.resolve("plan-1.json")).isNotEmptyFile();
        assertThat(told)
                .filteredOn(why -> why.startsWith(run + " cannot be written, because its disk"))
                .hasSize(9);
        assertThat(told).hasSize(11);
    }

    /** The first one comes when the disk is full. */
    private static Path aFile(Path disk, FakeCluster cluster) throws IOException {
        cluster.files = () -> written(disk);
        fill(disk);
        return written(disk);
    }

    private static Path written(Path disk) throws IOException {
        Path run = disk.resolve("run");
        return FullDisk.noticed(run, () -> {
            YarnCluster.write(new Configuration(false), run.resolve("core-site.xml"));
            return run;
        });
    }

    private static void fill(Path disk) {
        try {
            SmallDisk.fill(disk);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void makeRoom(Path disk, int attempts) {
        if (attempts == 5) {
            try {
                SmallDisk.makeRoom(disk);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static RunJournal.Ended failure(int number) {
        String trouble = "x".repeat(1_000);
        JobStatus status = new JobStatus("job", "none", JobStatus.State.FAILED, number, number, 0, 1, trouble);
        return new RunJournal.Ended(0, number, status, 1, number);
    }

    private static void check(RunJournal journal) {
        assertThat(journal.failures("job")).isEqualTo(ENDS);
        assertThat(journal.launched("job")).isEqualTo(new RunJournal.Launched(0, ENDS, ""));
        assertThat(journal.submitter("job")).isEqualTo(ENDS);
    }
}
