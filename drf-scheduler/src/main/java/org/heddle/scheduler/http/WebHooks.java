// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.http.lib.StaticUserWebFilter;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.security.http.RMAuthenticationFilterInitializer;
import org.apache.hadoop.yarn.webapp.View;

/** Hangs our page and servlet into the ResourceManager, so that naming the scheduler class is all an admin has to do. */
public final class WebHooks {
    private static final String AUTHENTICATION_TYPE = "hadoop.http.authentication.type";

    private WebHooks() {}

    /**
     * To be called by the scheduler's {@code serviceInit}: its {@code conf} is the ResourceManager's own object, and the
     * web server starts later. What an admin has set stays; calling it again changes nothing.
     */
    public static void install(Configuration conf) {
        if (conf.get(YarnConfiguration.YARN_HTTP_WEBAPP_SCHEDULER_PAGE) == null) {
            conf.setClass(YarnConfiguration.YARN_HTTP_WEBAPP_SCHEDULER_PAGE, HeddleSchedulerPage.class, View.class);
        }
        List<String> initializers =
                new ArrayList<>(conf.getTrimmedStringCollection(HttpServer2.FILTER_INITIALIZER_PROPERTY));
        String ours = HeddleFilterInitializer.class.getName();
        if (initializers.contains(ours)) {
            return;
        }
        if (!UserGroupInformation.isSecurityEnabled() && isDefault(initializers)) {
            // RMWebAppUtil.setupSecurityAndFilters does this, but only while the list is exactly the default one.
            initializers.add(0, RMAuthenticationFilterInitializer.class.getName());
            conf.set(AUTHENTICATION_TYPE, "simple");
        }
        initializers.add(ours);
        conf.set(HttpServer2.FILTER_INITIALIZER_PROPERTY, String.join(",", initializers));
    }

    private static boolean isDefault(List<String> initializers) {
        return initializers.isEmpty() || initializers.equals(List.of(StaticUserWebFilter.class.getName()));
    }
}
