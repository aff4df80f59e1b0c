// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Protobuf messages as Mesos' JSON: field names as in the .proto file, 64-bit integers as numbers (protobuf's own JSON
 * has strings), bytes in base64, ASCII without line breaks. Like Mesos, it skips nulls and unknown fields when it
 * reads, and an unknown enum value leaves the field unset.
 */
public final class ProtoJson {
    private static final int DEEPEST = 64;
    private static final JsonFactory JSON =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private ProtoJson() {}

    public static byte[] write(MessageOrBuilder message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            writeMessage(message, out);
        } catch (IOException e) {
            throw new IllegalStateException("cannot write a message to memory", e);
        }
        return bytes.toByteArray();
    }

    /** Writes a message as an object into a larger document. */
    public static void writeMessage(MessageOrBuilder message, JsonGenerator out) throws IOException {
        out.writeStartObject();
        for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
            FieldDescriptor field = entry.getKey();
            out.writeFieldName(field.getName());
            if (field.isMapField()) {
                writeMap(field, (List<?>) entry.getValue(), out);
            } else if (field.isRepeated()) {
                out.writeStartArray();
                for (Object value : (List<?>) entry.getValue()) {
                    writeValue(field, value, out);
                }
                out.writeEndArray();
            } else {
                writeValue(field, entry.getValue(), out);
            }
        }
        out.writeEndObject();
    }

    private static void writeMap(FieldDescriptor field, List<?> entries, JsonGenerator out) throws IOException {
        FieldDescriptor key = field.getMessageType().findFieldByName("key");
        FieldDescriptor value = field.getMessageType().findFieldByName("value");
        out.writeStartObject();
        for (Object entry : entries) {
            Message message = (Message) entry;
            out.writeFieldName(String.valueOf(message.getField(key)));
            writeValue(value, message.getField(value), out);
        }
        out.writeEndObject();
    }

    private static void writeValue(FieldDescriptor field, Object value, JsonGenerator out) throws IOException {
        switch (field.getJavaType()) {
            case INT -> out.writeNumber(isUnsigned(field) ? Integer.toUnsignedLong((Integer) value) : (Integer) value);
            case LONG -> {
                long number = (Long) value;
                boolean unsigned = field.getType() == FieldDescriptor.Type.UINT64
                        || field.getType() == FieldDescriptor.Type.FIXED64;
                if (unsigned && number < 0) {
                    out.writeNumber(new java.math.BigInteger(Long.toUnsignedString(number)));
                } else {
                    out.writeNumber(number);
                }
            }
            case FLOAT -> out.writeNumber((Float) value);
            case DOUBLE -> out.writeNumber((Double) value);
            case BOOLEAN -> out.writeBoolean((Boolean) value);
            case STRING -> out.writeString((String) value);
            case BYTE_STRING -> out.writeString(Base64.getEncoder().encodeToString(((ByteString) value).toByteArray()));
            case ENUM -> out.writeString(((EnumValueDescriptor) value).getName());
            case MESSAGE -> writeMessage((Message) value, out);
        }
    }

    /**
     * Reads one JSON object into a builder.
     *
     * @throws MalformedMessage one sentence, with the field's path where known
     */
    public static void read(byte[] json, Message.Builder into) throws MalformedMessage {
        try (JsonParser in = JSON.createParser(json)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedMessage("the body is not a JSON object");
            }
            readMessage(in, into, "", 0);
            if (in.nextToken() != null) {
                throw new MalformedMessage("there is text after the JSON object");
            }
        } catch (JsonParseException e) {
            throw new MalformedMessage("the body is not JSON: " + e.getOriginalMessage());
        } catch (MalformedMessage e) {
            throw e;
        } catch (IOException e) {
            throw new MalformedMessage("the body is not JSON: " + e.getMessage());
        }
    }

    private static void readMessage(JsonParser in, Message.Builder into, String path, int depth) throws IOException {
        if (depth > DEEPEST) {
            throw new MalformedMessage(path + ": nested more than " + DEEPEST + " deep");
        }
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            JsonToken token = in.nextToken();
            FieldDescriptor field = into.getDescriptorForType().findFieldByName(name);
            if (field == null || token == JsonToken.VALUE_NULL) {
                in.skipChildren();
                continue;
            }
            String here = path.isEmpty() ? name : path + "." + name;
            if (field.isMapField()) {
                readMap(in, into, field, here, depth);
            } else if (field.isRepeated()) {
                if (token != JsonToken.START_ARRAY) {
                    throw new MalformedMessage(here + ": want an array");
                }
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    if (in.currentToken() == JsonToken.VALUE_NULL) {
                        continue;
                    }
                    Object value = readValue(in, into, field, here, depth);
                    if (value != UNKNOWN) {
                        into.addRepeatedField(field, value);
                    }
                }
            } else {
                Object value = readValue(in, into, field, here, depth);
                if (value != UNKNOWN) {
                    into.setField(field, value);
                }
            }
        }
    }

    private static final Object UNKNOWN = new Object();

    private static void readMap(JsonParser in, Message.Builder into, FieldDescriptor field, String path, int depth)
            throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw new MalformedMessage(path + ": want an object");
        }
        FieldDescriptor key = field.getMessageType().findFieldByName("key");
        FieldDescriptor valueField = field.getMessageType().findFieldByName("value");
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            if (key.getJavaType() != FieldDescriptor.JavaType.STRING) {
                throw new MalformedMessage(path + ": maps with other keys than strings are not read");
            }
            Message.Builder entry = into.newBuilderForField(field);
            String name = in.currentName();
            if (!isWhole(name)) {
                throw new MalformedMessage(path + ": a name has half of a surrogate pair");
            }
            entry.setField(key, name);
            in.nextToken();
            Object value = readValue(in, entry, valueField, path, depth);
            if (value != UNKNOWN) {
                entry.setField(valueField, value);
                into.addRepeatedField(field, entry.build());
            }
        }
    }

    private static Object readValue(JsonParser in, Message.Builder owner, FieldDescriptor field, String path, int depth)
            throws IOException {
        JsonToken token = in.currentToken();
        if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
            if (token != JsonToken.START_OBJECT) {
                throw new MalformedMessage(path + ": want an object");
            }
            Message.Builder child = owner.newBuilderForField(field);
            readMessage(in, child, path, depth + 1);
            return child.buildPartial();
        }
        if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
            throw new MalformedMessage(path + ": want a single value");
        }
        String text = in.getText();
        try {
            return switch (field.getJavaType()) {
                case INT -> {
                    long least = isUnsigned(field) ? 0 : Integer.MIN_VALUE;
                    yield (int) whole(text, least, isUnsigned(field) ? 0xFFFFFFFFL : Integer.MAX_VALUE);
                }
                case LONG -> isUnsigned(field) ? unsigned(text) : whole(text, Long.MIN_VALUE, Long.MAX_VALUE);
                case FLOAT -> Float.valueOf(text);
                case DOUBLE -> Double.valueOf(text);
                case BOOLEAN -> bool(text);
                case STRING -> whole(text);
                case BYTE_STRING -> ByteString.copyFrom(Base64.getDecoder().decode(text));
                case ENUM -> enumValue(field, text);
                case MESSAGE -> throw new IllegalStateException("handled before");
            };
        } catch (IllegalArgumentException e) {
            String shown = text.length() > 40 ? text.substring(0, 40) + ".." : text;
            throw new MalformedMessage(path + " = '" + shown + "': not a valid "
                    + field.getType().name().toLowerCase(java.util.Locale.ROOT));
        }
    }

    /** Half of a surrogate pair cannot be written: protobuf would put a question mark there. */
    private static boolean isUnsigned(FieldDescriptor field) {
        return switch (field.getType()) {
            case UINT32, FIXED32, UINT64, FIXED64 -> true;
            default -> false;
        };
    }

    private static boolean isWhole(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private static String whole(String text) {
        if (!isWhole(text)) {
            throw new IllegalArgumentException("half of a surrogate pair");
        }
        return text;
    }

    private static Object enumValue(FieldDescriptor field, String text) {
        EnumValueDescriptor value = field.getEnumType().findValueByName(text);
        return value == null ? UNKNOWN : value;
    }

    private static boolean bool(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static Object unsigned(String text) {
        if (text.startsWith("-") || text.matches("[0-9]{1,18}")) {
            return (Object) whole(text, 0, Long.MAX_VALUE);
        }
        if (text.matches("[0-9]+")) {
            return (Object) Long.parseUnsignedLong(text);
        }
        return (Object) whole(text, 0, Long.MAX_VALUE);
    }

    /** Accepts 3 and 3.0, as every JSON writer may print either. */
    private static long whole(String text, long least, long most) {
        long value;
        if (text.matches("-?[0-9]{1,18}")) {
            value = Long.parseLong(text);
        } else {
            if (text.length() > 40) {
                throw new IllegalArgumentException("too long a number");
            }
            java.math.BigDecimal decimal = new java.math.BigDecimal(text);
            if (decimal.precision() - (long) decimal.scale() > 20) {
                throw new IllegalArgumentException("out of range");
            }
            try {
                value = decimal.longValueExact();
            } catch (ArithmeticException e) {
                throw new IllegalArgumentException("not a whole number", e);
            }
        }
        if (value < least || value > most) {
            throw new IllegalArgumentException("out of range");
        }
        return value;
    }
}
