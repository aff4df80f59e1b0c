// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import org.jspecify.annotations.Nullable;

/** The scheduler of the market's queues. Called without any lock of the market. */
public interface QueueHost {
    /** No scheduler. */
    QueueHost NONE = new QueueHost() {
        @Override
        public @Nullable String removalProblem(String queue) {
            return null;
        }

        @Override
        public @Nullable String openingProblem(String parent) {
            return "There is no parent queue " + parent + "; name an account without a dot";
        }

        @Override
        public void changed() {}
    };

    /**
     * Why a queue cannot be removed now, in one sentence: it has applications, or is configured in a file; null if it
     * can.
     */
    @Nullable
    String removalProblem(String queue);

    /** Why no account can be opened below a queue, in one sentence; null if one can. */
    @Nullable
    String openingProblem(String parent);

    /** Queues or the members of their accounts were added or removed. */
    void changed();
}
