// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config.edit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.scheduler.config.read.Samples;
import org.heddle.scheduler.model.SchedulerSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("newer-line")
class SpecDifferencesTest {
    @Test
    void eachSettingThatIsDifferentIsOneLine() throws Exception {
        SchedulerSpec before = Samples.read(Samples.queues(
                "<queue name='a'><weight>2</weight></queue><queue name='b'><order>fifo</order></queue>"));
        SchedulerSpec after = Samples.read(Samples.queues("<queue name='a'><weight>3</weight><node-label name='gpu'>"
                + "<max-resources><resource name='vcores'>50%</resource></max-resources></node-label></queue>"
                + "<queue name='c'/>"));
        assertThat(SpecDifferences.between(before, before)).isEmpty();
        assertThat(SpecDifferences.between(before, after))
                .isEqualTo(List.of(
                        "root.a:node-label.gpu.max-resources.vcores: 50%, was not set",
                        "root.a:weight: 3, was 2",
                        "root.b: not set, was queue",
                        "root.b:order: not set, was fifo",
                        "root.c: queue, was not set"));
    }
}
