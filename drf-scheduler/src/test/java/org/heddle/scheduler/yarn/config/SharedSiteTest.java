// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A yarn-site.xml shared by all daemons names our scheduler; NodeManagers do not have its jar. */
class SharedSiteTest {
    @TempDir
    Path directory;

    @Test
    void aNodeManagerDoesNotLookForTheScheduler() {
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, "org.heddle.absent.Scheduler");
        conf.set("yarn.scheduler.heddle.configuration.file", "/nowhere/heddle-scheduler.xml");
        conf.set(YarnConfiguration.NM_LOCAL_DIRS, directory.resolve("local").toString());
        conf.set(YarnConfiguration.NM_LOG_DIRS, directory.resolve("log").toString());
        conf.set(YarnConfiguration.NM_ADDRESS, "127.0.0.1:0");
        conf.set(YarnConfiguration.NM_LOCALIZER_ADDRESS, "127.0.0.1:0");
        try (NodeManager node = new NodeManager()) {
            node.init(conf);
            assertThat(node.isInState(Service.STATE.INITED)).isTrue();
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }
}
