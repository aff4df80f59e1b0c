// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.FilterInitializer;
import org.apache.hadoop.http.HttpServer2;
import org.heddle.market.http.api.ApiPaths;
import org.heddle.market.http.pages.MarketPage;
import org.heddle.scheduler.http.ConsoleFrame;

/**
 * Adds the market's servlet to the ResourceManager's web server, and its filter in front of the authentication filters.
 * {@link MarketHooks} puts this class first in {@code hadoop.http.filter.initializers}. In any other daemon the servlet
 * answers 404.
 */
public final class MarketFilterInitializer extends FilterInitializer {
    @Override
    public void initFilter(FilterContainer container, Configuration conf) {
        if (container instanceof HttpServer2 server) {
            server.addServlet("heddle-market-paper", ApiPaths.PAPER, MarketServlet.class);
            server.addServlet("heddle-market", ApiPaths.ROOT + "/*", MarketServlet.class);
            ConsoleFrame.addSection(server, MarketPage.SECTION);
            server.addGlobalFilter("heddle-market-signed", SignedRequestFilter.class.getName(), Map.of());
        }
    }
}
