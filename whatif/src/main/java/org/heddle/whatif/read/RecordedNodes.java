// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import java.util.Collections;
import java.util.List;
import org.heddle.settings.past.HostUse;
import org.heddle.whatif.model.Size;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the past. A host that was never full looks smaller than it is, so each counts as large as the largest.
 */
final class RecordedNodes {
    private final HostUse use = new HostUse();
    private final long leastMb;

    /** @param leastMb the scheduler makes the memory of each container a multiple of this, in MiB */
    RecordedNodes(long leastMb) {
        this.leastMb = leastMb;
    }

    /** A container that ran on a host, in milliseconds since 1970; a host that is not known does not count. */
    void add(@Nullable String host, Size size, long startMillis, long endMillis) {
        long memoryMb = (size.memoryMb() + leastMb - 1) / leastMb * leastMb;
        use.add(host, startMillis, endMillis, memoryMb, size.vcores());
    }

    /** All hosts; empty if none is known. */
    List<Size> nodes() {
        return Collections.nCopies(use.hosts(), new Size(use.most(0), (int) use.most(1)));
    }
}
