// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.List;
import org.heddle.offers.model.Bundle;

/** Hears nothing: before somebody listens, nothing is started that could tell anything. */
public final class NoEvents implements Cluster.Events {
    @Override
    public void started(AppKey key, KnownApp app, Bundle largest, List<Grant> live) {}

    @Override
    public void renewed(AppKey key, byte[] credential) {}

    @Override
    public void refused(AppKey key, String diagnostics) {}

    @Override
    public void granted(AppKey key, List<Grant> grants) {}

    @Override
    public void headroom(AppKey key, Bundle headroom) {}

    @Override
    public void completed(AppKey key, String containerId, int exitStatus, String diagnostics) {}

    @Override
    public void resized(AppKey key, String containerId, Bundle size) {}

    @Override
    public void notResized(AppKey key, String containerId, String message) {}

    @Override
    public void wanted(AppKey key, Cluster.Demand demand) {}

    @Override
    public void agentNotStarted(AppKey key, String containerId, String message) {}

    @Override
    public void nodes(List<NodeView> nodes) {}

    @Override
    public void resynced(AppKey key, List<String> live) {}
}
