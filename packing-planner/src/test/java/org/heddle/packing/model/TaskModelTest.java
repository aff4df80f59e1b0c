// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TaskModelTest {
    @Test
    void mapsThenReducesByListScheduling() {
        TaskModel model = TaskModel.ofMapsAndReduces(List.of(3.0, 2.0, 2.0, 1.0), List.of(5.0, 4.0), 10);
        assertThat(model.seconds(1)).isEqualTo(10 + 8 + 9);
        assertThat(model.seconds(2)).as("maps 3+1, 2+2").isEqualTo(10 + 4 + 5);
        assertThat(model.seconds(100)).isEqualTo(10 + 3 + 5);
        assertThat(model.times(2).plus(1).seconds(2)).isEqualTo(2 * 19 + 1);
        assertThat(model.formula()).isEqualTo("10.0000 + 4 tasks of 2.000, then 2 tasks of 4.500 on n VMs");
    }

    /** Two stages beside each other, and one after both, on executors of two cores. */
    @Test
    void stagesWaitForEachOther() {
        TaskModel model = new TaskModel(
                List.of(
                        new TaskModel.Stage(List.of(4.0, 4.0), List.of()),
                        new TaskModel.Stage(List.of(2.0), List.of()),
                        new TaskModel.Stage(List.of(1.0, 1.0, 1.0, 1.0), List.of(0, 1)),
                        new TaskModel.Stage(List.of(), List.of(2)),
                        new TaskModel.Stage(List.of(3.0), List.of(3))),
                2,
                1);
        assertThat(model.seconds(1))
                .as("4 and 4, 2, then 1 and 1 twice, then 3")
                .isEqualTo(1 + 4 + 2 + 2 + 3);
        assertThat(model.seconds(2)).as("4, 4 and 2, then all four, then 3").isEqualTo(1 + 4 + 1 + 3);
        assertThat(model.seconds(1_000)).isEqualTo(model.seconds(2));
        assertThat(model.formula()).isEqualTo("1.00000 + 8 tasks of 2.125 in 5 stages on 2 n slots");
        assertThatThrownBy(() -> new TaskModel(List.of(new TaskModel.Stage(List.of(1.0), List.of(0))), 1, 0))
                .hasMessage("stage 0 waits for stage 0");
    }

    @Test
    void itIsWhatAPriorityQueueSays() {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            List<Double> tasks = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(60); i++) {
                tasks.add(1 + random.nextDouble() * 50);
            }
            int vms = 1 + random.nextInt(12);
            PriorityQueue<Double> free = new PriorityQueue<>(Collections.nCopies(vms, 0.0));
            double end = 0;
            for (double task : tasks) {
                double at = free.remove() + task;
                free.add(at);
                end = Math.max(end, at);
            }
            assertThat(TaskModel.ofMapsAndReduces(tasks, List.of(), 0).seconds(vms))
                    .isCloseTo(end, within(1e-9));
        }
    }
}
