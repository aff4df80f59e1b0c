// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.jobhistory.HistoryEvent;
import org.apache.hadoop.mapreduce.jobhistory.HistoryFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both commands answer a file that they cannot use in one sentence. */
@Tag("newer-line")
class BadHistoriesTest {
    private static final JobID JOB = new JobID("1", 1);

    @TempDir
    private Path dir;

    private byte[] whole = {};

    @BeforeEach
    void write() throws IOException {
        whole = Files.readAllBytes(history("whole.jhist", Histories.wonBackup(JOB)));
    }

    private Path history(String name, List<HistoryEvent> events) throws IOException {
        Path file = dir.resolve(name);
        HistoryFile.write(file, events);
        return file;
    }

    private void refused(Path file, String why) {
        refused(file.toString(), why);
    }

    private void refused(String file, String why) {
        Path picture = dir.resolve("refused.png");
        for (String answer : List.of(
                ReplayCommand.run("replay", file),
                ReplayCommand.run("timeline", "--picture", picture.toString(), file))) {
            assertThat(answer).contains(file).contains(why).endsWith("exit 1");
            assertThat(answer.lines()).as(answer).hasSize(2); // the sentence and the exit code
        }
        assertThat(picture).doesNotExist();
    }

    @Test
    void aCutHistoryIsRefused() throws IOException {
        for (int part = 1; part < 20; part++) {
            int length = whole.length * part / 20;
            Path cut = Files.write(dir.resolve("cut.jhist"), Arrays.copyOf(whole, length));
            refused(cut, "cannot be read to the end of its job: a part of the file is missing");
        }
        List<HistoryEvent> events = Histories.wonBackup(JOB);
        Path running = history("running.jhist", events.subList(0, events.size() - 1));
        refused(running, "or the job had not ended when it was copied");
    }

    @Test
    void aFileThatIsNoHistoryIsRefused() throws IOException {
        refused(Files.createFile(dir.resolve("empty.jhist")), "is not a job history file: it is empty");
        refused(
                Files.writeString(dir.resolve("job.xml"), "<configuration/>"),
                "its first line is neither Avro-Json nor");
        refused(Files.write(dir.resolve("one.jhist"), new byte[] {0x1f}), "its first line is neither");
        Path compressed = dir.resolve("whole.jhist.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
            out.write(whole);
        }
        refused(compressed, "it is compressed; unpack it with gunzip first");
        refused(Files.createDirectory(dir.resolve("done")), "is a directory; give a .jhist file in it");
    }

    @Test
    void aMissingFileIsRefused() {
        refused(dir.resolve("none.jhist"), "does not exist; give the .jhist of a finished job");
        refused("", "cannot be read: Can not create a Path from an empty string");
        refused("one two:three", "cannot be read: ");
        refused("nosuch://host/job.jhist", "No FileSystem for scheme");
    }

    @Test
    void aJobWithoutMapsIsReadAndAJobWithoutTasksIsRefused() throws IOException {
        Path reduce = history("reduce.jhist", Histories.onlyReduce(JOB));
        assertThat(ReplayCommand.run("replay", reduce.toString()))
                .contains("as recorded         30.0        0     0          0.0")
                .endsWith("exit 0");
        refused(history("nothing.jhist", Histories.noTask(JOB)), "contains no attempt that ran");
    }

    @Test
    void aFailedJobIsShownAsOne() throws IOException {
        Path failed = history("failed.jhist", Histories.failedMap(JOB));
        assertThat(ReplayCommand.run("replay", failed.toString()))
                .contains("job_1_0001 ended as FAILED after 30.0 s; give the history of a job that succeeded")
                .endsWith("exit 1");
        Path picture = dir.resolve("failed.png");
        assertThat(ReplayCommand.run("timeline", "--picture", picture.toString(), failed.toString()))
                .contains("failed, FAILED")
                .contains("30.0")
                .endsWith("exit 0");
        assertThat(picture).exists();
    }

    /** A node whose clock is two years ahead. */
    @Test
    void aTimeOutOfTheJobIsCutToIt() throws IOException {
        Path odd = history("odd.jhist", Histories.lateReduce(JOB, 63_000_000_000L));
        assertThat(ReplayCommand.run("replay", odd.toString()))
                .contains("as recorded         31.0        0     0          0.0")
                .endsWith("exit 0");
    }

    @Test
    void aPictureThatCannotBeWrittenIsNamed() throws IOException {
        String whole = dir.resolve("whole.jhist").toString();
        Path pictures = Files.createDirectory(dir.resolve("pictures"));
        for (String command : List.of("replay", "timeline")) {
            assertThat(ReplayCommand.run(command, "--picture", pictures.toString(), whole))
                    .contains("pictures is a directory; give the name of the PNG file to write")
                    .endsWith("exit 1");
            assertThat(pictures).isDirectory();
            assertThat(ReplayCommand.run(
                            command, "--picture", dir.resolve("no/such.png").toString(), whole))
                    .contains("such.png was not written: its directory does not exist")
                    .doesNotContain("\tat ")
                    .endsWith("exit 1");
        }
    }
}
