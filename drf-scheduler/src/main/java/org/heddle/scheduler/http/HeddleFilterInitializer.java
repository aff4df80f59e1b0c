// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.FilterInitializer;
import org.apache.hadoop.http.HttpServer2;

/**
 * Adds {@link SchedulerServlet} to the ResourceManager's web server; the one hook that is there on every Hadoop line.
 * {@link WebHooks} puts its name into {@code hadoop.http.filter.initializers}, behind the authentication filters.
 *
 * <p>When this runs the server does not know yet whose it is, so in any other daemon that lists this class the servlet
 * is there too and answers 404.
 */
public final class HeddleFilterInitializer extends FilterInitializer {
    @Override
    public void initFilter(FilterContainer container, Configuration conf) {
        if (container instanceof HttpServer2 server) {
            server.addServlet("heddle", SchedulerServlet.PATH + "/*", SchedulerServlet.class);
        }
    }
}
