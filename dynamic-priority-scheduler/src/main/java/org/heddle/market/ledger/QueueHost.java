// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import org.jspecify.annotations.Nullable;

/** Whoever schedules the market's queues. Called without any lock of the market's. */
public interface QueueHost {
    /** Nobody schedules anything. */
    QueueHost NONE = new QueueHost() {
        @Override
        public @Nullable String objection(String queue) {
            return null;
        }

        @Override
        public void changed() {}
    };

    /** Why a queue cannot go now, in one sentence: it has applications, or is configured in a file; null if it can. */
    @Nullable
    String objection(String queue);

    /** Queues have come or gone. */
    void changed();
}
