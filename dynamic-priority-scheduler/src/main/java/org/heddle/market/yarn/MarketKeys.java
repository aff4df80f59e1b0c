// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.heddle.market.model.terms.ChargePolicy;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.model.terms.OutagePolicy;
import org.heddle.market.model.terms.RefundPolicy;
import org.heddle.market.model.terms.StartPolicy;
import org.heddle.market.model.terms.SubmissionPolicy;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.settings.ConfigKey;
import org.heddle.settings.Durations;
import org.heddle.settings.Sizes;
import org.heddle.settings.ValueKind;

/** The market's keys in {@code yarn-site.xml}; queues are configured as those of the DRF scheduler are. */
public final class MarketKeys {
    /** The prefix of all keys of the market. */
    public static final String PREFIX = SchedulerKeys.PREFIX + "market.";

    public static final ConfigKey<String> CLUSTER_ID = new ConfigKey<>(
            PREFIX + "cluster-id",
            new ValueKind<>("1 to 60 characters of A-Za-z0-9._-, or empty", text -> {
                require(text.isEmpty() || text.matches("[A-Za-z0-9._-]{1,60}"));
                return text;
            }),
            "",
            "Name of the cluster in the ledger and in signatures. Empty: yarn.resourcemanager.cluster-id, or `heddle`"
                    + " if that is not set.");

    public static final ConfigKey<Long> INTERVAL_MS = new ConfigKey<>(
            PREFIX + "interval-ms",
            ValueKind.millis(1),
            "20000",
            "Length of an allocation interval, in milliseconds. At the end of each interval the market computes prices,"
                    + " shares and bills.");

    public static final ConfigKey<Long> RATE_UNIT_MS = new ConfigKey<>(
            PREFIX + "rate-unit-ms",
            new ValueKind<>(
                    "interval, or a duration or number of milliseconds from 1 to "
                            + MarketTerms.LONGEST_RATE_UNIT_MILLIS,
                    text -> {
                        long millis = text.equals("interval") ? 0 : Durations.millis(text, TimeUnit.MILLISECONDS);
                        require(text.equals("interval")
                                || (millis > 0 && millis <= MarketTerms.LONGEST_RATE_UNIT_MILLIS));
                        return millis;
                    }),
            "3600000",
            "Time to which a spending rate refers, in milliseconds: a rate of 1 is one credit for one slot and this"
                    + " time. `interval` is the unit of the paper: bills then change with the length of the interval.");

    public static final ConfigKey<Map<String, Long>> STANDARD_SLOT = new ConfigKey<>(
            PREFIX + "standard-slot",
            new ValueKind<>(
                    "resource=amount pairs such as memory-mb=4Gi,vcores=1, each amount 1 or more, or empty",
                    MarketKeys::slot),
            "",
            "The resources of one slot: about those of one of your tasks. Other resources have no influence on the number"
                    + " of slots. Empty: the smallest container of the cluster (yarn.scheduler.minimum-allocation-mb and"
                    + " -vcores). The log says at the start what a slot is.");

    public static final ConfigKey<Boolean> TRIAL = new ConfigKey<>(
            PREFIX + "trial",
            ValueKind.TRUE_OR_FALSE,
            "false",
            "Whether this market is only tried out. If not, the ResourceManager does not start with a ledger below"
                    + " hadoop.tmp.dir, which many systems empty, nor with yarn.acl.enable off, with which every user may"
                    + " spend the credits of every account (unless submission is voucher).");

    public static final ConfigKey<ChargePolicy> CHARGE_EXCESS = oneOf(
            "charge-excess",
            ChargePolicy.class,
            ChargePolicy.NONE,
            "Price of what a queue uses in an interval beyond its entitlement and what it is owed from earlier ones."
                    + " all: the rate of the queue (the paper's text). none: nothing (the code of 2009). market: the rate"
                    + " of the queue times the part of the cluster for which queues pay their own rate.");

    public static final ConfigKey<RefundPolicy> REFUND = oneOf(
            "refund",
            RefundPolicy.class,
            RefundPolicy.NONE,
            "Containers whose cost the market gives back when the cluster has ended them. lost: those on nodes that were"
                    + " lost, or whose disks failed. preempted: those that the scheduler preempted. all: both. The refund"
                    + " is in the statement; it is what the account was charged for them since this ResourceManager leads"
                    + " the market.");

    public static final ConfigKey<Long> PREEMPTION_INTERVAL_MS = new ConfigKey<>(
            PREFIX + "preemption-interval-ms",
            ValueKind.MILLIS,
            "0",
            "Time that a paying queue stays below its entitlement before containers of queues above their entitlement"
                    + " are preempted for it, in milliseconds; 0 turns this off. It needs <preemption><mode>on</mode> (or"
                    + " dry-run) in heddle-scheduler.xml, whose default is off; that element also has the grace and the"
                    + " rate.");

    public static final ConfigKey<Double> PREEMPTION_MAX_LOST_WORK = new ConfigKey<>(
            PREFIX + "preemption-max-lost-work",
            ValueKind.POSITIVE_FRACTION,
            "0.75%",
            "Maximum part of all work that preemption may lose. Credit for 20 minutes is kept, so 0.75% is at most 1%"
                    + " of any hour in a full cluster; one preemption may exceed it if all credit is there. A smaller"
                    + " value lets paying queues wait longer for their entitlement. 1: no limit.");

