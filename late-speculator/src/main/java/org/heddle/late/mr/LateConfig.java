// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.util.MRJobConfUtil;
import org.heddle.late.policy.Settings;
import org.heddle.settings.ConfigKey;

/**
 * The settings of a job. A value that cannot be used is replaced by its default and named in {@link #problems()}; reading
 * throws no exception, because a typing error must not end a job.
 */
final class LateConfig {
    private final Configuration conf;
    private final List<String> problems = new ArrayList<>();
    private final Settings settings;

    private LateConfig(Configuration conf) {
        this.conf = conf;
        Settings.Profile profile = value(LateKeys.PROFILE);
        Settings changed = profile == Settings.Profile.PAPER ? Settings.paper() : Settings.heddle();
        for (LateKeys.Threshold<?> threshold : LateKeys.thresholds()) {
            ConfigKey<?> key = threshold.key();
            boolean own = key.name().startsWith(LateKeys.PREFIX);
            String text = conf.get(key.name());
            if (text == null || (!own && profile == Settings.Profile.PAPER)) {
                continue;
            }
            try {
                changed = changed.with(draft -> threshold.apply(draft, text));
            } catch (IllegalArgumentException e) {
                problem(key, e);
            }
        }
        long report = Math.max(1, MRJobConfUtil.getTaskProgressReportInterval(conf));
        this.settings = changed.with(draft -> draft.reportMillis = report);
    }

    static LateConfig of(Configuration conf) {
        return new LateConfig(conf);
    }

    Settings settings() {
        return settings;
    }

    /** One sentence per value that was replaced by its default. */
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
