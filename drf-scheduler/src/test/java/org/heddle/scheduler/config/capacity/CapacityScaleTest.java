// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.edit.SpecWriter;
import org.heddle.scheduler.config.read.SpecReader;
import org.heddle.scheduler.config.site.SiteSettings;
import org.heddle.scheduler.model.SchedulerSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Large files: what it costs to read one grows with its size and not with its square, and what comes of it is the same
 * specification as that of our own file, so that everything after the reading costs the same.
 */
@Tag("pure")
class CapacityScaleTest {
    private static final KnownNames NAMES =
            KnownNames.of(List.of("drf", "fair", "fifo", "priority"), Map.of("memory-mb", "Mi", "vcores", ""));

    private long lookUps;

    /** Queues in groups of fifty, and as many users who are mapped to them. */
    private static byte[] file(int queues) {
        List<String> properties = new ArrayList<>();
        StringBuilder groups = new StringBuilder("root.queues=");
        StringBuilder mappings = new StringBuilder("queue-mappings=");
        int size = 50;
        for (int g = 0; g < queues / size; g++) {
            String group = "root.g" + g;
            groups.append(g == 0 ? "" : ",").append('g').append(g);
            properties.add(group + ".capacity=1w");
            StringBuilder names = new StringBuilder(group + ".queues=");
            for (int q = 0; q < size; q++) {
                String name = "q" + g + "x" + q;
                names.append(q == 0 ? "" : ",").append(name);
                properties.add(group + "." + name + ".capacity=2");
                properties.add(group + "." + name + ".user-settings.alice.weight=2");
                properties.add(group + "." + name + ".acl_submit_applications=user" + q);
                properties.add(group + "." + name + ".maximum-applications=100");
                mappings.append(g + q == 0 ? "" : ",")
                        .append("u:user")
                        .append(g * size + q)
                        .append(':')
                        .append(name);
            }
            properties.add(names.toString());
        }
        properties.add(groups.toString());
        properties.add(mappings + ",g:staff:q0x0");
        return CapacityReaderTest.xml(properties).getBytes(StandardCharsets.UTF_8);
    }

    private SchedulerSpec read(byte[] file) throws ConfigurationException {
        SiteSettings site = new SiteSettings(
                key -> {
                    lookUps++;
                    return null;
                },
                prefix -> Set.of(),
                key -> false);
        return new SpecReader(NAMES, site).read("capacity-scheduler.xml", file);
    }

    @Test
    void theCostOfReadingGrowsWithTheFile() throws Exception {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] small = file(500);
        byte[] large = file(4_000);
        read(small); // what is made once
        lookUps = 0;
        long before = thread.getCurrentThreadAllocatedBytes();
        read(small);
        long ofSmall = thread.getCurrentThreadAllocatedBytes() - before;
        long lookUpsOfSmall = lookUps;
        lookUps = 0;
        before = thread.getCurrentThreadAllocatedBytes();
        read(large);
        long ofLarge = thread.getCurrentThreadAllocatedBytes() - before;
        assertThat((double) lookUps / lookUpsOfSmall).as("properties looked up").isLessThan(9);
        assertThat((double) ofLarge / ofSmall).as("memory allocated").isLessThan(10);
    }

    @Test
    void aThousandQueuesAreTheSameAsInOurOwnFile() throws Exception {
        sameAsInOurOwnFile(1_000);
    }

    @Test
    @Tag("long-1")
    void tenThousandQueuesAreTheSameAsInOurOwnFile() throws Exception {
        sameAsInOurOwnFile(10_000);
    }

    private void sameAsInOurOwnFile(int queues) throws ConfigurationException {
        SchedulerSpec spec = read(file(queues));
        assertThat(spec.root().all()).hasSize(1 + queues / 50 + queues);
        byte[] own = SpecWriter.write(spec, List.of()).getBytes(StandardCharsets.UTF_8);
        assertThat(new SpecReader(NAMES).read("heddle-scheduler.xml", own).equals(spec))
                .as("the same specification")
                .isTrue();
    }
}
