// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.heddle.demos.drf.Scenario.Tenant;
import org.heddle.testkit.ClusterBuilder;

/**
 * A scheduler that the demo can run under, and how the scenario's queues and weights are told to it. No limit on
 * masters: all of them start before there are workers, when nothing else is on the cluster.
 */
enum Contender {
    /** Ours: users are weighed inside a leaf queue. */
    DRF("org.heddle.drf.DrfScheduler", true) {
        @Override
        void configure(ClusterBuilder cluster, Scenario scenario) {
            cluster.queuesFile("yarn.scheduler.heddle.configuration.file", heddleQueues(scenario));
        }

        @Override
        String queueOf(Tenant tenant) {
            return "root." + tenant.queue();
        }
    },
    /** FairScheduler with its drf policy: a queue per user. */
    FAIR("org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler", false) {
        @Override
        void configure(ClusterBuilder cluster, Scenario scenario) {
            cluster.queuesFile("yarn.scheduler.fair.allocation.file", fairQueues(scenario))
                    .property("yarn.scheduler.fair.assignmultiple", "true")
                    .property("yarn.scheduler.fair.dynamic.max.assign", "false");
        }
    },
    /** CapacityScheduler with its dominant resource calculator: a queue per user, weights as capacities. */
    CAPACITY("org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler", false) {
        @Override
        void configure(ClusterBuilder cluster, Scenario scenario) {
            String prefix = "yarn.scheduler.capacity.";
            cluster.property(prefix + "maximum-am-resource-percent", "1")
                    .property(
                            prefix + "root.queues",
                            String.join(",", scenario.queues().keySet()));
            scenario.queues().forEach((queue, weight) -> {
                cluster.property(prefix + "root." + queue + ".capacity", weight + "w");
                cluster.property(
                        prefix + "root." + queue + ".queues",
                        tenantsOf(scenario, queue).stream().map(Tenant::user).collect(Collectors.joining(",")));
                for (Tenant tenant : tenantsOf(scenario, queue)) {
                    String leaf = prefix + queueOf(tenant);
                    cluster.property(leaf + ".capacity", tenant.weight() + "w");
                    cluster.property(leaf + ".user-limit-factor", "100");
                }
            });
        }
    };

    private final String schedulerClass;
    private final boolean judged;

    Contender(String schedulerClass, boolean judged) {
        this.schedulerClass = schedulerClass;
        this.judged = judged;
    }

    /** The scheduler's class. */
    String schedulerClass() {
        return schedulerClass;
    }

    /** Whether the demo fails when this scheduler's shares are not the fair ones; others are run for comparison. */
    boolean isJudged() {
        return judged;
    }

    abstract void configure(ClusterBuilder cluster, Scenario scenario);

    /** The queue that a user's jobs are submitted to. */
    String queueOf(Tenant tenant) {
        return "root." + tenant.queue() + "." + tenant.user();
    }

    private static List<Tenant> tenantsOf(Scenario scenario, String queue) {
        return scenario.tenants().stream()
                .filter(tenant -> tenant.queue().equals(queue))
                .toList();
    }

    private static String heddleQueues(Scenario scenario) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<heddle-scheduler version=\"1\">\n");
        xml.append("  <queue name=\"root\">\n");
        for (Map.Entry<String, Integer> queue : scenario.queues().entrySet()) {
            xml.append("    <queue name=\"%s\">%n      <weight>%d</weight>%n      <max-am-share>100%%</max-am-share>%n"
                    .formatted(queue.getKey(), queue.getValue()));
            for (Tenant tenant : tenantsOf(scenario, queue.getKey())) {
                xml.append("      <user name=\"%s\"><weight>%d</weight></user>%n"
                        .formatted(tenant.user(), tenant.weight()));
            }
            xml.append("    </queue>\n");
        }
        return xml.append("  </queue>\n</heddle-scheduler>\n").toString();
    }

    private static String fairQueues(Scenario scenario) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<allocations>\n");
        xml.append("  <defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>\n");
        xml.append("  <queueMaxAMShareDefault>1.0</queueMaxAMShareDefault>\n");
        for (Map.Entry<String, Integer> queue : scenario.queues().entrySet()) {
            xml.append("  <queue name=\"%s\" type=\"parent\">%n    <weight>%d</weight>%n"
                    .formatted(queue.getKey(), queue.getValue()));
            for (Tenant tenant : tenantsOf(scenario, queue.getKey())) {
                xml.append("    <queue name=\"%s\"><weight>%d</weight></queue>%n"
                        .formatted(tenant.user(), tenant.weight()));
            }
            xml.append("  </queue>\n");
        }
        return xml.append("</allocations>\n").toString();
    }
}
