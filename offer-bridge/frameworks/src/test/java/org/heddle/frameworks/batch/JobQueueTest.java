// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.heddle.frameworks.offers.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobQueueTest {
    private static final Size CAPACITY = new Size(4, 4096);

    private final JobQueue queue = new JobQueue(List.of());

    static JobSpec job(int tasks, boolean array) {
        return new JobSpec("n", "true", tasks, 1, 256, 60, array, "", false);
    }

    private Part part(String id, int index) {
        Job job = queue.job(id);
        assertThat(job).isNotNull();
        return job.parts().get(index);
    }

    private Part run(String id, int index, String agent, long at) {
        Part part = part(id, index);
        part.state = Part.State.STARTING;
        queue.running(part, at);
        part.tasks.put(id + "." + index, agent);
        return part;
    }

    @Test
    void arraysStartAsFarAsThereIsRoomAndRigidJobsAsAWhole() {
        queue.submit("1", job(6, true), 0);
        assertThat(queue.start(CAPACITY, 0)).extracting(part -> part.index).containsExactly(0, 1, 2, 3);
        queue.submit("2", job(3, false), 0);
        queue.over(part("1", 0), Part.State.DONE, "", 1);
        queue.over(part("1", 1), Part.State.DONE, "", 1);
        assertThat(queue.start(CAPACITY, 1))
                .as("the array came first")
                .extracting(part -> part.job)
                .containsExactly("1", "1");
        for (int i = 2; i < 6; i++) {
            queue.over(part("1", i), Part.State.DONE, "", 2);
        }
        assertThat(queue.start(CAPACITY, 2)).hasSize(1);
        assertThat(queue.sizeOf(part("2", 0))).isEqualTo(new Size(3, 768));
    }

    @Test
    void aPreemptedPartHasItsOldPlace() {
        queue.submit("1", job(4, false), 0);
        queue.submit("2", job(4, false), 0);
        queue.start(CAPACITY, 0);
        queue.running(part("1", 0), 0);
        queue.requeue(part("1", 0), "preempted");
        assertThat(queue.start(CAPACITY, 5)).extracting(part -> part.job).containsExactly("1");
    }

    @Test
    void aPartIsDoneWhenAllItsTasksAre() {
        queue.submit("1", job(2, false), 0);
        queue.start(CAPACITY, 0);
        Part part = part("1", 0);
        part.tasks.put("a", "x");
        part.tasks.put("b", "x");
        assertThat(queue.finished(part, "a", 1)).isFalse();
        assertThat(queue.owner("b")).isSameAs(part);
        assertThat(queue.owner("a")).isNull();
        assertThat(queue.finished(part, "b", 2)).isTrue();
        assertThat(part.state).isEqualTo(Part.State.DONE);
    }

    @Test
    void walltimeBeginsWhenThePartRuns() {
        queue.submit("1", job(1, false), 0);
        queue.start(CAPACITY, 0);
        assertThat(queue.overdue(1_000_000)).isEmpty();
        queue.running(part("1", 0), 1_000_000);
        assertThat(queue.overdue(1_059_999)).isEmpty();
        assertThat(queue.overdue(1_060_000)).containsExactly(part("1", 0));
    }

    @Test
    void theYoungestPartsGoFirst() {
        queue.submit("1", job(4, true), 0);
        run("1", 0, "x", 10);
        run("1", 1, "y", 30);
        run("1", 2, "x", 20);
        run("1", 3, "x", 5);
        assertThat(queue.victims(new Size(1, 1), ""))
                .extracting(part -> part.index)
                .containsExactly(1);
        assertThat(queue.victims(new Size(1, 257), "x"))
                .extracting(part -> part.index)
                .containsExactly(2, 0);
        assertThat(queue.victims(new Size(100, 1), "y")).hasSize(1);
        assertThat(queue.victims(new Size(1, 1), "z")).isEmpty();
    }

    @Test
    void anIdIsTakenOnce() {
        assertThat(queue.submit("1", job(1, false), 0)).isTrue();
        assertThat(queue.submit("1", job(1, false), 0)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0     | 1 | 256 | 60 | 0 tasks: must be 1 to 10000
                    10001 | 1 | 256 | 60 | 10001 tasks: must be 1 to 10000
                    1     | 0 | 256 | 60 | --cpus 0.0 --mem 256.0: must be above 0, and memory at least 1 MiB
                    1     | NaN | 256 | 60 | --cpus NaN --mem 256.0: must be above 0, and memory at least 1 MiB
                    1     | 1 | 256 | 0  | --walltime of 0 s: must be 1 s to 366 days
                    """)
    void nonsenseIsRefused(int tasks, double cpus, double mem, long walltime, String message) {
        assertThatThrownBy(() -> new JobSpec("n", "true", tasks, cpus, mem, walltime, false, "", false))
                .hasMessage(message);
    }

    @Test
    void onlyArraysAreSpeculated() {
        assertThatThrownBy(() -> new JobSpec("n", "true", 1, 1, 1, 1, false, "", true))
                .hasMessageContaining("--array");
    }
}
