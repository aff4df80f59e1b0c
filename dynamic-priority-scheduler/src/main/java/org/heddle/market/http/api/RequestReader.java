// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.servlet.http.HttpServletRequest;
import org.heddle.market.security.RequestParts;

/** Reads the head of a servlet request as it was sent. */
public final class RequestReader {
    private RequestReader() {}

    /** The request without its body. */
    public static RequestParts head(HttpServletRequest request) {
        Map<String, List<String>> fields = new TreeMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            fields.put(name, new ArrayList<>(Collections.list(request.getHeaders(name))));
        }
        String host = request.getHeader("Host");
        return new RequestParts(
                request.getMethod(),
                request.getScheme(),
                host == null ? "" : host,
                request.getRequestURI(),
                request.getQueryString(),
                fields,
                new byte[0]);
    }
}
