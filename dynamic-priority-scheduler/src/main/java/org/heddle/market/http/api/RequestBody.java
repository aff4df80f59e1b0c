// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.heddle.market.model.naming.AccountNames;
import org.heddle.market.security.RefusedException;

/**
 * Parses the JSON object of a request: texts, numbers and booleans, and one level of nested objects. Numbers stay
 * texts, so that no amount of money becomes a floating-point number. A stranger sends it, so it is read token by token,
 * and what is too much or of another kind ends the reading.
 */
public final class RequestBody {
    private static final int MOST_FIELDS = 10_000;
    private static final JsonFactory FACTORY = new JsonFactory().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);

    private RequestBody() {}

    /** @throws RefusedException (400) if the body is not one such object */
    public static Map<String, Object> read(byte[] bytes) throws RefusedException {
        try (JsonParser parser = FACTORY.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw RefusedException.badRequest("the body is not a JSON object; send {...}");
            }
            Map<String, Object> fields = object(parser, true);
            if (parser.nextToken() != null) {
                throw RefusedException.badRequest("the body has more than one JSON object; send one");
            }
            return fields;
        } catch (IOException e) {
            throw RefusedException.badRequest("the body is not valid JSON, or has a field twice");
        }
    }

    private static Map<String, Object> object(JsonParser parser, boolean outer) throws IOException, RefusedException {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            if (fields.size() >= MOST_FIELDS) {
                throw RefusedException.badRequest("the body has more than " + MOST_FIELDS + " fields");
            }
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.START_OBJECT && outer) {
                fields.put(name, object(parser, false));
            } else if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
                fields.put(name, parser.getText());
            } else {
                throw RefusedException.badRequest(
                        "the body's '" + AccountNames.shown(name) + "' must be a text or a number");
            }
        }
        return fields;
    }
}
