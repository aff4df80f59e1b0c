// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.driven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.junit.jupiter.api.Test;

/** A scheduler that does wrong is found out. */
class AllocationCheckerTest {
    private static final NodeId NODE = NodeId.newInstance("127.4.0.1", 1);

    private final AllocationChecker ledger = new AllocationChecker(node -> Resource.newInstance(1_000, 2), false);

    private static Container container(int number, int memory, int vcores) {
        ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1);
        return Container.newInstance(
                ContainerId.newContainerId(attempt, number),
                NODE,
                "",
                Resource.newInstance(memory, vcores),
                Priority.newInstance(1),
                null);
    }

    @Test
    void whatFitsIsFine() {
        Container one = container(1, 1_000, 1);
        ledger.given(one);
        ledger.compare(NODE, Resource.newInstance(0, 1));
        ledger.ended(one);
        ledger.compare(NODE, Resource.newInstance(1_000, 2));
        assertThat(ledger.live()).isZero();
    }

    @Test
    void moreThanThereIs() {
        ledger.given(container(1, 600, 1));
        assertThatThrownBy(() -> ledger.given(container(2, 600, 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was given out <memory:1200, vCores:2>");
    }

    @Test
    void coresCountWhereTheSchedulerCountsThem() {
        ledger.given(container(1, 100, 2));
        assertThatThrownBy(() -> ledger.given(container(2, 100, 1))).isInstanceOf(IllegalStateException.class);
        AllocationChecker ofMemory = new AllocationChecker(node -> Resource.newInstance(1_000, 2), true);
        ofMemory.given(container(1, 100, 2));
        ofMemory.given(container(2, 100, 2));
        assertThat(ofMemory.live()).isEqualTo(2);
    }

    @Test
    void lessThanWasAskedFor() {
        assertThatThrownBy(() -> ledger.given(container(1, 500, 2), Resource.newInstance(501, 1)))
                .hasMessageContaining("was asked for with <memory:501, vCores:1>");
        assertThatThrownBy(() -> ledger.given(container(1, 500, 1), Resource.newInstance(500, 2)))
                .isInstanceOf(IllegalStateException.class);
        ledger.given(container(1, 500, 2), Resource.newInstance(499, 1));
    }

    @Test
    void theSameTwice() {
        ledger.given(container(1, 100, 1));
        assertThatThrownBy(() -> ledger.given(container(1, 100, 1))).hasMessageContaining("was given twice");
    }

    @Test
    void endsThatNobodyBegan() {
        assertThatThrownBy(() -> ledger.ended(container(1, 100, 1))).hasMessageContaining("was never given");
    }

    @Test
    void otherBooks() {
        ledger.given(container(1, 100, 1));
        assertThatThrownBy(() -> ledger.compare(NODE, Resource.newInstance(1_000, 2)))
                .hasMessageContaining("its scheduler says <memory:1000, vCores:2>");
    }
}
