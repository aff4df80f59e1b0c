// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** The details of an audit entry as one JSON object of texts, so that a database's own JSON functions can read them. */
final class AuditDetails {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private AuditDetails() {}

    static String toJson(Map<String, String> details) {
        try {
            return MAPPER.writeValueAsString(new TreeMap<>(details));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts can always be written", e);
        }
    }

    /** @throws IOException if the text is not an object of texts */
    static Map<String, String> fromJson(String text) throws IOException {
        try {
            return MAPPER.readValue(text, new TypeReference<TreeMap<String, String>>() {});
        } catch (JsonProcessingException e) {
            throw new IOException("the details of an audit entry are not a JSON object of texts: " + text, e);
        }
    }
}
