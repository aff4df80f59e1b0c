// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.reports;

import java.util.List;
import org.heddle.offers.master.offers.SchedulerEvents;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.MasterSettings;

/** The state for pages and reports, as one principal may see it; valid within the change which makes it. */
public final class StateView {
    private final ClusterState state;
    private final SchedulerEvents events;
    private final MasterSettings settings;
    private final long now;
    private final Counters counters;
    private final long startedAt;
    private final long errors;
    private final ShareHistory history;
    private final String viewer;

    /** @param viewer principal whose frameworks are shown; empty for all */
    public StateView(
            ClusterState state,
            SchedulerEvents events,
            MasterSettings settings,
            long now,
            Counters counters,
            long startedAt,
            long errors,
            ShareHistory history,
            String viewer) {
        this.state = state;
        this.events = events;
        this.settings = settings;
        this.now = now;
        this.counters = counters;
        this.startedAt = startedAt;
        this.errors = errors;
        this.history = history;
        this.viewer = viewer;
    }

    ClusterState state() {
        return state;
    }

    /** The frameworks which the viewer may see; sums over all frameworks are not hidden. */
    List<Framework> frameworks() {
        return state.frameworks().values().stream().filter(this::shows).toList();
    }

    boolean shows(Framework framework) {
        return framework.equals(state.framework(framework.id())) && framework.belongsTo(viewer);
    }

    SchedulerEvents events() {
        return events;
    }

    MasterSettings limits() {
        return settings;
    }

    /** See {@link ClusterState#assertConsistent}. */
    public void assertConsistent() {
        state.assertConsistent();
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

    Counters counters() {
        return counters;
    }
}
