// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.heddle.market.model.terms.ChargePolicy;
import org.heddle.market.model.terms.ExhaustionPolicy;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.model.terms.Metering;
import org.heddle.market.model.terms.OutagePolicy;
import org.heddle.market.model.terms.StartPolicy;
import org.heddle.market.model.terms.SubmissionPolicy;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.model.ConfigKey;
import org.heddle.scheduler.model.ValueKind;

/** The market's keys in {@code yarn-site.xml}; queues are configured as those of the DRF scheduler are. */
public final class MarketKeys {
    /** What every key of the market starts with. */
    public static final String PREFIX = SchedulerKeys.PREFIX + "market.";

    private static final ValueKind<Boolean> SWITCH = new ValueKind<>("true or false", text -> switch (text) {
        case "true" -> true;
        case "false" -> false;
        default -> throw new IllegalArgumentException();
    });
    private static final ValueKind<String> TEXT = new ValueKind<>("a text without blanks at its ends", text -> text);

    public static final ConfigKey<String> CLUSTER_ID = new ConfigKey<>(
            PREFIX + "cluster-id",
            new ValueKind<>("1 to 60 characters of A-Za-z0-9._-, or empty", text -> {
                require(text.isEmpty() || text.matches("[A-Za-z0-9._-]{1,60}"));
                return text;
            }),
            "",
            "By which books and signatures tell clusters apart. Empty: yarn.resourcemanager.cluster-id, or `heddle` if"
                    + " that is not set.");

    public static final ConfigKey<Long> INTERVAL_MS = new ConfigKey<>(
            PREFIX + "interval-ms",
            positiveMillis(),
            "20000",
            "Length of an allocation interval: how often prices, shares and bills are settled.");

    public static final ConfigKey<Long> RATE_UNIT_MS = new ConfigKey<>(
            PREFIX + "rate-unit-ms",
            new ValueKind<>(
                    "interval, or a number of milliseconds from 1 to " + MarketTerms.LONGEST_RATE_UNIT_MILLIS, text -> {
                        long millis = text.equals("interval") ? 0 : Long.parseLong(text);
                        require(text.equals("interval")
                                || (millis > 0 && millis <= MarketTerms.LONGEST_RATE_UNIT_MILLIS));
                        return millis;
                    }),
            "3600000",
            "Time that a spending rate is for: 1 means a credit for one slot and this time. `interval` counts as the"
                    + " paper does, so that bills change with the interval.");

    public static final ConfigKey<Map<String, Long>> STANDARD_SLOT = new ConfigKey<>(
            PREFIX + "standard-slot",
            new ValueKind<>(
                    "resource=amount pairs such as memory-mb=4096,vcores=1, each amount 1 or more", MarketKeys::slot),
            "memory-mb=4096,vcores=1",
            "What one slot is. A resource that is not named does not count.");

    public static final ConfigKey<Metering> METERING = oneOf(
            "metering",
            Metering.class,
            Metering.INTEGRAL,
            "How use becomes slot-time: integral counts every container from its start to its end; sample takes what is"
                    + " used when the interval ends for all of it, as in 2009.");

    public static final ConfigKey<ChargePolicy> CHARGE_EXCESS = oneOf(
            "charge-excess",
            ChargePolicy.class,
            ChargePolicy.NONE,
            "What slots beyond a queue's entitlement cost: all, its rate (the paper's text); none, nothing (the code of"
                    + " 2009); market, its rate times the part of the cluster used within entitlements.");

    public static final ConfigKey<ExhaustionPolicy> EXHAUSTION = oneOf(
            "exhaustion",
            ExhaustionPolicy.class,
            ExhaustionPolicy.FRACTIONAL,
            "What happens to a queue that cannot pay a whole interval: fractional, it is entitled to what it can pay;"
                    + " cliff, to nothing (the code of 2009).");

    public static final ConfigKey<Boolean> EARLY_EPOCH = new ConfigKey<>(
            PREFIX + "early-epoch",
            SWITCH,
            "false",
            "Whether a queue that comes with demand and credit ends the interval early, instead of waiting for its"
                    + " end.");

    public static final ConfigKey<Long> MIN_INTERVAL_MS = new ConfigKey<>(
            PREFIX + "min-interval-ms", positiveMillis(), "1000", "The shortest interval, where they may end early.");

    public static final ConfigKey<Integer> CARRY_INTERVALS = new ConfigKey<>(
            PREFIX + "carry-intervals",
            ValueKind.count(0),
            "10",
            "How many intervals' worth of entitlement a queue is owed at most that got too little, and owes that got"
                    + " too much, because containers are whole and outlive intervals; 0 forgets at every boundary.");

    public static final ConfigKey<Long> PREEMPTION_INTERVAL_MS = new ConfigKey<>(
            PREFIX + "preemption-interval-ms",
            ValueKind.MILLIS,
            "0",
            "How long a queue that pays may ask in vain for what it is entitled to before containers of others beyond"
                    + " theirs are revoked for it; 0 turns that off. How they are revoked says <preemption>.");

