// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.util.RackResolver;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.heddle.testkit.embedded.EmbeddedResourceManager;
import org.heddle.testkit.embedded.NamedNodeManager;

/**
 * What Hadoop keeps once per JVM although each cluster has its own: resource types, node resources, users' groups,
 * racks, metrics. All access is guarded by the class; clusters that cannot live side by side are refused.
 */
final class JvmWide {
    private static final Set<HeddleCluster> RUNNING = new HashSet<>();

    /**
     * Types beyond memory and vcores that any cluster of this JVM ever had. They are never forgotten: constants inside
     * Hadoop remember the types they were made with and break when one disappears.
     */
    private static final SortedSet<String> TYPES = new TreeSet<>();

    private static final Map<String, Set<String>> GROUPS = new TreeMap<>();

    private JvmWide() {}

    /**
     * Makes this JVM fit for a cluster with these resource types and users; undone by {@link #leave}.
     *
     * @return properties that the cluster must have for that: all resource types and groups of the JVM
     */
    static synchronized Map<String, String> enter(
            HeddleCluster cluster, Collection<String> types, Map<String, Set<String>> users, Configuration conf) {
        SortedSet<String> all = new TreeSet<>(TYPES);
        all.addAll(types);
        if (!all.equals(TYPES) && !RUNNING.isEmpty()) {
            throw new IllegalStateException("resource types " + types + ": another cluster of this JVM runs with "
                    + TYPES + ", and Hadoop keeps resource types once per JVM; declare the same types in both");
        }
        GROUPS.putAll(users);
        Map<String, String> properties = new TreeMap<>();
        properties.put(CommonConfigurationKeys.HADOOP_USER_GROUP_STATIC_OVERRIDES, groupOverrides());
        if (!all.isEmpty()) {
            properties.put(YarnConfiguration.RESOURCE_TYPES, String.join(",", all));
        }
        properties.forEach(conf::set);
        DefaultMetricsSystem.setMiniClusterMode(true);
        if (RUNNING.isEmpty()) {
            TYPES.addAll(all);
            ResourceUtils.resetResourceTypes(new Configuration(conf));
        }
        UserGroupInformation.setConfiguration(conf);
        Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
        RUNNING.add(cluster);
        return properties;
    }

    /** Fails with the way out where Hadoop 3.4's web server could not start on this JVM. */
    static void requireOpen() {
        boolean old = VersionInfo.getVersion().startsWith("3.4.");
        if (old && !Object.class.getModule().isOpen("java.lang", JvmWide.class.getModule())) {
            throw new IllegalStateException("Hadoop " + VersionInfo.getVersion()
                    + " on Java 17: its web server needs the JVM flag --add-opens=java.base/java.lang=ALL-UNNAMED; add"
                    + " it to argLine of Surefire or Failsafe");
        }
    }

    static synchronized void leave(HeddleCluster cluster) {
        RUNNING.remove(cluster);
    }

    /**
     * Starts a ResourceManager. Each start sets the time stamp by which nodes recognise their ResourceManager's
     * containers, for all in the JVM; those that already run would see their own containers refused.
     */
    static synchronized void start(ResourceManager rm) {
        long before = ResourceManager.getClusterTimeStamp();
        rm.start();
        if (RUNNING.size() > 1) {
            EmbeddedResourceManager.restoreTimeStamp(before);
        }
    }

    /** A ResourceManager would go on counting in the metrics of an earlier one with queues of the same name. */
    static synchronized void forgetQueueMetrics() {
        QueueMetrics.clearQueueMetrics();
    }

    /**
     * Lets a node read its own resources: Hadoop remembers those of the first node in the JVM for all. Its web server
     * stays off: Guice serves all web applications of a JVM through the filter of the one that started last, which has
     * to be the ResourceManager's.
     */
    static synchronized void initialize(NamedNodeManager node, Configuration conf) {
        ResourceUtils.resetNodeResources();
        node.init(conf);
        node.disableWebServer();
    }

    /** Fails if other code of this JVM has bound Hadoop to another source of racks. */
    static void requireRack(NodeSpec node) {
        String seen = RackResolver.resolve(node.host()).getNetworkLocation();
        if (!seen.equals(node.rack())) {
            throw new IllegalStateException("rack " + node.rack() + " of " + node.host() + ": Hadoop resolves it to "
                    + seen + "; other code initialised RackResolver in this JVM before the first cluster, or another"
                    + " cluster has a host of the same name on another rack: run it in a JVM of its own or rename it");
        }
    }

    private static String groupOverrides() {
        StringBuilder overrides = new StringBuilder();
        GROUPS.forEach((user, groups) -> overrides
                .append(user)
                .append('=')
                .append(String.join(",", groups))
                .append(';'));
        return overrides.toString();
    }
}
