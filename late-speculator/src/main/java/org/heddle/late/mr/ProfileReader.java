// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.heddle.late.policy.Settings;

/** The thresholds a configuration asks for, for programs that are not the speculator. */
public final class ProfileReader {
    private final LateConfig config;

    private ProfileReader(LateConfig config) {
        this.config = config;
    }

    public static ProfileReader of(Configuration conf) {
        return new ProfileReader(LateConfig.of(conf));
    }

    public Settings settings() {
        return config.settings();
    }

    /** Time constant of recent rates, ms. */
    public long windowMillis() {
        return config.value(LateKeys.WINDOW);
    }

    public String name() {
        return config.settings().profile().name().toLowerCase(Locale.ROOT);
    }

    /** One sentence per value that is not usable. */
    public List<String> problems() {
        return config.problems();
    }
}
