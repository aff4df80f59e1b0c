// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import java.util.Map;

/**
 * An HTTP response.
 *
 * @param contentType with its character set
 * @param fields more header fields
 */
public record ApiResponse(int status, String contentType, byte[] body, Map<String, String> fields) {
    public static final int OK = 200;
    static final int CREATED = 201;

    /** @param fields a record, each of whose components is a field of the answer */
    static ApiResponse json(int status, Object fields) {
        return new ApiResponse(status, ResponseFormat.JSON.contentType(), MarketJson.bytes(fields), Map.of());
    }

    static ApiResponse ok(Object fields) {
        return json(OK, fields);
    }

    public static ApiResponse of(String contentType, byte[] body) {
        return new ApiResponse(OK, contentType, body, Map.of());
    }
}
