// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.heddle.late.policy.Settings;
import org.heddle.settings.ConfigKey;
import org.heddle.settings.KeyTable;
import org.heddle.settings.ValueKind;

/** The configuration keys of the speculator: its own, and those of the stock speculator, which keep their meaning. */
public final class LateKeys {
    /** What all own keys start with. */
    public static final String PREFIX = "mapreduce.heddle.late.";

    private static final ValueKind<Double> NUMBER = new ValueKind<>("a number", Double::valueOf);
    private static final ValueKind<Integer> WHOLE_NUMBER = new ValueKind<>("a whole number", Integer::valueOf);
    private static final ValueKind<Boolean> TRUE_OR_FALSE =
            new ValueKind<>("true or false", text -> ValueKind.TRUE_OR_FALSE.parse(text.toLowerCase(Locale.ROOT)));

    private static final List<ConfigKey<?>> ALL = new ArrayList<>();
    private static final List<Threshold<?>> THRESHOLDS = new ArrayList<>();

    /**
     * A key that sets one of the policy's numbers.
     *
     * @param <T> type of the value
     */
    static final class Threshold<T> {
        private final ConfigKey<T> key;
        private final BiConsumer<Settings.Draft, ? super T> set;

        private Threshold(ConfigKey<T> key, BiConsumer<Settings.Draft, ? super T> set) {
            this.key = key;
            this.set = set;
        }

        ConfigKey<T> key() {
            return key;
        }

        void apply(Settings.Draft draft, String text) {
            set.accept(draft, key.parse(text));
        }
    }

