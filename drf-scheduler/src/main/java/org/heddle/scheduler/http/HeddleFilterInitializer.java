// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.FilterInitializer;
import org.apache.hadoop.http.HttpServer2;

/**
 * Adds {@link SchedulerServlet} to the ResourceManager's web server; the only hook that every Hadoop line has.
 * {@link WebHooks} puts its name into {@code hadoop.http.filter.initializers}, behind the authentication filters.
 *
 * <p>At that moment it is not known which daemon the server belongs to. In other daemons that list this class the
 * servlet answers 404.
 */
public final class HeddleFilterInitializer extends FilterInitializer {
    @Override
    public void initFilter(FilterContainer container, Configuration conf) {
        if (container instanceof HttpServer2 server) {
            server.addServlet("heddle", SchedulerServlet.PATH + "/*", SchedulerServlet.class);
        }
    }
}
