// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.scheduler;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.monitor.capacity.ProportionalCapacityPreemptionPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.heddle.drf.DrfScheduler;
import org.heddle.scheduler.config.FairKeys;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.whatif.driven.SchedulerDriver;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.replay.IdlePolicy;
import org.heddle.whatif.replay.ReplayFairScheduler;

/**
 * The configuration of a ResourceManager that replays: Hadoop's defaults, the user's keys that concern schedulers, the
 * queues, and what keeps it apart from any cluster (no recovery, no security, ports on this machine only).
 */
public final class ReplayConfiguration {
    private static final String FAIR_PREFIX = "yarn.scheduler.fair.";
    private static final String CAPACITY_PREFIX = "yarn.scheduler.capacity.";
    private static final String ASYNCHRONOUS = CAPACITY_PREFIX + "schedule-asynchronously.enable";
    private static final String MULTI_NODE = CAPACITY_PREFIX + "multi-node-placement-enabled";
    private static final String CONTINUOUS = FAIR_PREFIX + "continuous-scheduling-enabled";
    private static final String RESOURCE_TYPES = "yarn.resource-types";

    /** Keys of the user's site files that count; all others belong to the cluster or to its machines. */
    private static final List<String> PREFIXES = List.of(
            "yarn.scheduler.",
            RESOURCE_TYPES,
            "yarn.resourcemanager.scheduler.monitor.",
            "yarn.resourcemanager.monitor.capacity.",
            "yarn.cluster.max-application-priority",
            "hadoop.security.group.mapping",
            "hadoop.user.group.static.mapping.overrides");

    private final QueueFiles files;
    private final Configuration site;
    private final List<Size> nodes;
    private final Path scratch;

    /**
     * @param site keys of the user's site files; see {@link #site}
     * @param nodes the sizes of all nodes
     * @param scratch an existing directory for files that are needed during the replays
     */
    public ReplayConfiguration(QueueFiles files, Configuration site, List<Size> nodes, Path scratch) {
        this.files = files;
        this.site = site;
        this.nodes = List.copyOf(nodes);
        this.scratch = scratch;
    }

    /**
     * A configuration of one scheduler.
     *
     * @param queues the file with the queues; the user's, or one that was converted from it
     * @param remarks what the user has to know about it, one sentence each
     */
    public record Prepared(Configuration conf, Path queues, List<String> remarks) {}

    /** The keys of the administrator's site files which count here; read as Hadoop's daemons do, with XInclude. */
    public static Configuration site(List<Path> siteFiles) {
        Configuration read = new Configuration(false);
        siteFiles.forEach(file -> read.addResource(new org.apache.hadoop.fs.Path(file.toUri())));
        Configuration site = new Configuration(false);
        copy(read, site);
        return site;
    }

    /**
     * The same for site files that may be anybody's.
     *
     * @throws IOException one sentence if one of them cannot be read, or makes its reader open another file
     */
    public static Configuration foreignSite(List<Path> siteFiles) throws IOException {
        Configuration site = new Configuration(false);
        for (Path file : siteFiles) {
            copy(restricted(file), site);
        }
        return site;
    }

    /** Copies the keys that concern schedulers. */
    private static void copy(Configuration from, Configuration to) {
        for (Map.Entry<String, String> entry : from) {
            String key = entry.getKey();
            String value = from.get(key);
            if (value != null && PREFIXES.stream().anyMatch(key::startsWith)) {
                to.set(key, value);
            }
        }
    }

