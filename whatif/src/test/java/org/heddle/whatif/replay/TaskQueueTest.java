// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;
import org.junit.jupiter.api.Test;

class TaskQueueTest {
    private final TaskQueue queue = new TaskQueue(new TaskGroup(TaskKind.MAP, new Size(1_024, 1), new long[] {10, 20}));

    @Test
    void nothingIsRequestedBeforeItIsOpen() {
        assertThat(queue.requested()).isZero();
        assertThat(queue.give(5)).isNull();
        assertThat(queue.oldestMillis()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void tasksComeInOrderAndThoseThatAreRepeatedCountFromTheirSecondRequest() {
        queue.open(100);
        assertThat(queue.requested()).isEqualTo(2);
        assertThat(queue.give(130)).isEqualTo(new TaskQueue.Given(0, 30));
        queue.repeat(0, 140);
        assertThat(queue.requested()).isEqualTo(2);
        assertThat(queue.oldestMillis()).isEqualTo(100);
        assertThat(queue.give(150)).isEqualTo(new TaskQueue.Given(1, 50));
        assertThat(queue.oldestMillis()).isEqualTo(140);
        assertThat(queue.give(160)).isEqualTo(new TaskQueue.Given(0, 20));
        assertThat(queue.give(170)).isNull();
        queue.end();
        assertThat(queue.isDone()).isFalse();
        queue.end();
        assertThat(queue.isDone()).isTrue();
    }
}
