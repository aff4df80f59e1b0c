// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessSiteTest {
    private static final String MASTERS = "yarn.scheduler.capacity.maximum-am-resource-percent";

    @TempDir
    Path home;

    private ProcessSite site;

    @BeforeEach
    void makeSite() throws IOException {
        site = new ProcessSite(home, "127.80.1", "", List.of("rm1"));
    }

    private static String read(Path directory, String file, String property) {
        Configuration conf = new Configuration(false);
        conf.addResource(new org.apache.hadoop.fs.Path(directory.resolve(file).toUri()));
        return conf.get(property, "none");
    }

    @Test
    void aPropertyOfCapacitySchedulerIsStrongerThanItsFileOnTheClassPath() throws IOException {
        site.put(MASTERS, "0.75");

        Path directory = site.write("rm1");

        assertThat(read(directory, "capacity-scheduler.xml", MASTERS)).isEqualTo("0.75");
        assertThat(read(directory, "capacity-scheduler.xml", "yarn.scheduler.capacity.root.queues"))
                .as("what the file on the class path says otherwise")
                .isEqualTo("default");
    }

    @Test
    void withoutAnyTheFileOnTheClassPathHolds() throws IOException {
        site.put("yarn.scheduler.minimum-allocation-mb", "512");

        Path directory = site.write("rm1");

        assertThat(directory.resolve("capacity-scheduler.xml")).doesNotExist();
        assertThat(read(directory, "yarn-site.xml", "yarn.scheduler.minimum-allocation-mb"))
                .isEqualTo("512");
    }
}
