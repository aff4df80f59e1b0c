// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.Random;

/** Messages of any type with random content; all required fields are there. */
public final class RandomMessages {
    private static final int DEEPEST = 7;

    private RandomMessages() {}

    public static void fill(Message.Builder builder, Random random, int depth) {
        for (FieldDescriptor field : builder.getDescriptorForType().getFields()) {
            boolean optional = !field.isRequired();
            if (optional && (depth >= DEEPEST || random.nextInt(3) != 0)) {
                continue;
            }
            if (field.isMapField()) {
                continue;
            }
            if (field.isRepeated()) {
                for (int i = random.nextInt(3); i > 0; i--) {
                    builder.addRepeatedField(field, value(builder, field, random, depth));
                }
            } else {
                builder.setField(field, value(builder, field, random, depth));
            }
        }
    }

    private static Object value(Message.Builder owner, FieldDescriptor field, Random random, int depth) {
        return switch (field.getJavaType()) {
            case INT -> random.nextInt();
            case LONG -> random.nextLong() >> random.nextInt(64);
            case FLOAT -> (float) random.nextInt(1000);
            case DOUBLE -> random.nextInt(100_000) / 8.0;
            case BOOLEAN -> random.nextBoolean();
            case STRING -> text(random);
            case BYTE_STRING -> ByteString.copyFromUtf8(text(random));
            case ENUM ->
                field.getEnumType()
                        .getValues()
                        .get(random.nextInt(field.getEnumType().getValues().size()));
            case MESSAGE -> {
                Message.Builder child = owner.newBuilderForField(field);
                fill(child, random, depth + 1);
                yield child.build();
            }
        };
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append("aZ0-_/.\n\"\\\u00e9\u4e2d*".charAt(random.nextInt(13)));
        }
        return text.toString();
    }
}
