// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.whatif.model.Size;
import org.junit.jupiter.api.Test;

class RecordedNodesTest {
    private final RecordedNodes nodes = new RecordedNodes();

    @Test
    void eachHostIsAsLargeAsTheFullestWas() {
        nodes.add("a", new Size(512, 1), 0, 10);
        nodes.add("a", new Size(1_024, 2), 5, 20);
        nodes.add("/rack/b", new Size(512, 1), 0, 10);
        nodes.add("b", new Size(512, 1), 10, 20);
        assertThat(nodes.nodes()).containsExactly(new Size(1_536, 3), new Size(1_536, 3));
    }

    @Test
    void hostsWithoutANameTellNothing() {
        nodes.add(null, new Size(512, 1), 0, 10);
        nodes.add("", new Size(512, 1), 0, 10);
        assertThat(nodes.nodes()).isEmpty();
    }
}
