// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.scheduler.config.FairKeys;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.config.site.Site;
import org.heddle.settings.ConfigKey;

/** The keys of {@code yarn-site.xml} that matter to the scheduler: their values and their errors. */
final class SiteKeys {
    static final String SCHEDULER = "yarn.resourcemanager.scheduler.class";
    static final String DRF = "org.heddle.drf.DrfScheduler";
    static final String MARKET = "org.heddle.market.DynamicPriorityScheduler";
    static final String RECOVERY = "yarn.resourcemanager.recovery.enabled";
    static final String HA = "yarn.resourcemanager.ha.enabled";
    private static final String HADOOP = "org.apache.hadoop.yarn.server.resourcemanager.";
    private static final String CAPACITY = HADOOP + "scheduler.capacity.CapacityScheduler";
    private static final String FAIR = HADOOP + "scheduler.fair.FairScheduler";
    private static final String FIFO = HADOOP + "scheduler.fifo.FifoScheduler";
    private static final Set<String> KNOWN = new TreeSet<>(List.of(DRF, MARKET, CAPACITY, FAIR, FIFO));

    private static final String STORE = "yarn.resourcemanager.store.class";
    private static final String FILE_STORE = HADOOP + "recovery.FileSystemRMStateStore";
    private static final String ZOOKEEPER_STORE = HADOOP + "recovery.ZKRMStateStore";
    private static final String LEVELDB_STORE = HADOOP + "recovery.LeveldbRMStateStore";
    private static final String MEMORY_STORE = HADOOP + "recovery.MemoryRMStateStore";
    private static final String UNDER_TEMPORARY = "${hadoop.tmp.dir}/yarn/system/rmstore";

    private static final String MONITOR = "yarn.resourcemanager.scheduler.monitor.enable";
    private static final String POLICIES = "yarn.resourcemanager.scheduler.monitor.policies";
    private static final String RESERVATIONS = "yarn.resourcemanager.reservation-system.";
    private static final String FILTERS = "hadoop.http.filter.initializers";
    private static final String PAGE = "yarn.http.rmwebapp.scheduler.page.class";
    private static final String SERVICE = "yarn.webapp.custom.webservice.class";
    private static final String MARKET_PREFIX = SchedulerKeys.PREFIX + "market.";
    private static final String MASTER_KEY = MARKET_PREFIX + "http.master-key";

    /** The keys that are shown, with Hadoop's defaults. */
    private static final Map<String, String> SHOWN = new LinkedHashMap<>();

    static {
        SHOWN.put(SCHEDULER, CAPACITY);
        SHOWN.put(RECOVERY, "false");
        SHOWN.put("yarn.resourcemanager.work-preserving-recovery.enabled", "true");
        SHOWN.put(STORE, FILE_STORE);
        SHOWN.put(HA, "false");
        SHOWN.put("yarn.acl.enable", "false");
        SHOWN.put("yarn.admin.acl", "*");
        SHOWN.put("yarn.scheduler.minimum-allocation-mb", "1024");
        SHOWN.put("yarn.scheduler.minimum-allocation-vcores", "1");
        SHOWN.put("yarn.scheduler.maximum-allocation-mb", "8192");
        SHOWN.put("yarn.scheduler.maximum-allocation-vcores", "4");
        SHOWN.put("yarn.node-labels.enabled", "false");
        SHOWN.put(RESERVATIONS + "enable", "false");
        SHOWN.put(MONITOR, "false");
    }

    private final Site site;
    private final Findings findings;

    SiteKeys(Site site, Findings findings) {
        this.site = site;
        this.findings = findings;
    }

    /**
     * A key and its value.
     *
     * @param set whether a file sets it
     */
    record Effective(String key, String value, boolean set) {}

    /** The values of these keys; with FairScheduler's own keys if its format is read. */
    static List<Effective> effective(Site site, boolean fair) {
        List<Effective> all = new ArrayList<>();
        SHOWN.forEach((key, fallback) -> all.add(effective(site, key, fallback)));
        for (ConfigKey<?> key : SchedulerKeys.ALL) {
            all.add(effective(site, key.name(), key.fallback()));
        }
        if (fair) {
            for (ConfigKey<?> key : FairKeys.ALL) {
                all.add(effective(site, key.name(), key.fallback()));
            }
        }
        return all;
    }

    private static Effective effective(Site site, String key, String fallback) {
        return new Effective(key, site.get(key, fallback), site.get(key) != null);
    }

    static boolean isOurs(Site site) {
        String scheduler = site.get(SCHEDULER, CAPACITY);
        return scheduler.equals(DRF) || scheduler.equals(MARKET);
    }

