// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.cluster;

import java.util.List;
import org.heddle.offers.model.Resources;

/** Ignores all events. It is used before a master is connected, when no application runs. */
public final class NoEvents implements Cluster.Events {
    @Override
    public void started(ApplicationKey key, ApplicationRecord app, Resources largest, List<AllocatedContainer> live) {}

    @Override
    public void renewed(ApplicationKey key, byte[] credential) {}

    @Override
    public void refused(ApplicationKey key, String diagnostics) {}

    @Override
    public void granted(ApplicationKey key, List<AllocatedContainer> grants) {}

    @Override
    public void headroom(ApplicationKey key, Resources headroom) {}

    @Override
    public void completed(ApplicationKey key, String containerId, int exitStatus, String diagnostics) {}

    @Override
    public void resized(ApplicationKey key, String containerId, Resources size) {}

    @Override
    public void notResized(ApplicationKey key, String containerId, String message) {}

    @Override
    public void wanted(ApplicationKey key, Cluster.Demand demand) {}

    @Override
    public void agentNotStarted(ApplicationKey key, String containerId, String message) {}

    @Override
    public void nodes(List<ClusterNode> nodes) {}

    @Override
    public void placed(ApplicationKey key, QueuePlacement placement) {}

    @Override
    public void pending(long containers) {}

    @Override
    public void warning(String subject, String sentence) {}

    @Override
    public void resynced(ApplicationKey key, List<String> live) {}
}
