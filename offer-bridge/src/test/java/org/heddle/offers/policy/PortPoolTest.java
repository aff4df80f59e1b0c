// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.offers.model.PortRange;
import org.heddle.offers.model.Ports;
import org.junit.jupiter.api.Test;

class PortPoolTest {
    private static Ports ports(int begin, int end) {
        return new Ports(List.of(new PortRange(begin, end)));
    }

    @Test
    void noPortOfAHostIsLentTwice() {
        PortPool pool = new PortPool(new PortRange(31000, 31004));
        assertThat(pool.lend("a", 3)).isEqualTo(ports(31000, 31002));
        assertThat(pool.lend("a", 3)).as("what is left").isEqualTo(ports(31003, 31004));
        assertThat(pool.lend("a", 1)).isEqualTo(Ports.NONE);
        assertThat(pool.lend("b", 1)).isEqualTo(ports(31000, 31000));
        pool.giveBack("a", ports(31001, 31001));
        assertThat(pool.lend("a", 5)).isEqualTo(ports(31001, 31001));
    }

    @Test
    void rangesAreKeptJoined() {
        assertThat(new Ports(List.of(new PortRange(5, 9), new PortRange(1, 4), new PortRange(12, 12))).ranges())
                .containsExactly(new PortRange(1, 9), new PortRange(12, 12));
        assertThat(ports(1, 10).minus(ports(4, 5)).ranges()).containsExactly(new PortRange(1, 3), new PortRange(6, 10));
    }
}