    static final ConfigKey<Settings.Profile> PROFILE = own(
            "profile",
            "heddle",
            "The rules: `heddle`, or `paper` for LATE exactly as published, which ignores the stock keys of limits.",
            oneOf(Settings.Profile.class),
            (d, v) -> d.profile = v);
    static final ConfigKey<Settings.EstimatorKind> ESTIMATOR = own(
            "estimator",
            "phase_aware_recent",
            "Estimate of the time to the end of a running attempt: `progress_rate` (the paper's, and the default of the"
                    + " paper profile), `recent_rate`, `phase_aware`, `phase_aware_recent`.",
            oneOf(Settings.EstimatorKind.class),
            (d, v) -> d.estimator = v);
    static final ConfigKey<Double> CAP_SLOTS = own(
            "cap.slots",
            "0.25",
            "Part of the job's slots of a kind that may run backups. The largest of this and the stock limits is used. 0:"
                    + " only the stock limits are used. Paper profile: 0.1.",
            NUMBER,
            (d, v) -> d.capSlots = v);
    static final ConfigKey<Double> SLOW_TASK = own(
            "slow-task.percentile",
            "25",
            "Paper profile: SlowTaskThreshold, a percentile of progress rates.",
            NUMBER,
            (d, v) -> d.slowTaskPercentile = v);
    static final ConfigKey<Double> SLOW_NODE = own(
            "slow-node.percentile",
            "25",
            "Paper profile: SlowNodeThreshold, a percentile of the total progress on a node.",
            NUMBER,
            (d, v) -> d.slowNodePercentile = v);
    static final ConfigKey<Double> SLOW_NODE_FACTOR = own(
            "slow-node.factor",
            "1.5",
            "Heddle profile: a node that runs tasks of this job this many times slower than the best free node gets no"
                    + " backup.",
            NUMBER,
            (d, v) -> d.slowNodeFactor = v);
    static final ConfigKey<Long> MIN_AGE = own(
            "min-age-ms",
            "60000",
            "Minimum age of an attempt that may get a backup, in milliseconds.",
            ValueKind.MILLIS,
            (d, v) -> d.minAgeMillis = v);
    static final ConfigKey<Double> MIN_AGE_SHARE = own(
            "min-age.share",
            "0.3",
            "Heddle profile: an attempt may also get a backup once its age is this part of a typical run.",
            NUMBER,
            (d, v) -> d.minAgeShare = v);
    static final ConfigKey<Double> SILENT_REPORTS = own(
            "silent-reports",
            "2.5",
            "Number of report intervals without progress after which an attempt counts as stalled.",
            NUMBER,
            (d, v) -> d.silentReports = v);
    static final ConfigKey<Long> WINDOW = own(
            "window-ms",
            "30000",
            "Time constant of the recent progress rate, in milliseconds.",
            ValueKind.millis(1),
            (d, v) -> d.windowMillis = v);
    static final ConfigKey<Double> BENEFIT = own(
            "benefit",
            "1.1",
            "Heddle profile: an attempt gets a backup only if its remaining time is this many times the time of a new run.",
            NUMBER,
            (d, v) -> d.benefit = v);
    static final ConfigKey<Integer> MAX_ATTEMPTS = own(
            "max-attempts",
            "5",
            "Maximum number of running attempts of a task. A further attempt starts when the others are stalled or run on"
                    + " slow nodes. Paper profile: 2.",
            WHOLE_NUMBER,
            (d, v) -> d.maxAttempts = v);
    static final ConfigKey<Integer> MAX_MOVES = own(
            "max-moves",
            "2",
            "How many backups of a task are ended and requested again because they were placed on the node of the original"
                    + " attempt or, when no further attempt is allowed, on a slow node.",
            WHOLE_NUMBER,
            (d, v) -> d.maxMoves = v);
    static final ConfigKey<Double> WAITING_SHARE = own(
            "waiting.share",
            "0.02",
            "Heddle profile: no backup starts while more original attempts than this part of the running ones wait for a"
                    + " container.",
            NUMBER,
            (d, v) -> d.waitingShare = v);
    static final ConfigKey<Boolean> MAKE_ROOM = own(
            "make-room",
            "true",
            "Heddle profile: whether a reduce that only waits for maps is ended and started again later, if the backup of a map"
                    + " finds no slot because reduces hold all of them.",
            TRUE_OR_FALSE,
            (d, v) -> d.makeRoom = v);
    static final ConfigKey<Boolean> ANY_NODE = own(
            "any-node",
            "false",
            "Whether the container of a backup is requested without the hosts and racks of the input, as in the paper.",
            TRUE_OR_FALSE);
    static final ConfigKey<Double> BLACKLIST_SHARE = own(
            "blacklist.share",
            "0",
            "Part of the nodes which the job has used, from 0 to 0.2, that the job may blacklist in the ResourceManager"
                    + " because they are slow. Original attempts are kept away from these nodes too, until the job ends.",
            ValueKind.number("0", "0.2"));
    static final ConfigKey<Boolean> DRY_RUN = own(
            "dry-run",
            "false",
            "Whether decisions are made, counted and explained, but no backup starts.",
            TRUE_OR_FALSE);
    static final ConfigKey<Boolean> EXPLAIN = own(
            "explain",
            "true",
            "Whether every decision is written to `late.jsonl` in the ApplicationMaster's log directory.",
            TRUE_OR_FALSE);
    static final ConfigKey<String> EXPLAIN_FILE =
            own("explain.file", "", "A local file for the decisions instead of `late.jsonl`.", ValueKind.TEXT);
    static final ConfigKey<Long> EXPLAIN_LINES = own(
            "explain.max-lines",
            "100000",
            "Maximum number of lines in that file.",
            new ValueKind<>("a whole number", Long::valueOf));
    static final ConfigKey<String> PRICE_URL = own(
            "price.url",
            "",
            "Address of the account that pays for the job, for example `http://rm:8088/heddle/market/v1/accounts/alice`: the"
                    + " account's cost of a slot-hour is its spending rate. Empty: costs have no effect.",
            ValueKind.TEXT);
    static final ConfigKey<Double> PRICE_SLOT_HOUR = own(
            "price.slot-hour",
            "0",
            "Cost of a slot-hour in credits, used while `price.url` gives none. Set it to the account's spending rate where an"
                    + " ApplicationMaster cannot read the account, as in a cluster with Kerberos. 0: not known.",
            new ValueKind<>("a number >= 0", text -> {
                double value = Double.parseDouble(text);
                if (!(value >= 0) || Double.isInfinite(value)) {
                    throw new IllegalArgumentException();
                }
                return value;
            }));
    static final ConfigKey<Double> PRICE_SECONDS = own(
            "price.seconds",
            "1",
            "Slot-seconds that a spending rate in the paper's XML (`/scheduler?info=ACCOUNT`) is for: the market's"
                    + " `rate-unit-ms` in seconds.",
            new ValueKind<>("a number > 0", text -> {
                double value = Double.parseDouble(text);
                if (!(value > 0)) {
                    throw new IllegalArgumentException();
                }
                return value;
            }));
    static final ConfigKey<Double> WORTH = own(
            "price.worth-per-second",
            "0",
            "Value of one second of the job's time, in credits: a backup starts only if it saves more than it costs. 0: the"
                    + " cost has no effect on this.",
            NUMBER,
            (d, v) -> d.worthPerSecond = v);
    static final ConfigKey<Double> BUDGET = own(
            "price.budget",
            "Infinity",
            "Maximum credits that the job spends on backups.",
            NUMBER,
            (d, v) -> d.budget = v);

