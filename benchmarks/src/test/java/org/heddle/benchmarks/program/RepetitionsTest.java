// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepetitionsTest {
    @TempDir
    Path scratch;

    /** Prints its argument. */
    static final class Echo {
        private Echo() {}

        public static void main(String[] arguments) {
            System.out.println(arguments[0]);
        }
    }

    @Test
    void eachContestantHasAProgramInEachRepetition() throws Exception {
        List<String> told = new ArrayList<>();
        Run run = new Run(Scale.FULL, List.of(1L, 2L), Path.of(".."), scratch, told::add);

        List<String> lines = Repetitions.lines(
                run, List.of("a", "b"), contestant -> new ChildProgram(Echo.class, "32m", contestant));

        assertThat(lines).containsExactly("a", "b", "b", "a");
        assertThat(told).startsWith("repetition 1 of 2: a", "a").endsWith("repetition 2 of 2: a", "a");
    }
}