    static boolean isFairScheduler(Site site) {
        return site.get(SCHEDULER, CAPACITY).equals(FAIR);
    }

    static boolean isCapacityScheduler(Site site) {
        return site.get(SCHEDULER, CAPACITY).equals(CAPACITY);
    }

    void check() {
        scheduler();
        values();
        recovery();
        usage();
        pair();
        acls();
        monitors();
        reservations();
        web();
        market();
    }

    /** " (yarn-site.xml line 7)", or " (default)". */
    private String in(String key) {
        String where = site.where(key);
        return where.isEmpty() ? " (default)" : " (" + where + ")";
    }

    private void scheduler() {
        String scheduler = site.get(SCHEDULER, CAPACITY);
        if (scheduler.equals(DRF) || scheduler.equals(MARKET)) {
            findings.ok(SCHEDULER + " = " + scheduler);
        } else if (KNOWN.contains(scheduler)) {
            findings.note(SCHEDULER + " = " + scheduler + in(SCHEDULER)
                    + ": the ResourceManager runs Hadoop's own scheduler; to switch, set it to " + DRF);
        } else {
            String problem = ": is not a scheduler of Heddle or Hadoop";
            if (scheduler.startsWith("org.heddle.")) {
                problem = ": there is no such class, and the ResourceManager does not start";
            }
            findings.problem(
                    SCHEDULER + " = " + scheduler + in(SCHEDULER) + problem, KnownNames.choices(scheduler, KNOWN));
        }
    }

    private void values() {
        List<ConfigKey<?>> known = new ArrayList<>(SchedulerKeys.ALL);
        known.addAll(KnownKeys.ofMarket());
        KnownKeys.check(site, SchedulerKeys.PREFIX, known, findings);
    }

    private void recovery() {
        if (!site.is(RECOVERY, false)) {
            findings.problem(
                    RECOVERY + " = false" + in(RECOVERY)
                            + ": every restart of the ResourceManager, also one to change the scheduler, ends all"
                            + " applications that run",
                    "set it to true, and " + STORE + " to " + ZOOKEEPER_STORE + " (or a directory in HDFS by "
                            + "yarn.resourcemanager.fs.state-store.uri)");
            return;
        }
        String store = site.get(STORE, FILE_STORE);
        switch (store) {
            case FILE_STORE -> directory("yarn.resourcemanager.fs.state-store.uri");
            case LEVELDB_STORE -> directory("yarn.resourcemanager.leveldb-state-store.path");
            case MEMORY_STORE ->
                findings.problem(
                        STORE + " = " + store + in(STORE)
                                + ": the applications are lost when the ResourceManager stops",
                        "set it to " + ZOOKEEPER_STORE + " or " + FILE_STORE);
            default -> findings.ok(RECOVERY + " = true, applications are kept by " + store);
        }
        if (!site.is("yarn.resourcemanager.work-preserving-recovery.enabled", true)) {
            findings.problem(
                    "yarn.resourcemanager.work-preserving-recovery.enabled = false"
                            + in("yarn.resourcemanager.work-preserving-recovery.enabled")
                            + ": a restart of the ResourceManager ends all containers",
                    "remove it, the default is true");
        }
    }

    private void directory(String key) {
        String place = site.get(key, UNDER_TEMPORARY);
        String path = place.replaceFirst("^file:/*", "/");
        if (path.startsWith("/tmp/")) {
            findings.problem(
                    key + " = " + place + in(key)
                            + ": the applications that recovery needs are kept below /tmp, which is"
                            + " emptied by restarts and clean-up jobs",
                    "set it to a directory that stays, such as hdfs:///yarn/rmstore");
        } else if (site.is(HA, false) && place.startsWith("file:")) {
            findings.problem(
                    key + " = " + place + in(key)
                            + ": the other ResourceManager of the pair does not see that directory",
                    "set " + STORE + " to " + ZOOKEEPER_STORE);
        } else {
            findings.ok(RECOVERY + " = true, applications are kept in " + place);
        }
    }

    private void usage() {
        ConfigKey<String> key = SchedulerKeys.USAGE_DIRECTORY;
        String below = site.get(SchedulerKeys.TEMPORARY, "/tmp/hadoop-USER");
        if (isOurs(site) && site.get(key.name(), "").isEmpty() && below.startsWith("/tmp/")) {
            findings.note(key.name() + " is not set: what applications have used is kept below "
                    + SchedulerKeys.TEMPORARY + " (" + below + "), which is emptied by restarts and clean-up jobs, and"
                    + " reports begin anew; set it to a directory that stays, such as hdfs:///heddle/usage");
        }
    }

