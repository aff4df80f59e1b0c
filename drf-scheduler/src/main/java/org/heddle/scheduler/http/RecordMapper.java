// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.util.Locale;

/**
 * A mapper that writes records as the REST interfaces have them: the components in their order, constants of enums as
 * words with hyphens, numbers that are not finite as {@code null}.
 */
public final class RecordMapper {
    private RecordMapper() {}

    public static ObjectMapper create() {
        return new ObjectMapper()
                .setVisibility(PropertyAccessor.ALL, Visibility.NONE)
                .setVisibility(PropertyAccessor.FIELD, Visibility.ANY)
                .registerModule(new SimpleModule()
                        .addSerializer(Enum.class, writer((json, word) -> json.writeString(word(word))))
                        .addSerializer(Double.class, writer(RecordMapper::number))
                        .addSerializer(double.class, writer(RecordMapper::number)));
    }

    /** A constant as a word: {@code FAIR_SCHEDULER} is {@code fair-scheduler}. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void number(JsonGenerator json, double value) throws IOException {
        if (Double.isFinite(value)) {
            json.writeNumber(value);
        } else {
            json.writeNull();
        }
    }

    /** Writes a value. */
    @FunctionalInterface
    public interface Writer<T> {
        void write(JsonGenerator json, T value) throws IOException;
    }

    /** A serializer from a lambda. */
    public static <T> JsonSerializer<T> writer(Writer<T> writer) {
        return new JsonSerializer<>() {
            @Override
            public void serialize(T value, JsonGenerator json, SerializerProvider mapper) throws IOException {
                writer.write(json, value);
            }
        };
    }
}
