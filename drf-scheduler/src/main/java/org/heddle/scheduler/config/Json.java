// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.config;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists, strings, numbers and booleans. Needs jackson-core; what reads no JSON does not load it. */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** The text of a value. */
    public static String text(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            write(json, value);
        } catch (IOException e) {
            throw new IllegalStateException("a string cannot be written to", e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(String.valueOf(entry.getKey()));
                write(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                write(json, element);
            }
            json.writeEndArray();
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Integer || value instanceof Long) {
            json.writeNumber(((Number) value).longValue());
        } else if (value instanceof Double number && Double.isFinite(number)) {
            json.writeNumber(number);
        } else if (value == null || value instanceof Double) {
            json.writeNull();
        } else {
            json.writeString(String.valueOf(value));
        }
    }

    /** Parses a text; an empty map if it is not an object. */
    public static Map<String, Object> parse(String text) throws IOException {
        try (JsonParser json = FACTORY.createParser(text)) {
            Object value = json.nextToken() == null ? "" : read(json);
            Map<String, Object> object = new LinkedHashMap<>();
            if (value instanceof Map<?, ?> map) {
                map.forEach((name, member) -> object.put(String.valueOf(name), member));
            }
            return object;
        }
    }

    private static Object read(JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, Object> object = new LinkedHashMap<>();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                object.put(name, read(json));
            }
            return object;
        }
        if (token == JsonToken.START_ARRAY) {
            List<Object> list = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                list.add(read(json));
            }
            return list;
        }
        return switch (token) {
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_STRING -> json.getText();
            default -> "";
        };
    }

    /** The object at a path of names; an empty map if there is none. */
    public static Object at(Object value, String... path) {
        Object at = value;
        for (String name : path) {
            Object next = at instanceof Map<?, ?> map ? map.get(name) : null;
            at = next == null ? Map.of() : next;
        }
        return at;
    }

    /** The text or number at a path; empty if there is none. */
    public static String string(Object value, String... path) {
        Object at = at(value, path);
        return at instanceof Map || at instanceof List ? "" : String.valueOf(at);
    }

    /** The number at a path; 0 if there is none. */
    public static long number(Object value, String... path) {
        return at(value, path) instanceof Number number ? number.longValue() : 0;
    }
}
