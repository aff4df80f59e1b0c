// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.util.RMHAUtils;
import org.heddle.market.http.api.ApiResponse;
import org.heddle.market.http.api.ResponseFormat;
import org.heddle.market.security.RefusedException;

/**
 * Answers signed and public requests in front of the web server's authentication: clients outside a Kerberos realm have
 * no other way in. All other requests pass unchanged.
 *
 * <p>Hadoop redirects callers of a standby ResourceManager only after authentication, so this filter redirects its own
 * requests.
 */
public final class SignedRequestFilter implements Filter {
    @Override
    public void init(FilterConfig config) {}

    @Override
    public void destroy() {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest asked
                && response instanceof HttpServletResponse answer
                && ApiDispatcher.isOurs(asked.getRequestURI())
                && ApiDispatcher.needsNoLogin(asked)) {
            ApiDispatcher dispatcher = ApiDispatcher.of(asked.getServletContext());
            if (dispatcher != null) {
                serve(dispatcher, asked, answer);
                return;
            }
        }
        chain.doFilter(request, response);
    }

    private static void serve(ApiDispatcher dispatcher, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (dispatcher.resourceManager().getRMContext().getHAServiceState() == HAServiceState.ACTIVE) {
            dispatcher.serve(request, response, "");
            return;
        }
        String active = activeAddress(dispatcher.resourceManager());
        if (active.isEmpty()) {
            ApiResponse answer = ResponseFormat.of(request.getHeader("Accept"), ResponseFormat.JSON)
                    .refusal(RefusedException.unavailable("no ResourceManager is active; try again in a moment"));
            ApiDispatcher.send(answer, request, response);
            return;
        }
        String query = request.getQueryString();
        BodyReader.leaveUnread(request, response);
        response.setStatus(HttpServletResponse.SC_TEMPORARY_REDIRECT);
        response.setHeader("Location", active + request.getRequestURI() + (query == null ? "" : "?" + query));
        response.setContentLength(0);
    }

    /** Finds the active ResourceManager as {@code RMWebApp} does; empty if there is none. */
    private static String activeAddress(ResourceManager standby) {
        Configuration conf = standby.getConfig();
        if (!conf.getBoolean(YarnConfiguration.RM_HA_ENABLED, YarnConfiguration.DEFAULT_RM_HA_ENABLED)) {
            return "";
        }
        YarnConfiguration copy = new YarnConfiguration(conf);
        String id = RMHAUtils.findActiveRMHAId(copy);
        if (id == null) {
            return "";
        }
        copy.set(YarnConfiguration.RM_HA_ID, id);
        boolean https = YarnConfiguration.useHttps(copy);
        InetSocketAddress address;
        if (https) {
            address = copy.getSocketAddr(
                    YarnConfiguration.RM_WEBAPP_HTTPS_ADDRESS,
                    YarnConfiguration.DEFAULT_RM_WEBAPP_HTTPS_ADDRESS,
                    YarnConfiguration.DEFAULT_RM_WEBAPP_HTTPS_PORT);
        } else {
            address = copy.getSocketAddr(
                    YarnConfiguration.RM_WEBAPP_ADDRESS,
                    YarnConfiguration.DEFAULT_RM_WEBAPP_ADDRESS,
                    YarnConfiguration.DEFAULT_RM_WEBAPP_PORT);
        }
        return (https ? "https://" : "http://") + address.getHostName() + ":" + address.getPort();
    }
}
