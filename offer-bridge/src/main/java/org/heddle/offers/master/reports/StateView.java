// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.reports;

import java.util.List;
import org.heddle.offers.master.offers.SchedulerEvents;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.Warnings;

/**
 * The state for pages and reports, as one principal may see it; valid within the change in which it is made.
 *
 * @param now time of this change, by the monotonic clock
 * @param date of this change, milliseconds since 1970
 * @param startedAt time at which the bridge started, by the monotonic clock
 * @param errors number of changes and effects that failed
 * @param viewer principal whose frameworks are shown; empty for all frameworks
 */
public record StateView(
        ClusterState state,
        SchedulerEvents events,
        MasterSettings limits,
        long now,
        long date,
        Counters counters,
        Warnings warnings,
        long startedAt,
        long errors,
        ShareHistory history,
        String viewer) {

    /** The date of a moment of the monotonic clock: milliseconds since 1970. */
    long dateOf(long moment) {
        return date + (moment - now);
    }

    /** The frameworks that the viewer may see. Sums over all frameworks are visible to every viewer. */
    List<Framework> frameworks() {
        return state.frameworks().values().stream().filter(this::shows).toList();
    }

    boolean shows(Framework framework) {
        return framework.equals(state.framework(framework.id())) && framework.belongsTo(viewer);
    }

    /** Checks the state: {@link ClusterState#assertConsistent}. */
    public void assertConsistent() {
        state.assertConsistent();
    }
}
