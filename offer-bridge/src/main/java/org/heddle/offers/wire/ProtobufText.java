// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds text that is not UTF-8. A message of protobuf's version 2 takes any bytes for a string and shows wrong ones as
 * U+FFFD, so that two names become one.
 */
final class ProtobufText {
    private ProtobufText() {}

    /**
     * The path of the first field with such text.
     *
     * @param in an encoded message that has been read before, so it is valid
     * @return null if all text is UTF-8
     */
    static @Nullable String firstThatIsNoUtf8(CodedInputStream in, Descriptor type) throws IOException {
        while (!in.isAtEnd()) {
            int tag = in.readTag();
            FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
            if (field == null || WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
                in.skipField(tag);
                continue;
            }
            switch (field.getJavaType()) {
                case STRING -> {
                    if (!in.readBytes().isValidUtf8()) {
                        return field.getName();
                    }
                }
                case MESSAGE -> {
                    int outer = in.pushLimit(in.readRawVarint32());
                    String inner = firstThatIsNoUtf8(in, field.getMessageType());
                    if (inner != null) {
                        return field.getName() + "." + inner;
                    }
                    in.popLimit(outer);
                }
                default -> in.skipField(tag);
            }
        }
        return null;
    }
}
