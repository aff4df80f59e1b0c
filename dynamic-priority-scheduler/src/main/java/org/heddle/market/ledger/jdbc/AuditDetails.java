// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
import java.util.TreeMap;

/** The details of an audit entry as one JSON object of texts, so that a database's own JSON functions can read them. */
final class AuditDetails {
    private static final JsonFactory FACTORY = new JsonFactory();

    private AuditDetails() {}

    static String toJson(Map<String, String> details) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            for (Map.Entry<String, String> detail : new TreeMap<>(details).entrySet()) {
                json.writeStringField(detail.getKey(), detail.getValue());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory cannot fail", e);
        }
        return text.toString();
    }

    /** @throws IOException if the text is not an object of texts */
    static Map<String, String> fromJson(String text) throws IOException {
        Map<String, String> details = new TreeMap<>();
        try (JsonParser json = FACTORY.createParser(text)) {
            boolean object = json.nextToken() == JsonToken.START_OBJECT;
            while (object && json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                object = json.nextToken() == JsonToken.VALUE_STRING;
                details.put(name, json.getText());
            }
            if (!object || json.currentToken() != JsonToken.END_OBJECT) {
                throw new IOException("the details of an audit entry are not a JSON object of texts: " + text);
            }
        }
        return details;
    }
}
