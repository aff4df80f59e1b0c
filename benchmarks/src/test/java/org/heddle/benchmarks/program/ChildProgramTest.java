// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProgramTest {
    @TempDir
    Path scratch;

    private final List<String> told = new ArrayList<>();

    /** Prints a line to each output and ends with an exit code. */
    static final class Printing {
        private Printing() {}

        public static void main(String[] arguments) {
            System.out.println("for you: " + arguments[0]);
            System.err.println("for the log: " + arguments[0]);
            System.exit(Integer.parseInt(arguments[0]));
        }
    }

    private Run run() {
        return new Run(Scale.FULL, List.of(1L), Path.of(".."), scratch, told::add);
    }

    @Test
    void linesComeBackAndAreProgress() throws Exception {
        assertThat(new ChildProgram(Printing.class, "32m", "0").lines(run())).containsExactly("for you: 0");
        assertThat(told).containsExactly("for you: 0");
    }

    @Test
    void anExitCodeIsAnErrorThatNamesTheLog() throws Exception {
        ChildProgram program = new ChildProgram(Printing.class, "32m", "3");
        assertThat(program.output(run())).isEqualTo(new ChildProgram.Output(List.of("for you: 3"), 3));
        Path log = scratch.resolve("Printing.log");
        assertThat(log).content().contains("for the log: 3");
        assertThatThrownBy(() -> program.lines(run())).hasMessage("Printing ended with exit code 3: see " + log);
    }
}
