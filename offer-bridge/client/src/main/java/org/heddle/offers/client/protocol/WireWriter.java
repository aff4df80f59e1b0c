// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes a message in the encoding of protobuf, field by field. A field that is written after a whole message ({@link
 * #raw}) replaces the one in it, because the last value of a field holds.
 */
public final class WireWriter {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** All fields of an encoded message. */
    public WireWriter raw(byte[] message) {
        out.write(message, 0, message.length);
        return this;
    }

    /** A field of type bool, enum, or an integer. */
    public WireWriter number(int field, long value) {
        varint(((long) field << 3) | VARINT);
        varint(value);
        return this;
    }

    public WireWriter decimal(int field, double value) {
        varint(((long) field << 3) | FIXED64);
        long bits = Double.doubleToLongBits(value);
        for (int i = 0; i < 8; i++) {
            out.write((int) (bits >>> (8 * i)));
        }
        return this;
    }

    /** A field of type bytes, or a message inside this one. */
    public WireWriter bytes(int field, byte[] value) {
        varint(((long) field << 3) | LENGTH);
        varint(value.length);
        return raw(value);
    }

    public WireWriter text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** A repeated field of bytes or messages. */
    public WireWriter all(int field, Iterable<byte[]> values) {
        values.forEach(value -> bytes(field, value));
        return this;
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    public byte[] toBytes() {
        return out.toByteArray();
    }
}