    public static final ConfigKey<OutagePolicy> STORE_OUTAGE = oneOf(
            "store-outage",
            OutagePolicy.class,
            OutagePolicy.CONTINUE,
            "Behavior of the market while the ledger cannot be written. continue: shares follow the rates, and bills"
                    + " are written later. freeze-rates: it keeps the last shares, and bills all use when the ledger can"
                    + " be written. fifo: it uses no shares, and use is free of charge.");

    public static final ConfigKey<String> STORE_DIRECTORY = new ConfigKey<>(
            PREFIX + "store.directory",
            ValueKind.TEXT,
            "",
            "Directory of the ledger: a path, or hdfs://NAMENODE/PATH, which two ResourceManagers can share. Empty:"
                    + " heddle-market below hadoop.tmp.dir, which is for trials only.");

    public static final ConfigKey<String> STORE_JDBC_URL = new ConfigKey<>(
            PREFIX + "store.jdbc-url",
            ValueKind.TEXT,
            "",
            "A jdbc:postgresql: or jdbc:mariadb: URL: the ledger is kept in this database instead of the directory. The"
                    + " driver must be on the ResourceManager's class path.");

    public static final ConfigKey<String> STORE_JDBC_USER =
            new ConfigKey<>(PREFIX + "store.jdbc-user", ValueKind.TEXT, "", "User of the database.");

    public static final ConfigKey<StartPolicy> STORE_AT_START = oneOf(
            "store.at-start",
            StartPolicy.class,
            StartPolicy.STOP,
            "Behavior if the ledger cannot be opened when the ResourceManager starts or becomes active. stop: the"
                    + " ResourceManager does not start. wait: it schedules without a market, first come, first served"
                    + " and free of charge, reports this in the log and in REST, and tries again every few seconds.");

    public static final ConfigKey<Integer> STORE_KEEP_DAYS = new ConfigKey<>(
            PREFIX + "store.keep-days",
            ValueKind.count(0),
            "400",
            "Time for which the ledger keeps transactions for statements, the audit and the price history, in days; 0:"
                    + " without limit. Balances do not depend on it.");

    public static final ConfigKey<SubmissionPolicy> SUBMISSION = oneOf(
            "submission",
            SubmissionPolicy.class,
            SubmissionPolicy.ACL_OR_VOUCHER,
            "Users that may submit to a queue and thus spend its credits. acl: the users in its access list"
                    + " (yarn.acl.enable). acl-or-voucher: also users with a one-time voucher in an application tag"
                    + " (heddle market voucher). voucher: only users with a voucher; choose this in clusters without"
                    + " Kerberos, where every user can use any name. A queue that admits all users needs no"
                    + " voucher. refuse-without-credit: as acl-or-voucher, and a queue whose account has no credit"
                    + " accepts no applications (by default they run in what the others leave).");

    public static final ConfigKey<String> ALERT_WEBHOOK = new ConfigKey<>(
            PREFIX + "alert.webhook",
            ValueKind.TEXT,
            "",
            "Address that gets a POST with JSON when the balance of an account lasts for less than alert.runway-ms at"
                    + " its present use, again only when it was paid into, or after a day; and when it has spent 50, 80 or 90"
                    + " percent of its budget. The field text is a sentence, which Slack and Mattermost show. It is read"
                    + " through Hadoop's credential providers. Empty: no alerts.");

    public static final ConfigKey<Long> ALERT_RUNWAY_MS = new ConfigKey<>(
            PREFIX + "alert.runway-ms",
            ValueKind.MILLIS,
            "86400000",
            "Limit of the time for which a balance lasts, in milliseconds, below which alert.webhook is called.");

    /** Read by {@code Configuration.getPassword}, so that it can stand in a credential provider. */
    public static final String STORE_JDBC_PASSWORD = PREFIX + "store.jdbc-password";

    /** Every key, in the order of the documentation. */
    public static final List<ConfigKey<?>> ALL = List.of(
            CLUSTER_ID,
            INTERVAL_MS,
            RATE_UNIT_MS,
            STANDARD_SLOT,
            TRIAL,
            CHARGE_EXCESS,
            REFUND,
            PREEMPTION_INTERVAL_MS,
            PREEMPTION_MAX_LOST_WORK,
            STORE_DIRECTORY,
            STORE_JDBC_URL,
            STORE_JDBC_USER,
            STORE_KEEP_DAYS,
            STORE_AT_START,
            STORE_OUTAGE,
            SUBMISSION,
            ALERT_WEBHOOK,
            ALERT_RUNWAY_MS);

    private MarketKeys() {}

    private static <E extends Enum<E>> ConfigKey<E> oneOf(String name, Class<E> type, E fallback, String doc) {
        return new ConfigKey<>(PREFIX + name, ValueKind.oneOf(type), ValueKind.written(fallback), doc);
    }

    private static Map<String, Long> slot(String text) {
        Map<String, Long> slot = new TreeMap<>();
        if (text.isBlank()) {
            return slot;
        }
        for (String pair : text.split(",", -1)) {
            String[] parts = pair.strip().split("=", -1);
            require(parts.length == 2 && !parts[0].isEmpty());
            long amount = Sizes.in(parts[0].equals("memory-mb") ? "Mi" : "", parts[1].strip());
            require(amount > 0);
            slot.put(parts[0], amount);
        }
        return slot;
    }

    private static void require(boolean valid) {
        if (!valid) {
            throw new IllegalArgumentException();
        }
    }
}
