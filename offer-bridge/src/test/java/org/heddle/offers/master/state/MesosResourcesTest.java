// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.Value;
import org.heddle.offers.model.Resources;
import org.junit.jupiter.api.Test;

/** Amounts of tasks, as Mesos counts them. */
class MesosResourcesTest {
    private static Resource cpus(double value) {
        return Resource.newBuilder()
                .setName("cpus")
                .setType(Value.Type.SCALAR)
                .setScalar(Value.Scalar.newBuilder().setValue(value))
                .build();
    }

    private static Resource ports(long... ends) {
        Value.Ranges.Builder ranges = Value.Ranges.newBuilder();
        for (int i = 0; i < ends.length; i += 2) {
            ranges.addRange(Value.Range.newBuilder().setBegin(ends[i]).setEnd(ends[i + 1]));
        }
        return Resource.newBuilder()
                .setName("ports")
                .setType(Value.Type.RANGES)
                .setRanges(ranges)
                .build();
    }

    private static long milliCpus(double value) {
        return MesosResources.toResources(List.of(cpus(value))).milliCpus();
    }

    @Test
    void partsAreRoundedToTheNearestThousandth() {
        assertThat(milliCpus(1 / 3.0)).isEqualTo(333);
        assertThat(milliCpus(2 / 3.0)).isEqualTo(667);
        assertThat(milliCpus(0.1)).isEqualTo(100);
        assertThat(milliCpus(1e-9)).as("not nothing").isEqualTo(1);
        assertThat(milliCpus(0)).isZero();
        Resources six = MesosResources.toResources(List.of(cpus(1 / 3.0))).times(6);
        assertThat(Resources.of(2000, 0).covers(six)).isTrue();
    }

    @Test
    void portsThatOverlapAreRefused() {
        assertThat(MesosResources.toResources(List.of(ports(1, 2, 3, 4)))
                        .ports()
                        .isEmpty())
                .isFalse();
        for (List<Resource> overlapping :
                List.of(List.of(ports(10, 20, 20, 30)), List.of(ports(10, 20), ports(15, 16)))) {
            assertThatThrownBy(() -> MesosResources.toResources(overlapping))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("overlap: each port can be used once");
        }
    }
}
