// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** A schema of Avro whose fields all have a default, so that records without some of them can be read. */
final class LenientSchema {
    private final Map<String, Schema> records = new HashMap<>();

    private LenientSchema() {}

    static Schema of(Schema strict) {
        return new LenientSchema().lenient(strict);
    }

    private Schema.Field lenient(Schema.Field field) {
        if (field.hasDefaultValue()) {
            return new Schema.Field(field, lenient(field.schema()));
        }
        return new Schema.Field(field.name(), lenient(field.schema()), field.doc(), empty(field.schema()));
    }

    private Schema lenient(Schema schema) {
        return switch (schema.getType()) {
            case RECORD -> withDefaults(schema);
            case ARRAY -> Schema.createArray(lenient(schema.getElementType()));
            case MAP -> Schema.createMap(lenient(schema.getValueType()));
            case UNION ->
                Schema.createUnion(schema.getTypes().stream().map(this::lenient).toList());
            default -> schema;
        };
    }

    private Schema withDefaults(Schema strict) {
        Schema known = records.get(strict.getFullName());
        if (known != null) {
            return known;
        }
        Schema record = Schema.createRecord(strict.getName(), strict.getDoc(), strict.getNamespace(), false);
        records.put(strict.getFullName(), record);
        record.setFields(strict.getFields().stream().map(this::lenient).toList());
        return record;
    }

    /** What stands for a value that is not there; null, for no default, where nothing can. */
    private static @Nullable Object empty(Schema schema) {
        return switch (schema.getType()) {
            case STRING -> "";
            case INT, LONG -> 0;
            case FLOAT, DOUBLE -> 0.0;
            case BOOLEAN -> false;
            case ARRAY -> List.of();
            case MAP -> Map.of();
            case UNION -> empty(schema.getTypes().get(0));
            case NULL -> JsonProperties.NULL_VALUE;
            default -> null;
        };
    }
}
