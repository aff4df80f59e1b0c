// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.heddle.testkit.attack.ForeignXml;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own sample histories. */
class JobHistoryFilesTest {
    private static final List<String> FILES = List.of(
            "job_1329348432655_0001-1329348443227-user-Sleep+job-1329348468601-10-1-SUCCEEDED-default.jhist",
            "job_1329348432655_0001_conf.xml",
            "job_1416424547277_0002-1416424775281-root-TeraGen-1416424785433-2-0-SUCCEEDED-default-1416424779349.jhist");

    @TempDir
    private Path directory;

    private History read() throws IOException {
        return JobHistoryFiles.read(directory.toString(), new Configuration(false), 512, sentence -> {});
    }

    private void copy() throws IOException {
        for (String name : FILES) {
            try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("/" + name), name)) {
                Files.copy(in, directory.resolve(name));
            }
        }
    }

    /** The configurations are what those wrote who submitted the jobs. */
    @Test
    void aConfigurationThatNamesAnotherFileIsLeftOut(@TempDir Path mine) throws IOException {
        copy();
        try (ForeignXml foreign = new ForeignXml(mine, MRJobConfig.MAP_CPU_VCORES)) {
            for (Map.Entry<String, String> hostile : foreign.using().entrySet()) {
                Files.writeString(directory.resolve(FILES.get(1)), hostile.getValue());
                History history = read();
                assertThat(history.jobs())
                        .as(hostile.getKey())
                        .extracting(Job::id)
                        .containsExactly("job_1416424547277_0002");
                assertThat(history.remarks())
                        .as(hostile.getKey())
                        .anyMatch(remark -> remark.contains(FILES.get(1) + ": not a job's configuration"))
                        .noneMatch(remark -> remark.contains(ForeignXml.SECRET));
            }
            for (Map.Entry<String, String> hostile : foreign.declaring().entrySet()) {
                Files.writeString(directory.resolve(FILES.get(1)), hostile.getValue());
                assertThat(read().jobs()).as(hostile.getKey()).hasSize(2);
            }
            assertThat(foreign.requests()).isZero();
        }
    }

    @Test
    void aJobWithAValueThatIsNoNumberIsLeftOut() throws IOException {
        copy();
        Files.writeString(
                directory.resolve(FILES.get(1)),
                "<configuration><property><name>" + MRJobConfig.MR_AM_VMEM_MB
                        + "</name><value>${user.home}</value></property></configuration>");
        History history = read();
        assertThat(history.jobs()).extracting(Job::id).containsExactly("job_1416424547277_0002");
        assertThat(history.remarks())
                .anyMatch(remark -> remark.contains(FILES.get(1) + " has a value that no job can have"))
                .noneMatch(remark -> remark.contains(System.getProperty("user.home")));
    }

    @Test
    void jobsWithTheirTasksAndTimes() throws IOException {
        copy();
        Files.writeString(directory.resolve("torn.jhist"), "no history");
        History history = read();
        assertThat(history.jobs())
                .extracting(Job::id)
                .containsExactly("job_1329348432655_0001", "job_1416424547277_0002");
        Job sleep = history.jobs().get(0);
        assertThat(sleep.user()).isEqualTo("user");
        assertThat(sleep.queue()).isEqualTo("default");
        assertThat(sleep.finishedMillis() - sleep.submittedMillis()).isEqualTo(25_374);
        assertThat(sleep.tasks()).as("10 maps, 2 reduces").isEqualTo(12);
        assertThat(sleep.groups()).extracting(TaskGroup::kind).containsExactlyInAnyOrder(TaskKind.MAP, TaskKind.REDUCE);
        assertThat(sleep.groups())
                .allSatisfy(group -> assertThat(
                                Arrays.stream(group.millis()).boxed().toList())
                        .allMatch(millis -> millis >= 0 && millis < 25_374));
        assertThat(history.remarks())
                .anyMatch(remark -> remark.startsWith("1 file is left out; the first: "))
                .anyMatch(remark -> remark.startsWith("1 of 2 jobs have no _conf.xml"));
    }

    @Test
    void whatCannotBeReadIsSaidInOneSentence() throws IOException {
        assertThatThrownBy(() ->
                        JobHistoryFiles.read(directory + "/missing", new Configuration(false), 512, sentence -> {}))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining(
                        "/missing does not exist, neither on this machine nor in file:///; give the directory with the .jhist files");
        assertThatThrownBy(this::read).hasMessageContaining("has no .jhist file of a job that ran");
        Files.writeString(directory.resolve("notes.jhist"), "no history");
        assertThatThrownBy(this::read).hasMessageContaining("notes.jhist: it is no job history");
    }
}
