// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;

/** Hangs the market's REST and pages into the ResourceManager. */
public final class MarketHooks {
    private static final String OURS = MarketFilterInitializer.class.getName();

    private MarketHooks() {}

    /**
     * To be called by the scheduler's {@code serviceInit} after {@link org.heddle.scheduler.http.WebHooks#install}, which
     * sees to the authentication filters; ours comes before them. Calling it again changes nothing.
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
