// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.heddle.late.policy.Settings;

/** The settings of a configuration, for programs other than the speculator. */
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

    public String name() {
        return config.settings().profile().name().toLowerCase(Locale.ROOT);
    }

    /** One sentence for each value that cannot be used. */
    public List<String> problems() {
        return config.problems();
    }
}
