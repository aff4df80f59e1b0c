// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.http.lib.StaticUserWebFilter;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMWebApp;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMWebServices;
import org.apache.hadoop.yarn.server.security.http.RMAuthenticationFilterInitializer;
import org.apache.hadoop.yarn.webapp.View;

/** Adds our page and servlet to the ResourceManager, so that an administrator needs to set the scheduler class only. */
public final class WebHooks {
    private static final String AUTHENTICATION_TYPE = "hadoop.http.authentication.type";

    private static final String AUTHENTICATION = RMAuthenticationFilterInitializer.class.getName();
    private static final String OURS = HeddleFilterInitializer.class.getName();

    private WebHooks() {}

    /**
     * To be called by the scheduler's {@code serviceInit}: its {@code conf} is the ResourceManager's own object, and
     * the web server starts later. The administrator's own settings stay; a second call changes nothing.
     */
    public static void install(Configuration conf) {
        if (conf.get(YarnConfiguration.YARN_HTTP_WEBAPP_SCHEDULER_PAGE) == null) {
            conf.setClass(YarnConfiguration.YARN_HTTP_WEBAPP_SCHEDULER_PAGE, HeddleSchedulerPage.class, View.class);
        }
        if (conf.get(YarnConfiguration.YARN_WEBAPP_CUSTOM_WEBSERVICE_CLASS) == null) {
            conf.setClass(
                    YarnConfiguration.YARN_WEBAPP_CUSTOM_WEBSERVICE_CLASS,
                    isJersey2() ? HeddleWebServices.OnJersey2.class : HeddleWebServices.OnJersey1.class,
                    RMWebServices.class);
        }
        List<String> before = List.copyOf(conf.getTrimmedStringCollection(HttpServer2.FILTER_INITIALIZER_PROPERTY));
        List<String> after = withOurs(before, UserGroupInformation.isSecurityEnabled());
        conf.set(HttpServer2.FILTER_INITIALIZER_PROPERTY, String.join(",", after));
        if (after.contains(AUTHENTICATION) && !before.contains(AUTHENTICATION)) {
            conf.set(AUTHENTICATION_TYPE, "simple");
        }
    }

    /** Hadoop's web applications have been Jersey 2's since 3.5. */
    private static boolean isJersey2() {
        for (Method method : RMWebApp.class.getMethods()) {
            if (method.getName().equals("resourceConfig")) {
                return true;
            }
        }
        return false;
    }

    /**
     * The initializers with ours behind them. {@code RMWebAppUtil.setupSecurityAndFilters} adds authentication while
     * the list is Hadoop's default and security is off; our entry hides from it that the list was, so it is done here.
     */
    static List<String> withOurs(List<String> initializers, boolean secure) {
        if (initializers.contains(OURS)) {
            return initializers;
        }
        List<String> all = new ArrayList<>(initializers);
        all.remove("");
        if (!secure && (all.isEmpty() || all.equals(List.of(StaticUserWebFilter.class.getName())))) {
            all.add(0, AUTHENTICATION);
        }
        all.add(OURS);
        return all;
    }
}
