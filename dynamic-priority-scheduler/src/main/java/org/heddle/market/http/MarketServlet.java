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
 * {@code /scheduler} and everything under {@code /heddle/market}, for callers whom the web server's own authentication let
 * through. One that stands by never gets here: Hadoop's own filter sends its callers to the active one.
 */
public final class MarketServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ApiDispatcher web = ApiDispatcher.of(getServletContext());
        if (web == null) {
            ApiResponse answer = ResponseFormat.JSON.refusal(
                    RefusedException.notFound("this process is no ResourceManager; ask the one that has the market"));
            response.setStatus(answer.status());
            response.setContentType(answer.contentType());
            response.getOutputStream().write(answer.body());
            return;
        }
        String user = request.getRemoteUser();
        web.serve(request, response, user == null ? "" : user);
    }
}