    static final ConfigKey<Double> STOCK_CAP_RUNNING = stock(
            MRJobConfig.SPECULATIVECAP_RUNNING_TASKS,
            MRJobConfig.DEFAULT_SPECULATIVECAP_RUNNING_TASKS,
            "Part of the running tasks of a kind that may have backups.",
            NUMBER,
            (d, v) -> d.capRunning = v);
    static final ConfigKey<Double> STOCK_CAP_TOTAL = stock(
            MRJobConfig.SPECULATIVECAP_TOTAL_TASKS,
            MRJobConfig.DEFAULT_SPECULATIVECAP_TOTAL_TASKS,
            "Part of all tasks of a kind that may have backups.",
            NUMBER,
            (d, v) -> d.capTotal = v);
    static final ConfigKey<Integer> STOCK_CAP_MINIMUM = stock(
            MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS,
            MRJobConfig.DEFAULT_SPECULATIVE_MINIMUM_ALLOWED_TASKS,
            "Number of backups of a kind that are always allowed.",
            WHOLE_NUMBER,
            (d, v) -> d.capMinimum = v);
    static final ConfigKey<Long> STOCK_RETRY = stock(
            MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE,
            MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_NO_SPECULATE,
            "Time between two passes, in milliseconds.",
            ValueKind.millis(1));
    static final ConfigKey<Long> STOCK_RETRY_AFTER_LAUNCH = stock(
            MRJobConfig.SPECULATIVE_RETRY_AFTER_SPECULATE,
            MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_SPECULATE,
            "Time to the next pass after a pass that started backups, in milliseconds. The stock default of 15000 keeps"
                    + " single backups apart; a pass of LATE starts all backups that are allowed, so the default value has no effect.",
            ValueKind.millis(1));

    private LateKeys() {}

    static List<ConfigKey<?>> all() {
        return Collections.unmodifiableList(ALL);
    }

    /** The names of all keys. */
    static List<String> names() {
        return ALL.stream().map(ConfigKey::name).collect(Collectors.toList());
    }

    static List<Threshold<?>> thresholds() {
        return Collections.unmodifiableList(THRESHOLDS);
    }

    /** The keys as a Markdown table, own ones first. */
    public static String table() {
        return KeyTable.markdown(ALL);
    }

    private static <T> ConfigKey<T> own(String name, String fallback, String doc, ValueKind<T> kind) {
        return add(new ConfigKey<>(PREFIX + name, kind, fallback, doc));
    }

    private static <T> ConfigKey<T> own(
            String name, String fallback, String doc, ValueKind<T> kind, BiConsumer<Settings.Draft, ? super T> set) {
        return addThreshold(own(name, fallback, doc, kind), set);
    }

    private static <T> ConfigKey<T> stock(String name, Object fallback, String doc, ValueKind<T> kind) {
        return add(new ConfigKey<>(name, kind, String.valueOf(fallback), doc));
    }

    private static <T> ConfigKey<T> stock(
            String name, Object fallback, String doc, ValueKind<T> kind, BiConsumer<Settings.Draft, ? super T> set) {
        return addThreshold(stock(name, fallback, doc, kind), set);
    }

    private static <T> ConfigKey<T> add(ConfigKey<T> key) {
        ALL.add(key);
        return key;
    }

    private static <T> ConfigKey<T> addThreshold(ConfigKey<T> key, BiConsumer<Settings.Draft, ? super T> set) {
        THRESHOLDS.add(new Threshold<>(key, set));
        return key;
    }

    private static <E extends Enum<E>> ValueKind<E> oneOf(Class<E> type) {
        E[] constants = type.getEnumConstants();
        String choices = Arrays.stream(constants)
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        return new ValueKind<>(
                "one of " + choices,
                text -> Arrays.stream(constants)
                        .filter(each -> each.name().equalsIgnoreCase(text.replace('-', '_')))
                        .findFirst()
                        .orElseThrow(IllegalArgumentException::new));
    }
}
