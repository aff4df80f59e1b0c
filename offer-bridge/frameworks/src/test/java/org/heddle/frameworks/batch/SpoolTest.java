// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
    @TempDir
    Path directory;

    @Test
    void jobsArriveInTheirOrderAndDeletionsAfterThem() throws Exception {
        Path home = directory.resolve("batch");
        Spool spool = new Spool(home);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
                .isEqualTo("rwx------");
        for (int i = 1; i <= 11; i++) {
            assertThat(spool.submit(JobQueueTest.job(i, false))).isEqualTo(Integer.toString(i));
        }
        spool.delete("2");
        List<Spool.Message> messages = spool.messages();
        assertThat(messages)
                .extracting(Spool.Message::id)
                .containsExactly("1", "2", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11");
        assertThat(messages.get(1).job()).isEqualTo(JobQueueTest.job(2, false));
        assertThat(messages.get(2).job()).isNull();
        assertThat(new Spool(home).submit(JobQueueTest.job(1, false)))
                .as("with a new process")
                .isEqualTo("12");
    }

    @Test
    void theQueueComesBackAsItWas() throws Exception {
        Spool spool = new Spool(directory);
        assertThat(spool.load().jobs()).isEmpty();
        Job job = Job.of("7", JobQueueTest.job(2, true), 42);
        Part part = job.parts().get(1);
        part.state = Part.State.RUNNING;
        part.startedAt = 99;
        part.launches = 3;
        part.note = "a \"note\"";
        part.tasks.put("7.1.0.2", "agent");
        spool.save("framework-1", null, List.of(job));
        Spool.Saved saved = spool.load();
        assertThat(saved.framework()).isEqualTo("framework-1");
        assertThat(saved.jobs()).usingRecursiveComparison().isEqualTo(List.of(job));
    }

    @Test
    void anotherFormatIsRefused() throws Exception {
        Spool spool = new Spool(directory);
        Files.writeString(directory.resolve("queue.json"), "{\"format\":\"heddle-batch\",\"version\":2,\"jobs\":[]}");
        assertThatThrownBy(spool::load).hasMessageContaining("version 2: this program knows heddle-batch 1");
        Files.writeString(directory.resolve("queue.json"), "{\"format\":");
        assertThatThrownBy(spool::load).hasMessageContaining("queue.json cannot be read");
    }

    @Test
    void aFileThatIsNoJobIsPutAside() throws Exception {
        Spool spool = new Spool(directory);
        Files.writeString(directory.resolve("incoming/3.job"), "{\"tasks\":-1}");
        Files.writeString(directory.resolve("incoming/4.job"), "rubbish");
        Files.writeString(directory.resolve("incoming/.5.job.tmp"), "half");
        assertThat(spool.messages()).isEmpty();
        assertThat(directory.resolve("incoming/3.job.bad")).exists();
        assertThat(directory.resolve("incoming/4.job.bad")).exists();
    }

    @Test
    void oneDaemonAtATime() throws Exception {
        new Spool(directory).lock();
        assertThatThrownBy(() -> new Spool(directory).lock()).hasMessageStartingWith("another daemon works on ");
    }
}
