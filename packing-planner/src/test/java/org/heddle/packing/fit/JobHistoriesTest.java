// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.heddle.settings.past.HostUse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own sample histories, written by lines 0.23 to 2.4. */
class JobHistoriesTest {
    private static final List<String> FILES = List.of(
            "job_1329348432655_0001-1329348443227-user-Sleep+job-1329348468601-10-1-SUCCEEDED-default.jhist",
            "job_1329348432655_0001_conf.xml",
            "job_1416424547277_0002-1416424775281-root-TeraGen-1416424785433-2-0-SUCCEEDED-default-1416424779349.jhist",
            "job_0.23.9-FAILED.jhist",
            "job_2.0.3-alpha-FAILED.jhist",
            "job_2.4.0-FAILED.jhist");

    @TempDir
    private Path directory;

    private void copy() throws IOException {
        for (String name : FILES) {
            try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("/" + name), name)) {
                Files.copy(in, directory.resolve(name));
            }
        }
    }

    @Test
    void historiesOfSeveralHadoopLinesAreRead() throws IOException {
        copy();
        List<String> leftOut = new ArrayList<>();
        List<JobRun> runs =
                new JobHistories(new Configuration()).read(directory.toString(), new HostUse(), leftOut::add);
        assertThat(runs).hasSize(5);
        assertThat(leftOut).isEmpty();
        assertThat(runs)
                .filteredOn(JobRun::succeeded)
                .extracting(JobRun::job)
                .containsExactlyInAnyOrder("Sleep job", "TeraGen");
        JobRun sleep = runs.stream()
                .filter(r -> r.job().equals("Sleep job"))
                .findFirst()
                .orElseThrow();
        assertThat(sleep.seconds()).isCloseTo(25.374, within(1e-9));
        assertThat(sleep.mostVms()).isBetween(1, 10);
        assertThat(sleep.averageVms()).isBetween(0.5, (double) sleep.mostVms());
        JobRun tera =
                runs.stream().filter(r -> r.job().equals("TeraGen")).findFirst().orElseThrow();
        assertThat(tera.cpu()).isPositive();
    }

    @Test
    void whatIsMissingOrNoHistoryIsSaid() throws IOException {
        JobHistories reader = new JobHistories(new Configuration());
        List<String> leftOut = new ArrayList<>();
        assertThatThrownBy(() -> reader.read(directory + "/nothing.jhist", new HostUse(), leftOut::add))
                .isInstanceOf(FileNotFoundException.class)
                .hasMessageContaining("does not exist, neither on this machine nor in file:///");
        Path bad = Files.writeString(directory.resolve("bad.jhist"), "no history");
        assertThat(reader.read(bad.toString(), new HostUse(), leftOut::add)).isEmpty();
        assertThat(leftOut).singleElement().asString().contains("bad.jhist: it is no job history");
    }
}
