// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.heddle.journal.LogPoint;
import org.heddle.journal.hdfs.LogPlace;
import org.heddle.market.alert.RunwayAlerts;
import org.heddle.market.ledger.Market;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.jdbc.JdbcStore;
import org.heddle.market.ledger.journal.JournalStore;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.model.terms.SubmissionPolicy;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the market's terms and store from the ResourceManager's configuration. */
final class MarketSetup {
    private static final Logger LOG = LoggerFactory.getLogger(MarketSetup.class);
    private static final String DEFAULT_CLUSTER = "heddle";

    private MarketSetup() {}

    static MarketTerms terms(Configuration conf) {
        long interval = MarketKeys.INTERVAL_MS.read(conf::get);
        long unit = MarketKeys.RATE_UNIT_MS.read(conf::get);
        return new MarketTerms(
                clusterId(conf),
                interval,
                unit == 0 ? interval : unit,
                MarketKeys.CHARGE_EXCESS.read(conf::get),
                MarketTerms.MAX_DEFICIT_INTERVALS,
                MarketKeys.STORE_OUTAGE.read(conf::get));
    }

    private static String clusterId(Configuration conf) {
        String own = MarketKeys.CLUSTER_ID.read(conf::get);
        if (!own.isEmpty()) {
            return own;
        }
        String yarn = conf.get(YarnConfiguration.RM_CLUSTER_ID, DEFAULT_CLUSTER);
        return yarn.matches("[A-Za-z0-9._-]{1,60}") ? yarn : DEFAULT_CLUSTER;
    }

    /**
     * The standard slot as a vector.
     *
     * @throws IOException if it names a resource type that YARN does not know
     */
    static long[] standardSlot(Configuration conf, List<String> resources) throws IOException {
        Map<String, Long> slot = MarketKeys.STANDARD_SLOT.read(conf::get);
        if (slot.isEmpty()) {
            Map<String, Long> smallest = smallestContainer(conf);
            return resources.stream()
                    .mapToLong(name -> smallest.getOrDefault(name, 0L))
                    .toArray();
        }
        for (String name : slot.keySet()) {
            if (!resources.contains(name)) {
                throw new IOException(MarketKeys.STANDARD_SLOT.name() + " names resource '" + name
                        + "', which this cluster does not have; it has " + resources);
            }
        }
        return resources.stream().mapToLong(name -> slot.getOrDefault(name, 0L)).toArray();
    }

    private static Map<String, Long> smallestContainer(Configuration conf) {
        int memory = conf.getInt(
                YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB,
                YarnConfiguration.DEFAULT_RM_SCHEDULER_MINIMUM_ALLOCATION_MB);
        int cores = conf.getInt(
                YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_VCORES,
                YarnConfiguration.DEFAULT_RM_SCHEDULER_MINIMUM_ALLOCATION_VCORES);
        return Map.of(
                ResourceInformation.MEMORY_URI,
                Math.max(1L, memory),
                ResourceInformation.VCORES_URI,
                Math.max(1L, cores));
    }

    /** A slot for the log. */
    static String text(long[] slot, List<String> resources) {
        StringJoiner text = new StringJoiner(", ");
        for (int i = 0; i < slot.length; i++) {
            if (slot[i] > 0) {
                text.add(resources.get(i) + "=" + slot[i]);
            }
        }
        return text.toString();
    }

    /**
     * Refuses what is for trials only.
     *
     * @throws IOException one sentence
     */
    static void checkSafe(Configuration conf) throws IOException {
        if (MarketKeys.TRIAL.read(conf::get)) {
            return;
        }
        String trial = ", or for a trial " + MarketKeys.TRIAL.name() + " = true";
        if (MarketKeys.STORE_JDBC_URL.read(conf::get).isEmpty() && isTemporary(place(conf), conf)) {
            throw new IOException(
                    "The ledger of the market would be in " + place(conf) + ", which is below hadoop.tmp.dir"
                            + " and may be emptied; set " + MarketKeys.STORE_DIRECTORY.name() + trial);
        }
        boolean acls = conf.getBoolean(YarnConfiguration.YARN_ACL_ENABLE, YarnConfiguration.DEFAULT_YARN_ACL_ENABLE);
        if (!acls && SubmissionCheck.policy(conf) != SubmissionPolicy.VOUCHER) {
            throw new IOException(
                    "yarn.acl.enable is off, so every user could spend the credits of every account; set it"
                            + " to true" + trial);
        }
    }

    private static boolean isTemporary(String place, Configuration conf) {
        String path = place.startsWith("file:") ? place.replaceFirst("file:/+", "/") : place;
        String temporary = conf.get(SchedulerKeys.TEMPORARY, SchedulerKeys.TEMPORARY_DEFAULT);
        return !path.contains("://")
                && Path.of(path)
                        .toAbsolutePath()
                        .normalize()
                        .startsWith(Path.of(temporary).toAbsolutePath());
    }

    private static String place(Configuration conf) {
        String directory = MarketKeys.STORE_DIRECTORY.read(conf::get);
        if (directory.isEmpty()) {
            return Path.of(conf.get(SchedulerKeys.TEMPORARY, SchedulerKeys.TEMPORARY_DEFAULT), "heddle-market")
                    .toString();
        }
        return directory;
    }

    /**
     * Alerts about runways; null if there is no webhook.
     *
     * @throws IOException if its address is wrong
     */
    static @Nullable RunwayAlerts alerts(
            Configuration conf, MarketTerms terms, Supplier<@Nullable Market> market, Clocks clocks)
            throws IOException {
        char[] secret = conf.getPassword(MarketKeys.ALERT_WEBHOOK.name());
        String text = secret == null ? "" : new String(secret).strip();
        if (text.isEmpty()) {
            return null;
        }
        Duration limit = Duration.ofMillis(MarketKeys.ALERT_RUNWAY_MS.read(conf::get));
        try {
            URI address = new URI(text);
            if (address.getHost() != null && String.valueOf(address.getScheme()).matches("https?")) {
                return new RunwayAlerts(address, terms.clusterId(), limit, market, clocks);
            }
        } catch (URISyntaxException e) {
            LOG.debug("The address of the webhook has no valid syntax");
        }
        throw new IOException(MarketKeys.ALERT_WEBHOOK.name()
                + " is no address of a webhook: it must begin with http:// or https://");
    }

    static LedgerStore store(Configuration conf, MarketTerms terms, LongSupplier wall) throws IOException {
        Duration keep = Duration.ofDays(MarketKeys.STORE_KEEP_DAYS.read(conf::get));
        String url = MarketKeys.STORE_JDBC_URL.read(conf::get);
        if (!url.isEmpty()) {
            char[] password = conf.getPassword(MarketKeys.STORE_JDBC_PASSWORD);
            return new JdbcStore(
                            url,
                            MarketKeys.STORE_JDBC_USER.read(conf::get),
                            password == null ? "" : new String(password),
                            terms.clusterId())
                    .keeping(keep, wall);
        }
        try {
            return new JournalStore(LogPlace.storage(place(conf), conf, LogPoint.Watcher.NONE), terms.clusterId())
                    .keeping(keep, wall);
        } catch (IllegalArgumentException e) {
            throw new IOException(MarketKeys.STORE_DIRECTORY.name() + ": " + e.getMessage(), e);
        }
    }
}
