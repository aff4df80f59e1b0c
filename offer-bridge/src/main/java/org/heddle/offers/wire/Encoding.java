// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.wire;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The two encodings of the v1 API. */
public enum Encoding {
    JSON("application/json"),
    PROTOBUF("application/x-protobuf");

    private static final int DEEPEST = 64;

    private final String mediaType;

    Encoding(String mediaType) {
        this.mediaType = mediaType;
    }

    public String mediaType() {
        return mediaType;
    }

    /** The encoding of a {@code Content-Type}, parameters ignored; null if it is neither. */
    public static @Nullable Encoding ofContentType(String header) {
        String bare = header.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
        for (Encoding encoding : values()) {
            if (encoding.mediaType.equals(bare)) {
                return encoding;
            }
        }
        return null;
    }

    /** The encoding that an {@code Accept} header asks for; JSON where both will do, null where neither will. */
    public static @Nullable Encoding ofAccept(@Nullable String header) {
        if (header == null || header.isBlank()) {
            return JSON;
        }
        for (String one : header.split(",", -1)) {
            String bare = one.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
            if (bare.equals("*/*") || bare.equals("application/*")) {
                return JSON;
            }
            Encoding encoding = ofContentType(bare);
            if (encoding != null) {
                return encoding;
            }
        }
        return null;
    }

    public byte[] encode(Message message) {
        return this == JSON ? ProtoJson.write(message) : message.toByteArray();
    }

    /**
     * Reads a message and checks that it has all required fields.
     *
     * @throws MalformedMessage one sentence that says what is wrong
     */
    public void decode(byte[] body, Message.Builder into) throws MalformedMessage {
        if (this == JSON) {
            ProtoJson.read(body, into);
        } else {
            try {
                CodedInputStream in = CodedInputStream.newInstance(body);
                in.setRecursionLimit(DEEPEST);
                into.mergeFrom(in);
                in.checkLastTagWas(0);
                String wrong =
                        ProtobufText.firstThatIsNoUtf8(CodedInputStream.newInstance(body), into.getDescriptorForType());
                if (wrong != null) {
                    throw new MalformedMessage(wrong + " is not valid UTF-8");
                }
            } catch (InvalidProtocolBufferException e) {
                throw new MalformedMessage("the body is not protobuf: " + e.getMessage());
            } catch (MalformedMessage e) {
                throw e;
            } catch (IOException e) {
                throw new MalformedMessage("the body cannot be read: " + e.getMessage());
            }
        }
        if (!into.isInitialized()) {
            throw new MalformedMessage("required fields are missing: " + into.getInitializationErrorString());
        }
    }

    /** One RecordIO record: the length in decimal, a line feed, the bytes. */
    public byte[] record(Message message) {
        byte[] body = encode(message);
        byte[] head = (body.length + "\n").getBytes(StandardCharsets.US_ASCII);
        byte[] record = new byte[head.length + body.length];
        System.arraycopy(head, 0, record, 0, head.length);
        System.arraycopy(body, 0, record, head.length, body.length);
        return record;
    }
}
