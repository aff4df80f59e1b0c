// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.util.MRJobConfUtil;
import org.heddle.late.policy.Settings;
import org.heddle.settings.ConfigKey;

/**
 * The settings of a job. A value that cannot be used is replaced by its default and named in {@link #problems()}, and
 * so is a key that does not exist. Reading throws no exception, because a typing error must not end a job.
 */
final class LateConfig {
    private final Configuration conf;
    private final List<String> problems = new ArrayList<>();
    private final Settings settings;

    private LateConfig(Configuration conf) {
        this.conf = conf;
        findUnknownKeys();
        this.settings = readSettings();
    }

    static LateConfig of(Configuration conf) {
        return new LateConfig(conf);
    }

    private void findUnknownKeys() {
        List<String> known = LateKeys.ownNames();
        for (String rest :
                new TreeSet<>(conf.getPropsWithPrefix(LateKeys.PREFIX).keySet())) {
            String name = LateKeys.PREFIX + rest;
            if (!known.contains(name)) {
                problems.add(name + " is not a key of Heddle and has no effect: it must be one of "
                        + String.join(", ", known));
            }
        }
    }

    private Settings readSettings() {
        long reportMillis = Math.max(1, MRJobConfUtil.getTaskProgressReportInterval(conf));
        boolean paper = value(LateKeys.PROFILE) == Settings.Profile.PAPER;
        Settings profile = paper ? Settings.paper() : Settings.heddle();
        Settings read = profile.with(draft -> draft.reportMillis = reportMillis);
        read = change(read, LateKeys.CAP_SLOTS, (draft, share) -> draft.capSlots = share);
        if (paper) {
            return read; // the paper has one limit of backups only
        }
        read = change(read, LateKeys.MAKE_ROOM, (draft, makeRoom) -> draft.makeRoom = makeRoom);
        read = change(read, LateKeys.FEW_TASKS_TIMEOUT, (draft, millis) -> draft.fewTasksMillis = millis);
        read = change(read, LateKeys.STOCK_CAP_RUNNING, (draft, share) -> draft.capRunning = share);
        read = change(read, LateKeys.STOCK_CAP_TOTAL, (draft, share) -> draft.capTotal = share);
        read = change(read, LateKeys.STOCK_CAP_MINIMUM, (draft, backups) -> draft.capMinimum = backups);
        Optional<ConfigKey<?>> limit =
                LateKeys.stockLimits().stream().filter(this::isSet).findFirst();
        limit.ifPresent(this::sayThatCapSlotsHasNoEffect);
        return limit.isPresent() ? read.with(draft -> draft.capSlots = 0) : read;
    }

    /**
     * Whether a file of the site or the job gives the key a value that can be used; Hadoop's own files do not count.
     */
    private boolean isSet(ConfigKey<?> key) {
        String[] sources = conf.getPropertySources(key.name());
        boolean ofHadoop = sources != null && sources.length > 0 && sources[0].endsWith("-default.xml");
        boolean replaced = problems.stream().anyMatch(problem -> problem.startsWith(key.name()));
        return conf.get(key.name()) != null && !ofHadoop && !replaced;
    }

    private void sayThatCapSlotsHasNoEffect(ConfigKey<?> limit) {
        String capSlots = LateKeys.CAP_SLOTS.name();
        if (conf.get(capSlots) != null) {
            problems.add(capSlots + " has no effect, because " + limit.name() + " is set: remove one of them");
        }
    }

    /** The settings with the value of a key; unchanged if the key is not set or its value is wrong. */
    private <T> Settings change(Settings settings, ConfigKey<T> key, BiConsumer<Settings.Draft, T> set) {
        String text = conf.get(key.name());
        if (text == null) {
            return settings;
        }
        try {
            T value = key.parse(text);
            return settings.with(draft -> set.accept(draft, value));
        } catch (IllegalArgumentException e) {
            problem(key, e);
            return settings;
        }
    }

    Settings settings() {
        return settings;
    }

    /** One sentence for each value that was replaced by its default, and for each key that does not exist. */
    List<String> problems() {
        return Collections.unmodifiableList(problems);
    }

    boolean enabledForMaps() {
        return conf.getBoolean(MRJobConfig.MAP_SPECULATIVE, true);
    }

    boolean enabledForReduces() {
        return conf.getBoolean(MRJobConfig.REDUCE_SPECULATIVE, true);
    }

    <T> T value(ConfigKey<T> key) {
        try {
            return key.read(conf::get);
        } catch (IllegalArgumentException e) {
            problem(key, e);
            return key.fallbackValue();
        }
    }

    /** Milliseconds to the next pass. */
    long pauseMillis(boolean launched) {
        long usual = value(LateKeys.STOCK_RETRY);
        long after = value(LateKeys.STOCK_RETRY_AFTER_LAUNCH);
        boolean chosen = after != MRJobConfig.DEFAULT_SPECULATIVE_RETRY_AFTER_SPECULATE;
        return launched && chosen ? Math.max(usual, after) : usual;
    }

    private void problem(ConfigKey<?> key, IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        String sentence = message.startsWith(key.name()) ? message : key.name() + ": " + message;
        if (!problems.contains(sentence)) {
            problems.add(sentence);
        }
    }
}
