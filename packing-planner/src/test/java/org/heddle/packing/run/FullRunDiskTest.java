// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.testkit.SmallDisk;
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
    public static void main(String[] args) throws IOException {
        Path disk = Path.of(args[0]);
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
