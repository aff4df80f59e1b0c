// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.program;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Turns;

/** Repetitions of an experiment that runs a program for each of its contestants. */
public final class Repetitions {
    private Repetitions() {}

    /** The program that measures a contestant. */
    @FunctionalInterface
    public interface Programs<T> {
        /** Called right before the program runs. */
        ChildProgram programOf(T contestant) throws IOException;
    }

    /**
     * What the programs print for all contestants in all repetitions. In each repetition contestants {@link Turns take
     * turns}; the first one keeps their order.
     */
    public static <T> List<String> lines(Run run, List<T> contestants, Programs<T> programs)
            throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        int repetitions = run.seeds().size();
        for (int i = 0; i < repetitions; i++) {
            for (T contestant : Turns.of(contestants, i, repetitions)) {
                run.tell("repetition " + (i + 1) + " of " + repetitions + ": " + contestant);
                lines.addAll(programs.programOf(contestant).lines(run));
            }
        }
        return lines;
    }
}
