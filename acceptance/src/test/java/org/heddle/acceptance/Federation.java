// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Two sub-clusters with our scheduler behind Hadoop's Router, as docs/federation.md sets them up: ZooKeeper keeps the
 * state, and every NodeManager has an AMRMProxy.
 */
final class Federation implements AutoCloseable {
    private static final String INTERCEPTORS = "org.apache.hadoop.yarn.server.router.";
    private static final int ROUTER = 29_050;
    private static final int ROUTER_ADMIN = 29_052;
    private static final int ROUTER_WEB = 29_089;
    private static final int POLICIES_WEB = 29_069;

    private final Cluster first;
    private final Cluster second;
    private final Path clients;
    private final Path servers;

    /** The sub-clusters by name. */
    static final List<String> NAMES = List.of("sc1", "sc2");

    Federation(HadoopHome home, String firstQueues, String secondQueues, int firstNodes, int secondNodes)
            throws IOException {
        first = subCluster(Cluster.builder(home).zooKeeper(), 0, firstQueues, firstNodes)
                .start();
        second = subCluster(
                        Cluster.builder(home)
                                .filesIn(first)
                                .property("hadoop.zk.address", first.address("zookeeper") + ":" + Site.ZOOKEEPER),
                        1,
                        secondQueues,
                        secondNodes)
                .start();
        String router = first.address("router");
        clients = first.variant(
                "clients",
                Map.of(
                        // What `yarn routeradmin -policy --save` saves; the default has no weights.
                        "yarn.federation.policy-manager",
                        "org.apache.hadoop.yarn.server.federation.policies.manager.WeightedLocalityPolicyManager",
                        "yarn.resourcemanager.address",
                        router + ":" + ROUTER,
                        "yarn.resourcemanager.admin.address",
                        router + ":" + ROUTER_ADMIN));
        servers = first.variant(
                "servers",
                Map.ofEntries(
                        Map.entry("yarn.router.hostname", router),
                        Map.entry("yarn.router.clientrm.address", router + ":" + ROUTER),
                        Map.entry("yarn.router.rmadmin.address", router + ":" + ROUTER_ADMIN),
                        Map.entry("yarn.router.webapp.address", router + ":" + ROUTER_WEB),
                        Map.entry(
                                "yarn.router.clientrm.interceptor-class.pipeline",
                                INTERCEPTORS + "clientrm.FederationClientInterceptor"),
                        Map.entry(
                                "yarn.router.rmadmin.interceptor-class.pipeline",
                                INTERCEPTORS + "rmadmin.FederationRMAdminInterceptor"),
                        Map.entry(
                                "yarn.router.webapp.interceptor-class.pipeline",
                                INTERCEPTORS + "webapp.FederationInterceptorREST"),
                        Map.entry("yarn.federation.gpg.webapp.address", first.address("policies") + ":" + POLICIES_WEB),
                        Map.entry("yarn.federation.gpg.policy.generator.interval", "5s"),
                        Map.entry(
                                "yarn.federation.gpg.policy.generator.class", "org.heddle.drf.FairShareGlobalPolicy")));
    }

    private Cluster.Builder subCluster(Cluster.Builder builder, int number, String queues, int nodes) {
        return builder.withoutHistoryServer()
                .scheduler(SharedCluster.HEDDLE)
                .file("heddle-scheduler.xml", queues)
                .nodes(nodes, 8192, 64)
                // What an ended container leaves is idle until its node's next heartbeat.
                .property("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "200")
                .property("yarn.federation.enabled", "true")
                .property("yarn.resourcemanager.cluster-id", NAMES.get(number))
                .property("yarn.resourcemanager.epoch", String.valueOf(number * 1000))
                .property(
                        "yarn.federation.state-store.class",
                        "org.apache.hadoop.yarn.server.federation.store.impl.ZookeeperFederationStateStore")
                .property("yarn.federation.state-store.heartbeat-interval-secs", "2")
                .property("yarn.federation.state-store.heartbeat.initial-delay", "1s")
                .property("yarn.federation.cache-ttl.secs", "2")
                .property(
                        "yarn.client.failover-proxy-provider",
                        "org.apache.hadoop.yarn.client.DefaultNoHARMFailoverProxyProvider")
                .property("yarn.nodemanager.amrmproxy.enabled", "true")
                .property(
                        "yarn.nodemanager.amrmproxy.interceptor-class.pipeline",
                        "org.apache.hadoop.yarn.server.nodemanager.amrmproxy.FederationInterceptor")
                .property(Site.SCHEDULER_ADDRESS, Site.AT_PROXY);
    }

    Cluster subCluster(String name) {
        return name.equals(NAMES.get(0)) ? first : second;
    }

    /** Returns when it takes applications. */
    void startRouter() throws IOException {
        first.add("router", servers, "yarn", "router");
        first.await("the Router to listen", () -> {
            try (Socket probe = new Socket(first.address("router"), ROUTER)) {
                return probe.isConnected();
            }
        });
    }

    /** Hadoop's GlobalPolicyGenerator with our policy. */
    Daemon startPolicyGenerator() throws IOException {
        return first.add("policies", servers, "yarn", "globalpolicygenerator");
    }

    /** A stock client that knows the Router only. */
    Command client(String script, Object... arguments) {
        return first.client(script, arguments).with("HADOOP_CONF_DIR", clients);
    }

    /** The applications that a sub-cluster's own ResourceManager knows. */
    JsonNode applications(String name) throws IOException {
        return subCluster(name).rest("/ws/v1/cluster/apps").at("/apps/app");
    }

    @Override
    public void close() throws IOException {
        try (first;
                second) {
            // the second one first: its files are in the first one's HDFS
        }
    }
}
