// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProvenanceTest {
    private static final String STAT_OF_PROCESS =
            "77 (name) with space) S 1 77 77 0 -1 4194560 100 200 3 4 150 50 20 30 20 0 9 0 1000 1 1 1\n";

    @TempDir
    Path directory;

    @Test
    void whatIsMissingIsNamed() {
        assertThat(MadeUp.provenance().missing()).isEmpty();
        Provenance poor = new Provenance(
                "yesterday",
                Machine.UNKNOWN,
                true,
                new Machine(Machine.UNKNOWN, 2, 8, "Linux 6.1", "JVM 17"),
                "3.5.0",
                List.of(1L),
                2,
                new Load(Double.NaN, Double.NaN, Double.NaN),
                1);
        assertThat(poor.missing())
                .containsExactly(
                        "a date",
                        "the commit",
                        "a source tree without changes since the commit",
                        "the model of the processor",
                        "a seed for each repetition",
                        "the load average",
                        "the load from other programs");
    }

    @Test
    void theProcessorIsDescribedEvenWhereItsModelIsHidden() {
        assertThat(Machine.model(
                        "vendor_id\t: A\ncpu family\t: 6\nmodel\t\t: 207\nmodel name\t: A(R) B\n\nmodel name\t: C\n"))
                .isEqualTo("A(R) B, family 6, model 207");
        assertThat(Machine.model("vendor_id : A\ncpu family : 25\nmodel : 1\nmodel name : unknown\n"))
                .isEqualTo("A family 25, model 1");
        assertThat(Machine.model("CPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd0c\n"))
                .isEqualTo("0x41 family 8, model 0xd0c");
        assertThat(Machine.model("")).isEqualTo(Machine.UNKNOWN);
    }

    @Test
    void onlyTheNumbersOfTheKernelsVersionAreKept() {
        assertThat(Machine.kernel("Linux", "6.18.44-host-v595")).isEqualTo("Linux 6.18.44");
        assertThat(Machine.kernel("Other", "x")).isEqualTo("Other");
    }

    @Test
    void thisMachineIsKnown() {
        Machine machine = Machine.ofThis();
        assertThat(machine.cores()).isPositive();
        assertThat(machine.memoryGib()).isPositive();
        assertThat(machine.text()).contains(machine.jdk());
    }

    @Test
    void processorTimesAreReadFromProc() throws IOException {
        Files.writeString(directory.resolve("stat"), "cpu  100 10 50 9000 500 5 5 30 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
        Files.createDirectories(directory.resolve("77"));
        Files.writeString(directory.resolve("77/stat"), STAT_OF_PROCESS);
        LinuxProcessorTime time = new LinuxProcessorTime(directory);
        assertThat(time.machineSeconds()).isCloseTo(2, within(1e-9));
        assertThat(time.seconds(77)).isCloseTo(2.5, within(1e-9));
        assertThat(time.seconds(78)).isZero();
        assertThat(new LinuxProcessorTime(directory.resolve("none")).machineSeconds())
                .isNaN();
    }

    @Test
    void theLoadOfOthersIsWhatTheMachineUsedBeyondThisProgram() {
        Deque<Double> machine = new ArrayDeque<>(List.of(100.0, 130.0));
        Deque<Double> own = new ArrayDeque<>(List.of(10.0, 25.0));
        Deque<Long> nanos = new ArrayDeque<>(List.of(0L, 10_000_000_000L));
        Deque<Double> averages = new ArrayDeque<>(List.of(0.5, 2.0, 4.0));
        ProcessorTime time = new ProcessorTime() {
            @Override
            public double machineSeconds() {
                return machine.remove();
            }

            @Override
            public double ownSeconds() {
                return own.remove();
            }
        };
        LoadMeter meter = new LoadMeter(time, averages::remove, nanos::remove);
        meter.sample();
        Load load = meter.stop();
        assertThat(load).isEqualTo(new Load(0.5, 3, 1.5));
        assertThat(load.fromOthers(2)).isTrue();
        assertThat(load.fromOthers(64)).isFalse();
    }

    @Test
    void outsideARepositoryTheCommitIsUnknown() throws InterruptedException {
        assertThat(Commit.of(directory)).isEqualTo(new Commit(Machine.UNKNOWN, false));
    }
}
