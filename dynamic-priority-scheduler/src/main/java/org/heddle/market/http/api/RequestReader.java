// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.servlet.http.HttpServletRequest;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.RefusedException.Kind;
import org.heddle.market.security.RequestParts;

/** Reads a servlet request as it was sent. */
public final class RequestReader {
    private static final int LARGEST_BODY = 64 * 1024;

    private static final long LARGEST_SKIPPED = 1L << 20;

    private RequestReader() {}

    /**
     * Reads a request with its body. @throws RefusedException (413) if the body is too large, (400) if it is incomplete
     */
    public static RequestParts read(HttpServletRequest request) throws RefusedException {
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
                body(request));
    }

    private static byte[] body(HttpServletRequest request) throws RefusedException {
        byte[] body;
        try {
            body = request.getInputStream().readNBytes(LARGEST_BODY + 1);
            if (body.length > LARGEST_BODY) {
                // Many clients read no answer before they have sent the whole body.
                request.getInputStream().skip(LARGEST_SKIPPED);
            }
        } catch (IOException e) {
            throw RefusedException.badRequest("the body is incomplete; send it again");
        }
        if (body.length > LARGEST_BODY) {
            throw tooLarge();
        }
        return body;
    }

    private static RefusedException tooLarge() {
        return RefusedException.of(
                Kind.TOO_LARGE, "too-large", "the body is larger than " + LARGEST_BODY + " bytes; send less");
    }
}
