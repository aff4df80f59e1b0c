// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import org.heddle.whatif.model.StagedWork;

/** Which tasks of the stages of a job may run: those whose earlier stages have ended; of the first such stage first. */
final class StageTasks {
    /** A task by the place of its stage, and its own there. */
    record Task(int stage, int place) {}

    private final List<StagedWork.Stage> stages;
    private final List<List<Integer>> next = new ArrayList<>();
    private final int[] waitsFor;
    private final int[] begun;
    private final int[] ended;
    private final Deque<Task> again = new ArrayDeque<>();
    private final TreeSet<Integer> open = new TreeSet<>();
    private int stagesEnded;
    private int ready;

    StageTasks(List<StagedWork.Stage> stages) {
        this.stages = stages;
        waitsFor = new int[stages.size()];
        begun = new int[stages.size()];
        ended = new int[stages.size()];
        for (int i = 0; i < stages.size(); i++) {
            next.add(new ArrayList<>());
            for (int before : stages.get(i).after()) {
                next.get(before).add(i);
                waitsFor[i]++;
            }
        }
        for (int i = 0; i < stages.size(); i++) {
            if (stages.get(i).after().isEmpty()) {
                open(i);
            }
        }
    }

    private int size(int stage) {
        return stages.get(stage).millis().length;
    }

    private void open(int stage) {
        if (size(stage) == 0) {
            end(stage);
        } else {
            open.add(stage);
            ready += size(stage);
        }
    }

    private void end(int stage) {
        stagesEnded++;
        for (int after : next.get(stage)) {
            waitsFor[after]--;
            if (waitsFor[after] == 0) {
                open(after);
            }
        }
    }

    /** How many tasks may run and do not. */
    int ready() {
        return ready;
    }

    boolean hasReady() {
        return ready > 0;
    }

    boolean isDone() {
        return stagesEnded == stages.size();
    }

    long millis(Task task) {
        return stages.get(task.stage()).millis()[task.place()];
    }

    /** Takes a task; there must be one that is ready. */
    Task take() {
        ready--;
        if (!again.isEmpty()) {
            return again.remove();
        }
        int stage = open.first();
        Task task = new Task(stage, begun[stage]++);
        if (begun[stage] == size(stage)) {
            open.remove(stage);
        }
        return task;
    }

    /** A task lost its executor. */
    void repeat(Task task) {
        again.add(task);
        ready++;
    }

    void ended(Task task) {
        ended[task.stage()]++;
        if (ended[task.stage()] == size(task.stage())) {
            end(task.stage());
        }
    }
}
