// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.heddle.late.policy.Settings;

/** Every configuration key the speculator reads: its own, and the stock ones it honours with their stock meaning. */
public final class LateKeys {
    /** What all own keys start with. */
    public static final String PREFIX = "mapreduce.heddle.late.";

    private static final List<ConfigKey<?>> ALL = new ArrayList<>();

    static final ConfigKey<Settings.Profile> PROFILE = own(
            "profile",
            "heddle",
            "Rules: `heddle`, or `paper` for LATE to the letter (which ignores the stock cap keys).",
            text -> oneOf(Settings.Profile.class, text),
            (d, v) -> d.profile = v);
    static final ConfigKey<Settings.EstimatorKind> ESTIMATOR = own(
            "estimator",
            "phase_aware_recent",
            "Time to end of a running attempt: `progress_rate` (the paper's, and the paper profile's default), "
                    + "`recent_rate`, `phase_aware`, `phase_aware_recent`.",
            text -> oneOf(Settings.EstimatorKind.class, text),
            (d, v) -> d.estimator = v);
    static final ConfigKey<Double> CAP_SLOTS = own(
            "cap.slots",
            "0.25",
            "Share of the job's slots of a kind that may run backups; the largest of this and the stock caps counts. "
                    + "0 leaves the stock caps alone. Paper profile: 0.1.",
            Double::valueOf,
            (d, v) -> d.capSlots = v);
    static final ConfigKey<Double> SLOW_TASK = own(
            "slow-task.percentile",
            "25",
            "Paper profile: SlowTaskThreshold, percentile of progress rates.",
            Double::valueOf,
            (d, v) -> d.slowTaskPercentile = v);
    static final ConfigKey<Double> SLOW_NODE = own(
            "slow-node.percentile",
            "25",
            "Paper profile: SlowNodeThreshold, percentile of total progress per node.",
            Double::valueOf,
            (d, v) -> d.slowNodePercentile = v);
    static final ConfigKey<Double> SLOW_NODE_FACTOR = own(
            "slow-node.factor",
            "1.5",
            "Heddle profile: nodes that run this job's tasks this many times slower than the best free one get no "
                    + "backup.",
            Double::valueOf,
            (d, v) -> d.slowNodeFactor = v);
    static final ConfigKey<Long> MIN_AGE = own(
            "min-age-ms",
            "60000",
            "No attempt younger than this is judged.",
            Long::valueOf,
            (d, v) -> d.minAgeMillis = v);
    static final ConfigKey<Double> MIN_AGE_SHARE = own(
            "min-age.share",
            "0.3",
            "Heddle profile: this share of a typical run is old enough, too.",
            Double::valueOf,
            (d, v) -> d.minAgeShare = v);
    static final ConfigKey<Double> SILENT_REPORTS = own(
            "silent-reports",
            "2.5",
            "Report intervals without progress after which an attempt counts as standing still.",
            Double::valueOf,
            (d, v) -> d.silentReports = v);
    static final ConfigKey<Long> WINDOW =
            own("window-ms", "30000", "Time constant of the recent rate.", Long::valueOf, (d, v) -> d.windowMillis = v);
    static final ConfigKey<Double> BENEFIT = own(
            "benefit",
            "1.1",
            "Heddle profile: waiting must take this many times as long as a fresh run.",
            Double::valueOf,
            (d, v) -> d.benefit = v);
    static final ConfigKey<Integer> MAX_ATTEMPTS = own(
            "max-attempts",
            "5",
            "Live attempts a task may have: one more when the others stall or have landed badly. Paper profile: 2.",
            Integer::valueOf,
            (d, v) -> d.maxAttempts = v);
    static final ConfigKey<Integer> MAX_MOVES = own(
            "max-moves",
            "2",
            "How often a backup that landed on its original's or, when there may be no further one, on a slow node is "
                    + "sent elsewhere.",
            Integer::valueOf,
            (d, v) -> d.maxMoves = v);
    static final ConfigKey<Double> WAITING_SHARE = own(
            "waiting.share",
            "0.02",
            "Heddle profile: originals that wait for a container, as share of the running ones, that do not yet hold "
                    + "backups back.",
            Double::valueOf,
            (d, v) -> d.waitingShare = v);
    static final ConfigKey<Boolean> ANY_NODE = own(
            "any-node",
            "false",
            "Ask for a backup's container anew without the input's hosts and racks, as the paper does.",
            LateKeys::bool,
            LateKeys::notAThreshold);
    static final ConfigKey<Double> BLACKLIST_SHARE = own(
            "blacklist.share",
            "0",
            "Share of the nodes the job has used, in [0, 0.2], it may have the ResourceManager leave out for being "
                    + "slow. It bars originals too, until the job ends.",
            text -> share(text, 0.2),
            LateKeys::notAThreshold);
    static final ConfigKey<Boolean> DRY_RUN = own(
            "dry-run",
            "false",
            "Decide, count and explain, but launch nothing.",
            LateKeys::bool,
            LateKeys::notAThreshold);
    static final ConfigKey<Boolean> EXPLAIN = own(
            "explain",
            "true",
            "Write every decision to `late.jsonl` in the ApplicationMaster's log directory.",
            LateKeys::bool,
            LateKeys::notAThreshold);
    static final ConfigKey<String> EXPLAIN_FILE = own(
            "explain.file",
            "",
            "A local file to write the decisions to instead.",
            text -> text,
            LateKeys::notAThreshold);
    static final ConfigKey<Long> EXPLAIN_LINES = own(
            "explain.max-lines", "100000", "Lines after which the file ends.", Long::valueOf, LateKeys::notAThreshold);
    static final ConfigKey<String> PRICE_URL = own(
            "price.url",
            "",
            "Where the market tells its price, e.g. `http://rm:8088/heddle/market/v1/price`. Empty: prices play no part.",
            text -> text,
            LateKeys::notAThreshold);
    static final ConfigKey<Double> PRICE_SECONDS = own(
            "price.seconds",
            "1",
            "Slot-seconds a price is for that does not say so itself: the paper's `/scheduler?price` is for all slots of "
                    + "the cluster and the market's `rate-unit-ms`.",
            text -> positive(Double.parseDouble(text)),
            LateKeys::notAThreshold);
    static final ConfigKey<Double> WORTH = own(
            "price.worth-per-second",
            "0",
            "Credits one second of the job's time is worth; a backup must save more than it costs. 0: not asked.",
            Double::valueOf,
            (d, v) -> d.worthPerSecond = v);
    static final ConfigKey<Double> BUDGET = own(
            "price.budget",
            "Infinity",
            "Credits the job may spend on backups.",
            Double::valueOf,
            (d, v) -> d.budget = v);

