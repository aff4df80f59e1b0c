// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;

/** A ResourceManager in a test keeps its files in the module's target, also if the test names no directory. */
class TestDirectoriesTest {
    @Test
    void storesAreInTarget() {
        Configuration conf = new YarnConfiguration();
        Path target = Path.of("target").toAbsolutePath();
        assertThat(List.of(YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR, "yarn.node-labels.fs-store.root-dir"))
                .allSatisfy(key -> assertThat(conf.get(key)).startsWith("file://" + target));
    }
}
