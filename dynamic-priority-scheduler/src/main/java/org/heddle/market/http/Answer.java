// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.util.Map;

/**
 * What to send back.
 *
 * @param contentType with its character set
 * @param fields more header fields
 */
record Answer(int status, String contentType, byte[] body, Map<String, String> fields) {
    static final int OK = 200;
    static final int CREATED = 201;

    static Answer json(int status, MarketJson.Body body) {
        return new Answer(status, Format.JSON.contentType(), MarketJson.bytes(body), Map.of());
    }

    static Answer ok(MarketJson.Body body) {
        return json(OK, body);
    }

    static Answer of(String contentType, byte[] body) {
        return new Answer(OK, contentType, body, Map.of());
    }
}
