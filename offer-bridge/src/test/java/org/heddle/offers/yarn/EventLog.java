// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.cluster.QueuePlacement;
import org.heddle.offers.model.Resources;

/** The events of one application as lines of text; containers have their last two digits as names. */
final class EventLog implements Cluster.Events {
    final List<String> lines = new ArrayList<>();

    private static String name(String containerId) {
        return containerId.substring(containerId.length() - 2);
    }

    private static String names(List<AllocatedContainer> containers) {
        return containers.stream().map(one -> name(one.containerId())).collect(Collectors.joining(","));
    }

    private static String size(Resources size) {
        return size.milliCpus() + "/" + size.memMb();
    }

    @Override
    public void started(ApplicationKey key, ApplicationRecord app, Resources largest, List<AllocatedContainer> live) {
        lines.add("started " + app.id() + " largest " + size(largest) + " live " + names(live));
    }

    @Override
    public void placed(ApplicationKey key, QueuePlacement placement) {
        lines.add("placed " + placement.queue() + " " + placement.user());
    }

    @Override
    public void renewed(ApplicationKey key, byte[] credential) {
        lines.add("renewed " + (credential.length > 0));
    }

    @Override
    public void refused(ApplicationKey key, String diagnostics) {
        lines.add("refused " + diagnostics);
    }

    @Override
    public void granted(ApplicationKey key, List<AllocatedContainer> grants) {
        lines.add("granted " + names(grants));
    }

    @Override
    public void headroom(ApplicationKey key, Resources headroom) {
        lines.add("headroom " + size(headroom));
    }

    @Override
    public void completed(ApplicationKey key, String containerId, int exitStatus, String diagnostics) {
        lines.add("completed " + name(containerId) + " " + exitStatus + " " + diagnostics);
    }

    @Override
    public void resized(ApplicationKey key, String containerId, Resources size) {
        lines.add("resized " + name(containerId) + " " + size(size));
    }

    @Override
    public void notResized(ApplicationKey key, String containerId, String message) {
        lines.add("not resized " + name(containerId) + " " + message);
    }

    @Override
    public void wanted(ApplicationKey key, Cluster.Demand demand) {
        lines.add("wanted " + demand.containerIds().stream().map(EventLog::name).collect(Collectors.joining(",")));
    }

    @Override
    public void agentNotStarted(ApplicationKey key, String containerId, String message) {
        lines.add("agent not started " + name(containerId) + " " + message);
    }

    @Override
    public void nodes(List<ClusterNode> nodes) {
        lines.add("nodes");
    }

    @Override
    public void pending(long containers) {
        lines.add("pending");
    }

    @Override
    public void warning(String subject, String sentence) {
        lines.add("warning");
    }

    @Override
    public void resynced(ApplicationKey key, List<String> live) {
        lines.add("resynced " + live.stream().map(EventLog::name).collect(Collectors.joining(",")));
    }
}
