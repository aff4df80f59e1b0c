// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of a message in the encoding of protobuf. Unknown fields do no harm; a field that is absent reads as empty
 * or 0.
 */
public final class WireReader {
    private static final byte[] EMPTY = {};

    private final Map<Integer, List<byte[]>> blocks = new HashMap<>();
    private final Map<Integer, Long> numbers = new HashMap<>();
    private final byte[] in;
    private int at;

    private WireReader(byte[] in) {
        this.in = in;
    }

    /** @throws IOException if the bytes are not a message */
    public static WireReader of(byte[] message) throws IOException {
        WireReader reader = new WireReader(message);
        while (reader.at < message.length) {
            reader.field();
        }
        return reader;
    }

    @SuppressWarnings("StatementSwitchToExpressionSwitch") // Java 8
    private void field() throws IOException {
        long tag = varint();
        int field = (int) (tag >>> 3);
        switch ((int) (tag & 7)) {
            case 0:
                numbers.put(field, varint());
                break;
            case 1:
                numbers.put(field, fixed(8));
                break;
            case 2:
                long length = varint();
                if (length < 0 || length > in.length - at) {
                    throw malformed();
                }
                blocks.computeIfAbsent(field, key -> new ArrayList<>())
                        .add(Arrays.copyOfRange(in, at, at + (int) length));
                at += (int) length;
                break;
            case 5:
                numbers.put(field, fixed(4));
                break;
            default:
                throw malformed();
        }
    }

    private long varint() throws IOException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at >= in.length) {
                throw malformed();
            }
            byte b = in[at++];
            value |= (b & 0x7fL) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw malformed();
    }

    private long fixed(int size) throws IOException {
        if (in.length - at < size) {
            throw malformed();
        }
        long value = 0;
        for (int i = 0; i < size; i++) {
            value |= (in[at++] & 0xffL) << (8 * i);
        }
        return value;
    }

    private static IOException malformed() {
        return new IOException("the other side sent something that is not a protobuf message");
    }

    public boolean has(int field) {
        return blocks.containsKey(field) || numbers.containsKey(field);
    }

    /** A field of type bool, enum, or an integer. */
    public long number(int field) {
        return numbers.getOrDefault(field, 0L);
    }

    public double decimal(int field) {
        return Double.longBitsToDouble(number(field));
    }

    /** A field of type bytes, or a message inside this one; of several the last. */
    public byte[] bytes(int field) {
        List<byte[]> values = all(field);
        return values.isEmpty() ? EMPTY : values.get(values.size() - 1);
    }

    public String text(int field) {
        return new String(bytes(field), StandardCharsets.UTF_8);
    }

    /** A repeated field of bytes or messages. */
    public List<byte[]> all(int field) {
        return blocks.getOrDefault(field, new ArrayList<>());
    }

    /** The message in a field. */
    public WireReader message(int field) throws IOException {
        return of(bytes(field));
    }
}
