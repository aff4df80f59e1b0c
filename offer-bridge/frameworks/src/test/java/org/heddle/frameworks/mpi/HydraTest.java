// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.frameworks.gang.Gang.Seat;
import org.junit.jupiter.api.Test;

class HydraTest {
    @Test
    void eachContainerHasANameOfItsOwn() {
        assertThat(Hydra.hosts(List.of(
                        new Seat("proxy0", "n1", 2, true),
                        new Seat("proxy1", "n2", 1, true),
                        new Seat("proxy2", "n1", 4, true))))
                .containsExactly("n1:2", "n2:1", "n1.proxy2:4");
    }
}
