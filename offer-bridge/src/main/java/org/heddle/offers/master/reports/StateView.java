// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.reports;

import java.util.List;
import org.heddle.offers.master.offers.SchedulerEvents;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.MasterSettings;

/**
 * The state for pages and reports, as one principal may see it; valid within the change which makes it.
 *
 * @param now time of that change
 * @param startedAt when the bridge started
 * @param errors number of failed changes and effects
 * @param viewer principal whose frameworks are shown; empty for all
 */
public record StateView(
        ClusterState state,
        SchedulerEvents events,
        MasterSettings limits,
        long now,
        Counters counters,
        long startedAt,
        long errors,
        ShareHistory history,
        String viewer) {

    /** The frameworks which the viewer may see; sums over all frameworks are not hidden. */
    List<Framework> frameworks() {
        return state.frameworks().values().stream().filter(this::shows).toList();
    }

    boolean shows(Framework framework) {
        return framework.equals(state.framework(framework.id())) && framework.belongsTo(viewer);
    }

    /** See {@link ClusterState#assertConsistent}. */
    public void assertConsistent() {
        state.assertConsistent();
    }
}
