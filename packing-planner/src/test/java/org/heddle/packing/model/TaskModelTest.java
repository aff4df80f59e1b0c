// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import static org.assertj.core.api.Assertions.assertThat;
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
        TaskModel model = new TaskModel(List.of(3.0, 2.0, 2.0, 1.0), List.of(5.0, 4.0), 10);
        assertThat(model.seconds(1)).isEqualTo(10 + 8 + 9);
        assertThat(model.seconds(2)).as("maps 3+1, 2+2").isEqualTo(10 + 4 + 5);
        assertThat(model.seconds(100)).isEqualTo(10 + 3 + 5);
        assertThat(model.times(2).plus(1).seconds(2)).isEqualTo(2 * 19 + 1);
        assertThat(model.formula()).isEqualTo("10.0000 + 4 maps of 2.000 on n VMs, then 2 reduces of 4.500 on n VMs");
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
            assertThat(new TaskModel(tasks, List.of(), 0).seconds(vms)).isCloseTo(end, within(1e-9));
        }
    }
}
