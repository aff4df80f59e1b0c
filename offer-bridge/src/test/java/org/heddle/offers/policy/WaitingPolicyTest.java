// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.offers.model.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times in ms; the ask is for 1 CPU and 1,024 MiB. */
class WaitingPolicyTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                //                                          | now   | asking | allocated | free MiB | waits | adapts
                "it asks for nothing                        | 9000  | 0      | 0         | 0        | false | false",
                "full, the ask is new                       | 1499  | 1000   | 0         | 1023     | false | false",
                "full, it has asked for half a second       | 1500  | 1000   | 0         | 1023     | true  | false",
                "full, it got a container, and asks on      | 1600  | 1000   | 1590      | 0        | true  | false",
                "a node has room: it may come soon          | 2999  | 1000   | 0         | 1024     | false | false",
                "a node has room, but the queue may use none| 3000  | 1000   | 0         | 1024     | true  | false",
                "a node has room, and it got a container    | 3000  | 1000   | 2000      | 1024     | false | false",
                "a reservation does not come true           | 6000  | 1000   | 0         | 1000     | true  | true",
            })
    void whoWaits(String when, long now, long asking, long allocated, long freeMb, boolean waits, boolean adapts) {
        WaitingPolicy.View view =
                new WaitingPolicy.View(now, Resources.of(1000, 1024), asking, allocated, Resources.of(8000, freeMb));
        assertThat(WaitingPolicy.waits(view)).isEqualTo(waits);
        assertThat(WaitingPolicy.adapts(view)).isEqualTo(adapts);
    }
}
