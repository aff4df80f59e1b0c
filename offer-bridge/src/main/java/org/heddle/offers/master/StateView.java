// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.List;
import org.heddle.offers.master.ClusterState.Framework;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.MasterSettings;

/** The state as pages and reports may see it; valid within the turn that shows it. */
public final class StateView {
    private final ClusterState state;
    private final SchedulerEvents messages;
    private final MasterSettings limits;
    private final long now;
    private final Counters tally;
    private final long startedAt;
    private final long errors;
    private final ShareHistory history;
    private final String viewer;

    /** @param viewer principal whose frameworks are shown; empty for all */
    StateView(
            ClusterState state,
            SchedulerEvents messages,
            MasterSettings limits,
            long now,
            Counters tally,
            long startedAt,
            long errors,
            ShareHistory history,
            String viewer) {
        this.state = state;
        this.messages = messages;
        this.limits = limits;
        this.now = now;
        this.tally = tally;
        this.startedAt = startedAt;
        this.errors = errors;
        this.history = history;
        this.viewer = viewer;
    }

    ClusterState state() {
        return state;
    }

    /** Those that may be shown; sums over all frameworks may be. */
    List<Framework> frameworks() {
        return state.frameworks.values().stream().filter(this::shows).toList();
    }

    boolean shows(Framework framework) {
        return framework.equals(state.frameworks.get(framework.id)) && framework.belongsTo(viewer);
    }

    SchedulerEvents messages() {
        return messages;
    }

    MasterSettings limits() {
        return limits;
    }

    long now() {
        return now;
    }

    long startedAt() {
        return startedAt;
    }

    long errors() {
        return errors;
    }

    ShareHistory history() {
        return history;
    }

    Counters tally() {
        return tally;
    }
}
