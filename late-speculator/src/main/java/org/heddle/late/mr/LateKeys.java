// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    // Hadoop reads numbers of its own keys in every form that Java knows.
    private static final ValueKind<Double> NUMBER = new ValueKind<>("a number", Double::valueOf);
    private static final ValueKind<Integer> WHOLE_NUMBER = new ValueKind<>("a whole number", Integer::valueOf);
    private static final ValueKind<Boolean> TRUE_OR_FALSE = inAnyCase(ValueKind.TRUE_OR_FALSE);

    private static final List<ConfigKey<?>> ALL = new ArrayList<>();

    static final ConfigKey<Settings.Profile> PROFILE = own(
            "profile",
            "heddle",
            "The rules: `heddle`, or `paper` for LATE exactly as published, which ignores the stock keys of limits.",
            inAnyCase(ValueKind.oneOf(Settings.Profile.class)));
    static final ConfigKey<Double> CAP_SLOTS = own(
            "cap.slots",
            "0.25",
            "Part of the job's slots of a kind that may run backups. The largest of this and the stock limits is used."
                    + " 0: only the stock limits are used. So it is if a file of the site or the job sets one of the"
                    + " three stock limits. Paper profile: 0.1.",
            ValueKind.FRACTION);
    static final ConfigKey<Boolean> MAKE_ROOM = own(
            "make-room",
            "true",
            "Heddle profile: whether a reduce that only waits for maps is ended and started again later, if the backup of"
                    + " a map finds no slot because reduces hold all of them.",
            TRUE_OR_FALSE);
    static final ConfigKey<Long> FEW_TASKS_TIMEOUT = own(
            "few-tasks.timeout",
            "0ms",
            "Heddle profile: a job of at most three maps, or reduces, shows no usual run time before one of them has ended."
                    + " Until then one that has run longer than this, as 10m, gets a backup. 0ms: none does.",
            ValueKind.DURATION_MILLIS);
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
    static final ConfigKey<Double> STOCK_CAP_RUNNING = stock(
            MRJobConfig.SPECULATIVECAP_RUNNING_TASKS,
            MRJobConfig.DEFAULT_SPECULATIVECAP_RUNNING_TASKS,
            "Part of the running tasks of a kind that may have backups.",
            NUMBER);
    static final ConfigKey<Double> STOCK_CAP_TOTAL = stock(
            MRJobConfig.SPECULATIVECAP_TOTAL_TASKS,
            MRJobConfig.DEFAULT_SPECULATIVECAP_TOTAL_TASKS,
            "Part of all tasks of a kind that may have backups.",
            NUMBER);
    static final ConfigKey<Integer> STOCK_CAP_MINIMUM = stock(
            MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS,
            MRJobConfig.DEFAULT_SPECULATIVE_MINIMUM_ALLOWED_TASKS,
            "Number of backups of a kind that are always allowed.",
            WHOLE_NUMBER);
    static final ConfigKey<Long> STOCK_RETRY = stock(
            MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE,
            MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_NO_SPECULATE,
            "Time between two passes, in milliseconds.",
            ValueKind.millis(1));
    static final ConfigKey<Long> STOCK_RETRY_AFTER_LAUNCH = stock(
            MRJobConfig.SPECULATIVE_RETRY_AFTER_SPECULATE,
            MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_SPECULATE,
            "Time to the next pass after a pass that started backups, in milliseconds. The stock default of 15000 keeps"
                    + " single backups apart; a pass of LATE starts all backups that are allowed, so the default value has"
                    + " no effect.",
            ValueKind.millis(1));

    private LateKeys() {}

    /** The names of all keys. */
    static List<String> names() {
        return ALL.stream().map(ConfigKey::name).collect(Collectors.toList());
    }

    static List<String> ownNames() {
        return names().stream().filter(name -> name.startsWith(PREFIX)).collect(Collectors.toList());
    }

    /** The stock keys that limit the number of backups; the largest of the three counts. */
    static List<ConfigKey<?>> stockLimits() {
        return List.of(STOCK_CAP_MINIMUM, STOCK_CAP_RUNNING, STOCK_CAP_TOTAL);
    }

    /** The keys as a Markdown table, own ones first. */
    public static String table() {
        return KeyTable.markdown(ALL);
    }

    private static <T> ConfigKey<T> own(String name, String fallback, String doc, ValueKind<T> kind) {
        return add(new ConfigKey<>(PREFIX + name, kind, fallback, doc));
    }

    private static <T> ConfigKey<T> stock(String name, Object fallback, String doc, ValueKind<T> kind) {
        return add(new ConfigKey<>(name, kind, String.valueOf(fallback), doc));
    }

    private static <T> ConfigKey<T> add(ConfigKey<T> key) {
        ALL.add(key);
        return key;
    }

    private static <T> ValueKind<T> inAnyCase(ValueKind<T> kind) {
        return new ValueKind<>(kind.what(), text -> kind.parse(text.toLowerCase(Locale.ROOT)));
    }
}
