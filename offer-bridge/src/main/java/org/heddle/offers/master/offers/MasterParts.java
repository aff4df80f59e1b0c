// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.offers;

import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.master.state.Warnings;

/** What all managers of one master share. */
public record MasterParts(
        ClusterState state,
        StateExecutor stateExecutor,
        Cluster cluster,
        MasterSettings settings,
        Counters counters,
        Warnings warnings) {}
