// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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

    /** Fails, or waits for ever; a thread of it would go on for ever, too. */
    static final class Hanging {
        private Hanging() {}

        public static void main(String[] arguments) throws Exception {
            Thread other = new Thread(Hanging::waitForEver, "other");
            other.start();
            System.out.println(Files.createTempDirectory("left"));
            if (arguments[0].equals("fail")) {
                throw new IOException("it has failed");
            }
            other.join();
        }

        private static void waitForEver() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
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

    @Test
    void aFailureEndsTheProgramWhateverThreadsItHas() throws Exception {
        ChildProgram.Output output = new ChildProgram(Hanging.class, "32m", "fail").output(run());
        assertThat(output.exitCode()).isEqualTo(ProgramMain.FAILED);
        assertThat(output.lines()).endsWith("failed: java.io.IOException: it has failed");
        assertThat(scratch.resolve("Hanging.log")).content().contains("it has failed");
        assertThat(Path.of(output.lines().get(0))).as("its temporary files").doesNotExist();
    }

    @Test
    void aProgramThatDoesNotEndIsEnded() {
        ChildProgram program = new ChildProgram(Hanging.class, "32m", "wait").within(Duration.ofSeconds(15));
        assertThatThrownBy(() -> program.lines(run()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Hanging has not ended within 15 s; it printed \"")
                .hasMessageEndingWith("\" last; the stacks of its threads are in " + scratch.resolve("Hanging.log"));
        assertThat(scratch.resolve("Hanging.log")).content().contains("waitForEver");
        assertThat(Path.of(told.get(0))).as("its temporary files").doesNotExist();
    }
}
