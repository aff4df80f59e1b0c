// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;

/** Registers the market's REST and pages with the ResourceManager. */
public final class MarketHooks {
    private static final String OURS = MarketFilterInitializer.class.getName();

    private MarketHooks() {}

    /**
     * The scheduler's {@code serviceInit} calls this after {@link org.heddle.scheduler.http.WebHooks#install}, which
     * installs the authentication filters; the market's filter goes before them. A second call changes nothing.
     */
    public static void install(Configuration conf) {
        List<String> all = new ArrayList<>(conf.getTrimmedStringCollection(HttpServer2.FILTER_INITIALIZER_PROPERTY));
        if (!all.contains(OURS)) {
            all.remove("");
            all.add(0, OURS);
            conf.set(HttpServer2.FILTER_INITIALIZER_PROPERTY, String.join(",", all));
        }
    }
}
