// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.heddle.market.http.api.ApiResponse;
import org.heddle.market.http.api.ResponseFormat;
import org.heddle.market.security.RefusedException;

/**
 * Serves {@code /scheduler} and everything under {@code /heddle/market} for callers that the web server has
 * authenticated. A standby ResourceManager does not get here: Hadoop's own filter redirects its callers to the active
 * one.
 */
public final class MarketServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ApiDispatcher dispatcher = ApiDispatcher.of(getServletContext());
        if (dispatcher == null) {
            ApiResponse answer = ResponseFormat.JSON.refusal(RefusedException.notFound(
                    "this process is not a ResourceManager; use the address of the one with the market"));
            ApiDispatcher.send(answer, request, response);
            return;
        }
        String user = request.getRemoteUser();
        dispatcher.serve(request, response, user == null ? "" : user);
    }
}
