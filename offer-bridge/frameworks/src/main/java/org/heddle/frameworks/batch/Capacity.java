// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import java.io.IOException;
import org.heddle.frameworks.offers.BridgePages;
import org.heddle.frameworks.offers.Size;
import org.jspecify.annotations.Nullable;

/** How much all jobs together may use: read from the bridge, at most every two seconds. */
final class Capacity {
    private static final long FRESH_MILLIS = 2_000;

    private final BridgePages pages;
    private final boolean wholeCluster;
    private Size size = Size.NONE;
    private @Nullable Limits limits;
    private long readAt = Long.MIN_VALUE;

    /** @param wholeCluster whether that is more than the queue's guaranteed share */
    Capacity(BridgePages pages, boolean wholeCluster) {
        this.pages = pages;
        this.wholeCluster = wholeCluster;
    }

    /** The next call reads it again. */
    void expire() {
        readAt = Long.MIN_VALUE;
    }

    /** What was read last; null if there was nothing. */
    @Nullable
    Limits limits() {
        return limits;
    }

    Size get(String framework, long now) throws InterruptedException {
        if (readAt == Long.MIN_VALUE || now - readAt >= FRESH_MILLIS) {
            try {
                BridgePages.Nodes nodes = pages.nodes();
                if (wholeCluster) {
                    size = nodes.total();
                } else {
                    size = pages.share(framework).guaranteed();
                }
                limits = nodes.count() == 0 ? null : new Limits(nodes.sizes(), size);
                readAt = now;
            } catch (IOException e) {
                // The bridge restarts; the last capacity holds.
            }
        }
        return size;
    }
}
