// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import com.fasterxml.jackson.databind.JsonNode;

/** Members of JSON objects, which traces write as numbers or as texts. */
final class JsonTree {
    private JsonTree() {}

    /** The first of these members that is a whole number; otherwise the fallback. */
    static long number(JsonNode object, long fallback, String... names) {
        for (String name : names) {
            JsonNode member = object.get(name);
            if (member != null && !member.isNull()) {
                return member.asLong(fallback);
            }
        }
        return fallback;
    }

    /** A member as text; otherwise the fallback. */
    static String text(JsonNode object, String name, String fallback) {
        JsonNode member = object.get(name);
        return member == null || member.isNull() || member.isContainerNode() ? fallback : member.asText();
    }
}