    /** @throws IOException one sentence if there are no queues for this scheduler, or they cannot be read */
    public Prepared of(SchedulerKind kind) throws IOException {
        Configuration conf = base();
        Path directory = Files.createTempDirectory(scratch, kind.word());
        List<String> remarks = new ArrayList<>();
        Path queues;
        switch (kind) {
            case HEDDLE -> {
                queues = heddle(conf, directory);
                conf.set(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class.getName());
                conf.set(SchedulerKeys.CONFIGURATION_FILE.name(), queues.toString());
                conf.set(SchedulerKeys.UPDATE_INTERVAL_MS.name(), "0"); // the replay calls update()
                conf.set(SchedulerKeys.RELOAD_INTERVAL_MS.name(), "0");
                conf.set(SchedulerKeys.USAGE_DIRECTORY.name(), "none");
                conf.set(SchedulerKeys.MUTABLE.name(), "false");
            }
            case FAIR -> {
                QueueFiles.Found found = files.fair(directory, units());
                queues = found.file();
                remarks.addAll(found.remarks());
                conf.set(YarnConfiguration.RM_SCHEDULER, ReplayFairScheduler.class.getName());
                conf.set(FairKeys.ALLOCATION_FILE.name(), found.file().toString());
                conf.set(FAIR_PREFIX + "update-interval-ms", "0"); // the replay calls update()
                conf.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, false);
                switchOff(conf, CONTINUOUS, "continuous scheduling is switched off, for it is a thread", remarks);
            }
            case CAPACITY -> queues = capacity(conf, directory, remarks);
            default -> throw new IllegalArgumentException(kind.word());
        }
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                directory.resolve("node-attributes").toUri().toString());
        ResourceUtils.resetResourceTypes(conf);
        return new Prepared(conf, queues, remarks);
    }

    /** The file for the DRF scheduler: of one of CapacityScheduler's a copy that takes nothing from this process. */
    private Path heddle(Configuration conf, Path directory) throws IOException {
        Path file = files.heddle();
        boolean monitored = file.equals(files.capacity()) && onlyPreemption(conf);
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, monitored);
        if (!file.equals(files.capacity())) {
            return file;
        }
        Path copy = directory.resolve(FairToCapacity.CAPACITY);
        try (OutputStream out = Files.newOutputStream(copy)) {
            restricted(file).writeXml(out);
        }
        return copy;
    }

    /** Whether CapacityScheduler's monitor of preemption is on; its keys count, and no other monitor runs. */
    private static boolean onlyPreemption(Configuration conf) {
        String preemption = ProportionalCapacityPreemptionPolicy.class.getName();
        boolean on = conf.getBoolean(
                        YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS,
                        YarnConfiguration.DEFAULT_RM_SCHEDULER_ENABLE_MONITORS)
                && conf.getTrimmedStringCollection(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES)
                        .contains(preemption);
        conf.set(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES, preemption);
        return on;
    }

    private Path capacity(Configuration conf, Path directory, List<String> remarks) throws IOException {
        Path own = files.capacity();
        Path queues = own == null ? directory.resolve(FairToCapacity.CAPACITY) : own;
        if (own != null) {
            restricted(own).forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
        } else {
            Path fair = files.fair(directory, units()).file();
            FairToCapacity.convert(fair, site, cluster(), directory);
            restricted(queues).forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
            restricted(directory.resolve(FairToCapacity.YARN))
                    .forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
            remarks.add("runs with what Hadoop's converter (yarn fs2cs) makes of " + fair.getFileName());
        }
        conf.set(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class.getName());
        // The cluster may keep its configuration in ZooKeeper.
        conf.set(YarnConfiguration.SCHEDULER_CONFIGURATION_STORE_CLASS, YarnConfiguration.FILE_CONFIGURATION_STORE);
        switchOff(conf, ASYNCHRONOUS, "asynchronous scheduling is switched off, for it is a thread", remarks);
        switchOff(conf, MULTI_NODE, "the choice among sorted nodes is switched off, for a thread sorts them", remarks);
        Set<String> policies =
                new LinkedHashSet<>(conf.getTrimmedStringCollection(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES));
        boolean monitors = conf.getBoolean(
                YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, YarnConfiguration.DEFAULT_RM_SCHEDULER_ENABLE_MONITORS);
        boolean preempts = policies.remove(ProportionalCapacityPreemptionPolicy.class.getName());
        conf.setBoolean(YarnConfiguration.RM_SCHEDULER_ENABLE_MONITORS, monitors && preempts);
        conf.set(YarnConfiguration.RM_SCHEDULER_MONITOR_POLICIES, IdlePolicy.class.getName());
        if (own != null && monitors && !policies.isEmpty()) {
            remarks.add("these policies of the scheduling monitor are not replayed: " + String.join(", ", policies));
        }
        return queues;
    }

    /**
     * A file that may be anybody's: no XInclude and no entity makes this process open another one, and a value that
     * would take something from the environment of this process is left out.
     */
    private static Configuration restricted(Path file) throws IOException {
        Configuration read = new Configuration(false);
        try (InputStream in = Files.newInputStream(file)) {
            read.addResource(in, file.toString(), true);
            Configuration own = new Configuration(false);
            for (Map.Entry<String, String> entry : read) {
                String value = read.get(entry.getKey());
                if (value != null && !value.contains("${")) {
                    own.set(entry.getKey(), value);
                }
            }
            return own;
        } catch (RuntimeException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new IOException(
                    file + " cannot be read, or makes its reader open another file, which is not done for this one: "
                            + String.valueOf(reason.getMessage())
                                    .replaceAll("[\\s\\p{Cc}]+", " ")
                                    .strip(),
                    e);
        }
    }

    private static void switchOff(Configuration conf, String key, String remark, List<String> remarks) {
        if (conf.getBoolean(key, false)) {
            remarks.add(remark + " (" + key + ")");
        }
        conf.setBoolean(key, false);
    }

    private Size cluster() {
        return new Size(
                nodes.stream().mapToLong(Size::memoryMb).sum(),
                nodes.stream().mapToInt(Size::vcores).sum());
    }

    private Map<String, String> units() {
        Map<String, String> units = new HashMap<>(Map.of("memory-mb", "Mi", "vcores", ""));
        for (String name : site.getTrimmedStringCollection(RESOURCE_TYPES)) {
            units.putIfAbsent(name, site.get(RESOURCE_TYPES + "." + name + ".units", ""));
        }
        return units;
    }

    /** The largest container that schedulers allow with these keys. */
    public Size largestContainer() {
        Configuration conf = base();
        return new Size(
                conf.getLong(
                        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB,
                        YarnConfiguration.DEFAULT_RM_SCHEDULER_MAXIMUM_ALLOCATION_MB),
                conf.getInt(
                        YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES,
                        YarnConfiguration.DEFAULT_RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES));
    }

    private Configuration base() {
        Configuration defaults = new Configuration(false); // not the site files of this machine
        defaults.addResource("core-default.xml");
        defaults.addResource("yarn-default.xml");
        YarnConfiguration conf = new YarnConfiguration(defaults);
        // Without a key of the user's, a container may be as large as a node.
        conf.setLong(
                YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB,
                nodes.stream().mapToLong(Size::memoryMb).max().orElseThrow());
        conf.setInt(
                YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES,
                nodes.stream().mapToInt(Size::vcores).max().orElseThrow());
        copy(site, conf);
        SchedulerDriver.takeFreePorts(conf);
        conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
        // Nodes whose heartbeats are left out are alive.
        conf.setInt(YarnConfiguration.SCHEDULER_SKIP_NODE_MULTIPLIER, 1_000_000);
        // Containers of the past are started on the replay's clock; YARN must not take them back by the machine's.
        conf.setInt(YarnConfiguration.RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS, Integer.MAX_VALUE);
        return conf;
    }
}
