// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Messages of protobuf from and to bytes. */
final class Messages {
    private Messages() {}

    static <T> T parse(Parser<T> parser, byte[] bytes) {
        try {
            return parser.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("the other side sent a malformed message: " + e.getMessage(), e);
        }
    }

    static <T> List<T> parseAll(Parser<T> parser, Collection<byte[]> all) {
        List<T> messages = new ArrayList<>();
        all.forEach(bytes -> messages.add(parse(parser, bytes)));
        return messages;
    }

    static List<byte[]> bytes(Collection<? extends Message> messages) {
        List<byte[]> all = new ArrayList<>();
        messages.forEach(message -> all.add(message.toByteArray()));
        return all;
    }
}