    static final ConfigKey<Double> STOCK_CAP_RUNNING = stock(
            MRJobConfig.SPECULATIVECAP_RUNNING_TASKS,
            MRJobConfig.DEFAULT_SPECULATIVECAP_RUNNING_TASKS,
            "Share of the running tasks of a kind that may have backups.",
            Double::valueOf,
            (d, v) -> d.capRunning = v);
    static final ConfigKey<Double> STOCK_CAP_TOTAL = stock(
            MRJobConfig.SPECULATIVECAP_TOTAL_TASKS,
            MRJobConfig.DEFAULT_SPECULATIVECAP_TOTAL_TASKS,
            "Share of all tasks of a kind that may have backups.",
            Double::valueOf,
            (d, v) -> d.capTotal = v);
    static final ConfigKey<Integer> STOCK_CAP_MINIMUM = stock(
            MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS,
            MRJobConfig.DEFAULT_SPECULATIVE_MINIMUM_ALLOWED_TASKS,
            "Backups of a kind allowed in any case.",
            Integer::valueOf,
            (d, v) -> d.capMinimum = v);
    static final ConfigKey<Long> STOCK_RETRY = stock(
            MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE,
            MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_NO_SPECULATE,
            "Milliseconds between two passes.",
            text -> positive(Long.parseLong(text)),
            LateKeys::notAThreshold);
    static final ConfigKey<Long> STOCK_RETRY_AFTER_LAUNCH = stock(
            MRJobConfig.SPECULATIVE_RETRY_AFTER_SPECULATE,
            MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_SPECULATE,
            "Milliseconds to the next pass after one that launched backups. The stock default of 15000 spaces out "
                    + "single backups; a pass here launches all it may, so only another value is obeyed.",
            text -> positive(Long.parseLong(text)),
            LateKeys::notAThreshold);

    private LateKeys() {}

    static List<ConfigKey<?>> all() {
        return Collections.unmodifiableList(ALL);
    }

    /** The keys as a Markdown table, own ones first. */
    public static String table() {
        StringBuilder table = new StringBuilder("| key | default | meaning |\n|---|---|---|\n");
        for (ConfigKey<?> key : ALL) {
            String fallback = key.fallback().isEmpty() ? "" : "`" + key.fallback() + "`";
            table.append("| `").append(key.name()).append("` | ").append(fallback);
            table.append(" | ").append(key.doc()).append(" |\n");
        }
        return table.toString();
    }

    private static <T> ConfigKey<T> own(
            String name,
            String fallback,
            String doc,
            Function<String, T> parse,
            BiConsumer<Settings.Draft, ? super T> apply) {
        return add(new ConfigKey<>(PREFIX + name, fallback, doc, parse, apply::accept));
    }

    private static <T> ConfigKey<T> stock(
            String name,
            Object fallback,
            String doc,
            Function<String, T> parse,
            BiConsumer<Settings.Draft, ? super T> apply) {
        return add(new ConfigKey<>(name, String.valueOf(fallback), doc, parse, apply::accept));
    }

    private static <T> ConfigKey<T> add(ConfigKey<T> key) {
        ALL.add(key);
        return key;
    }

    private static <E extends Enum<E>> E oneOf(Class<E> type, String text) {
        for (E value : type.getEnumConstants()) {
            if (value.name().equalsIgnoreCase(text.replace('-', '_'))) {
                return value;
            }
        }
        throw new IllegalArgumentException(
                "must be one of " + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT));
    }

    /** For keys the policy does not know. */
    private static void notAThreshold(Settings.Draft draft, Object value) {}

    private static boolean bool(String text) {
        if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
            return Boolean.parseBoolean(text);
        }
        throw new IllegalArgumentException("must be true or false");
    }

    private static double share(String text, double most) {
        double value = Double.parseDouble(text);
        if (value >= 0 && value <= most) {
            return value;
        }
        throw new IllegalArgumentException("must be in [0, " + most + "]");
    }

    private static double positive(double value) {
        if (value > 0) {
            return value;
        }
        throw new IllegalArgumentException("must be > 0");
    }

    private static long positive(long value) {
        if (value > 0) {
            return value;
        }
        throw new IllegalArgumentException("must be > 0");
    }
}