    public static final ConfigKey<OutagePolicy> STORE_OUTAGE = oneOf(
            "store-outage",
            OutagePolicy.class,
            OutagePolicy.CONTINUE_UNBILLED,
            "How the market goes on while the books cannot be written: continue-unbilled with the last balances;"
                    + " freeze-rates with the last shares; fifo without any. What is used meanwhile is never charged.");

    public static final ConfigKey<Long> STORE_TIMEOUT_MS = new ConfigKey<>(
            PREFIX + "store.timeout-ms",
            positiveMillis(),
            "5000",
            "How long a change waits for the books at most. Scheduling never waits.");

    public static final ConfigKey<String> STORE_DIRECTORY = new ConfigKey<>(
            PREFIX + "store.directory",
            TEXT,
            "",
            "Directory of the books. Empty: heddle-market below hadoop.tmp.dir, which is no place for money that"
                    + " matters.");

    public static final ConfigKey<String> STORE_JDBC_URL = new ConfigKey<>(
            PREFIX + "store.jdbc-url",
            TEXT,
            "",
            "A jdbc:postgresql: or jdbc:mariadb: URL to keep the books in a database instead; its driver must be on the"
                    + " ResourceManager's class path.");

    public static final ConfigKey<String> STORE_JDBC_USER =
            new ConfigKey<>(PREFIX + "store.jdbc-user", TEXT, "", "User of the database.");

    public static final ConfigKey<StartPolicy> STORE_AT_START = oneOf(
            "store.at-start",
            StartPolicy.class,
            StartPolicy.STOP,
            "What happens where the books cannot be opened when the ResourceManager starts or takes over: stop, it"
                    + " does not start; wait, it schedules without a market, first come, first served and free of charge,"
                    + " says so in the log and in REST, and tries again every few seconds.");

    public static final ConfigKey<Integer> STORE_KEEP_DAYS = new ConfigKey<>(
            PREFIX + "store.keep-days",
            ValueKind.count(0),
            "400",
            "How long the directory or database keeps transactions for statements, the audit and price history; 0 for"
                    + " ever. Balances do not depend on it.");

    public static final ConfigKey<SubmissionPolicy> SUBMISSION = oneOf(
            "submission",
            SubmissionPolicy.class,
            SubmissionPolicy.ACL_OR_VOUCHER,
            "Who may submit to a queue and so spend its credits: acl, whom its list admits (yarn.acl.enable);"
                    + " acl-or-voucher, also who brings a one-time voucher in an application tag (heddle-market voucher);"
                    + " voucher, only who brings one, which is the choice for clusters without Kerberos, where anybody may"
                    + " call himself anything. A queue that admits everybody never asks for one.");

    /** Read by {@code Configuration.getPassword}, so that it can stand in a credential provider. */
    public static final String STORE_JDBC_PASSWORD = PREFIX + "store.jdbc-password";

    /** Every key, in the order of the documentation. */
    public static final List<ConfigKey<?>> ALL = List.of(
            CLUSTER_ID,
            INTERVAL_MS,
            RATE_UNIT_MS,
            STANDARD_SLOT,
            METERING,
            CHARGE_EXCESS,
            EXHAUSTION,
            EARLY_EPOCH,
            MIN_INTERVAL_MS,
            CARRY_INTERVALS,
            PREEMPTION_INTERVAL_MS,
            STORE_DIRECTORY,
            STORE_JDBC_URL,
            STORE_JDBC_USER,
            STORE_TIMEOUT_MS,
            STORE_KEEP_DAYS,
            STORE_AT_START,
            STORE_OUTAGE,
            SUBMISSION);

    private MarketKeys() {}

    private static ValueKind<Long> positiveMillis() {
        return new ValueKind<>("a whole number of milliseconds from 1 to 31536000000 (365 days)", text -> {
            long millis = ValueKind.MILLIS.parse(text);
            require(millis > 0);
            return millis;
        });
    }

    private static <E extends Enum<E>> ConfigKey<E> oneOf(String name, Class<E> type, E fallback, String doc) {
        String choices =
                Arrays.stream(type.getEnumConstants()).map(MarketKeys::written).collect(Collectors.joining(", "));
        return new ConfigKey<>(
                PREFIX + name,
                new ValueKind<>(
                        "one of " + choices,
                        text -> Arrays.stream(type.getEnumConstants())
                                .filter(each -> written(each).equals(text))
                                .findFirst()
                                .orElseThrow(IllegalArgumentException::new)),
                written(fallback),
                doc);
    }

    private static String written(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Map<String, Long> slot(String text) {
        Map<String, Long> slot = new TreeMap<>();
        for (String pair : text.split(",", -1)) {
            String[] parts = pair.strip().split("=", -1);
            require(parts.length == 2 && !parts[0].isEmpty() && parts[1].matches("[0-9]{1,15}"));
            long amount = Long.parseLong(parts[1]);
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