    private void pair() {
        if (!site.is(HA, false)) {
            return;
        }
        String ids = site.get("yarn.resourcemanager.ha.rm-ids", "");
        if (ids.split(",").length < 2) {
            findings.problem(
                    HA + " = true, but yarn.resourcemanager.ha.rm-ids = '" + ids
                            + "' does not name two ResourceManagers",
                    "set it to rm1,rm2 and say yarn.resourcemanager.hostname.rm1 and .rm2");
            return;
        }
        for (String id : ids.split(",", -1)) {
            String rm = id.strip();
            if (site.get("yarn.resourcemanager.hostname." + rm) == null
                    && site.get("yarn.resourcemanager.address." + rm) == null) {
                findings.problem(
                        "ResourceManager " + rm + " of yarn.resourcemanager.ha.rm-ids has no host",
                        "set yarn.resourcemanager.hostname." + rm);
            }
        }
        boolean zookeeper =
                site.get("hadoop.zk.address") != null || site.get("yarn.resourcemanager.zk-address") != null;
        if (!zookeeper && site.is("yarn.resourcemanager.ha.automatic-failover.enabled", true)) {
            findings.problem(
                    "the pair needs ZooKeeper for failover, and no ZooKeeper is configured",
                    "set hadoop.zk.address to host:port,host:port,host:port");
        }
        if (site.get("yarn.resourcemanager.cluster-id") == null) {
            findings.problem(
                    "yarn.resourcemanager.cluster-id is not set; a pair needs it", "set it to a name of the cluster");
        }
        findings.note("a pair: give both ResourceManagers the same jars and files");
    }

    private void acls() {
        if (isOurs(site) && !site.is("yarn.acl.enable", false)) {
            findings.note("yarn.acl.enable = false" + in("yarn.acl.enable")
                    + ": with a heddle-scheduler.xml the submit lists of the queues have no effect");
        } else if (isOurs(site) && site.get("yarn.admin.acl", "*").equals("*")) {
            findings.note("yarn.admin.acl = *" + in("yarn.admin.acl")
                    + ": everyone may administer YARN; for the lists of queues it counts only if it names users");
        }
    }

    private void monitors() {
        String policies = site.get(POLICIES, HADOOP + "monitor.capacity.ProportionalCapacityPreemptionPolicy");
        if (isOurs(site) && site.is(MONITOR, false) && policies.contains(".monitor.capacity.")) {
            findings.note(MONITOR + " = true" + in(MONITOR) + " with " + policies
                    + ": this monitor is not started, because it works with CapacityScheduler only; Heddle preempts by"
                    + " itself, as its keys say where a capacity-scheduler.xml is in force, else as Heddle's own file"
                    + " says");
        }
    }

    private void reservations() {
        for (String key : List.of(RESERVATIONS + "class", RESERVATIONS + "plan.follower")) {
            String value = site.get(key, "");
            if (isOurs(site) && site.is(RESERVATIONS + "enable", false) && value.startsWith("org.apache.hadoop.")) {
                findings.problem(
                        key + " = " + value + in(key) + ": works with Hadoop's own schedulers only",
                        "remove it; Heddle brings its own");
            }
        }
    }

    private void web() {
        for (String key : List.of(FILTERS, PAGE, SERVICE)) {
            String value = site.get(key, "");
            if (value.contains("org.heddle.")) {
                findings.problem(
                        key + " = " + value + in(key)
                                + ": every daemon that reads this file loads the class, and NodeManagers do not start"
                                + " without it",
                        "remove it; the scheduler sets it itself in the ResourceManager");
            }
        }
        String service = site.get(SERVICE, "");
        if (isOurs(site) && !service.isEmpty() && !service.contains("org.heddle.")) {
            findings.note(SERVICE + " = " + service + in(SERVICE)
                    + ": this setting is kept, so /ws/v1/cluster/scheduler does not show Heddle's queues;"
                    + " /heddle/v1 shows them");
        }
    }

    private void market() {
        if (!site.get(SCHEDULER, "").equals(MARKET) || !site.get(MASTER_KEY, "").isEmpty()) {
            return;
        }
        String providers = site.get("hadoop.security.credential.provider.path", "");
        if (providers.isEmpty()) {
            findings.problem(
                    MASTER_KEY + " is not set: no request to the market can be signed",
                    "put 32 random bytes (openssl rand -base64 32) under that name into a credential provider:"
                            + " hadoop credential create " + MASTER_KEY);
        } else {
            findings.notChecked(MASTER_KEY + ": whether it is in " + providers);
        }
    }
}
