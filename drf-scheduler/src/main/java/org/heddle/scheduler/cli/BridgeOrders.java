// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.heddle.scheduler.config.ConfigurationException;
import org.heddle.scheduler.config.FairKeys;
import org.heddle.scheduler.config.site.Site;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.SchedulerSpec;
import org.jspecify.annotations.Nullable;

/**
 * Whether the queues of the offer bridge share between applications of one user. Between its own frameworks the bridge
 * does, so that this is about applications of others, unless {@code heddle.bridge.queue.shares} is {@code scheduler}.
 */
final class BridgeOrders {
    private static final Set<String> DO_NOT_SHARE = Set.of("fifo", "priority");
    private static final String SHARES = "heddle.bridge.queue.shares";

    private final Site site;
    private final Path conf;
    private final @Nullable SchedulerSpec ours;
    private final Findings findings;

    /**
     * The order of one queue.
     *
     * @param shares whether applications of one user share
     * @param setting what decides it
     * @param fix what to set, as an instruction
     */
    private record Order(boolean shares, String setting, String fix) {}

    /**
     * @param site of the cluster with the files of the bridge, and with capacity-scheduler.xml
     * @param ours the queues of our scheduler; null without a file
     */
    BridgeOrders(Site site, Path conf, @Nullable SchedulerSpec ours, Findings findings) {
        this.site = site;
        this.conf = conf;
        this.ours = ours;
        this.findings = findings;
    }

    void check(Set<String> queues) {
        for (String queue : queues) {
            Order order = order(queue);
            if (order == null) {
                findings.notChecked("whether queue " + queue + " shares between applications");
            } else if (order.shares()) {
                findings.ok("queue " + queue + " shares between applications (" + order.setting() + ")");
            } else if (site.get(SHARES, "equal").equals("scheduler")) {
                findings.problem(
                        "queue " + queue + " does not share between frameworks of one user: " + order.setting()
                                + ", and " + SHARES + " = scheduler",
                        order.fix() + ", or set " + SHARES + " to equal");
            } else {
                findings.note("queue " + queue + " does not share between applications of one user (" + order.setting()
                        + "). The bridge shares it between its frameworks; to share with applications of others, "
                        + order.fix());
            }
        }
    }

    private @Nullable Order order(String queue) {
        if (SiteKeys.isCapacityScheduler(site)) {
            String key = "yarn.scheduler.capacity." + queue + ".ordering-policy";
            String order = site.get(key, "fifo");
            return new Order(
                    !order.startsWith("fifo"),
                    key + " = " + order + (site.get(key) == null ? " (default)" : ""),
                    "set " + key + " to fair");
        }
        if (SiteKeys.isOurs(site)) {
            return ours == null ? ours(QueueSettings.USER_ORDER.fallback(), true, queue) : ours(ours, queue);
        }
        if (!SiteKeys.isFairScheduler(site)) {
            return null;
        }
        SchedulerSpec spec = fairFile();
        QueueSpec found = spec == null ? null : queue(spec, queue);
        if (found == null) {
            return null;
        }
        return new Order(
                !DO_NOT_SHARE.contains(found.order()),
                "schedulingPolicy " + found.order(),
                "set <schedulingPolicy> of queue " + queue + " to fair or drf");
    }

    private static @Nullable Order ours(SchedulerSpec spec, String name) {
        QueueSpec queue = queue(spec, name);
        if (queue == null) {
            return null;
        }
        boolean users = queue.get(QueueSettings.DIVIDE_BY) == QueueSpec.Division.USERS;
        return ours(users ? queue.userOrder() : queue.order(), users, name);
    }

    private static Order ours(String order, boolean users, String queue) {
        String element = (users ? QueueSettings.USER_ORDER : QueueSettings.ORDER).name();
        return new Order(
                !DO_NOT_SHARE.contains(order),
                element + " " + order,
                "set <" + element + "> of queue " + queue + " to drf in heddle-scheduler.xml");
    }

    private static @Nullable QueueSpec queue(SchedulerSpec spec, String path) {
        return spec.root()
                .all()
                .filter(one -> one.path().equals(path))
                .findFirst()
                .orElse(null);
    }

    private @Nullable SchedulerSpec fairFile() {
        Path file = conf.resolve(site.get(FairKeys.ALLOCATION_FILE.name(), FairKeys.ALLOCATION_FILE.fallback()));
        if (!Files.isReadable(file)) {
            return null;
        }
        try {
            return new ConfigurationFiles(site, List.of()).read(file).spec();
        } catch (IOException | ConfigurationException e) {
            return null; // heddle check names what is wrong
        }
    }
}
