// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulationFilesTest {
    private static final String HEAD = "t,count,max,mean,min,stddev,p50,p75,p95,p98,p99,p999";

    @TempDir
    private Path directory;

    @BeforeEach
    void writeJobs() throws IOException {
        Files.createDirectory(directory.resolve("metrics"));
        write(
                "jobruntime.csv",
                "JobID,real_start_time,real_end_time,simulate_start_time,simulate_end_time",
                "application_1_0001,0,0,1000,9000",
                "application_1_0002,0,0,3000,15000");
    }

    private void write(String file, String... lines) throws IOException {
        Files.write(directory.resolve(file), List.of(lines));
    }

    private static String second(int second, int least, int median) {
        return second + "," + second + ",9000,1," + least + ",1," + median + ",9000,9000,9000,9000,9000";
    }

    @Test
    void timesOfCallsAreMediansWithoutTheMinuteInWhichSecondsBeforeTheFirstCallCount() throws IOException {
        write(
                "metrics/sampler.scheduler.operation.handle.NODE_UPDATE.timecost.csv",
                HEAD,
                second(1, 0, 0),
                second(2, 0, 1000),
                second(3, 500, 2000),
                second(4, 500, 5000),
                second(5, 500, 3000));
        write("metrics/sampler.scheduler.operation.allocate.timecost.csv", HEAD, second(1, 0, 0), second(2, 1, 7000));

        assertThat(SimulationFiles.read(directory)).isEqualTo(new SimulationFiles(2, 14, 10, 3, 7));
    }

    @Test
    void aShortSimulationHasNoTimes() throws IOException {
        write("metrics/sampler.scheduler.operation.handle.NODE_UPDATE.timecost.csv", HEAD, second(1, 0, 9));
        write("metrics/sampler.scheduler.operation.allocate.timecost.csv", HEAD, second(1, 0, 0));

        assertThat(SimulationFiles.read(directory)).isEqualTo(new SimulationFiles(2, 14, 10, Double.NaN, Double.NaN));
    }

    @Test
    void aSimulationThatWroteNoTimesIsRefused() throws IOException {
        write("metrics/sampler.scheduler.operation.handle.NODE_UPDATE.timecost.csv", HEAD);

        assertThatThrownBy(() -> SimulationFiles.read(directory))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("NODE_UPDATE.timecost.csv has no lines");
    }
}
