// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GPUs and disks are resources like any other. */
class ResourceTypesTest {
    private static final String GPU = "yarn.io/gpu";
    private static final String SPEC = "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\">"
            + "<max-resources-per-user><resource name=\"yarn.io/gpu\">3</resource></max-resources-per-user>"
            + "</queue></queue></heddle-scheduler>";

    @TempDir
    Path directory;

    @BeforeAll
    static void hadoopsConstantsKnowNoGpus() {
        Resources.unbounded(); // keeps the types that are known when it is first used, for all tests of the process
    }

    @AfterEach
    void forgetTypes() {
        ResourceUtils.resetResourceTypes(new Configuration(false)); // known to the whole process
    }

    @Test
    void gpusAreCountedSharedAndLimited() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, SPEC, "yarn.resource-types", GPU)) {
            MockNM node = fixture.rm.registerNode("127.1.0.1:1234", resource(20_000, 20, 4));
            fixture.nodes.put("127.1.0.1", node);
            RmFixture.App trains = fixture.unmanaged("alice", "default");
            RmFixture.App counts = fixture.unmanaged("bob", "default").ask(100, 1_000, 1);
            trains.ask(1, 100, resource(1_000, 1, 1), ResourceRequest.ANY);
            fixture.heartbeat();
            assertThat(trains.collect().containers).as("three GPUs at most").hasSize(3);
            assertThat(counts.collect().containers).hasSize(17);
            assertThat(fixture.scheduler().getRootQueueMetrics().getPendingResources())
                    .isEqualTo(resource(97_000 + 83_000, 97 + 83, 97));
            assertThat(fixture.schedulable("default/alice").dominantResource()).isEqualTo(GPU);
            assertThat(fixture.schedulable("default/alice").dominantShare()).isEqualTo(0.75);
            assertThat(fixture.scheduler().takeSnapshot().capacity()).containsEntry(GPU, 4L);
            trains.end();
            counts.end();
            fixture.assertNothingLeft();
        }
    }

    private static Resource resource(int memory, int vcores, int gpus) {
        Resource resource = Resource.newInstance(memory, vcores);
        resource.setResourceValue(GPU, gpus);
        return resource;
    }
}
