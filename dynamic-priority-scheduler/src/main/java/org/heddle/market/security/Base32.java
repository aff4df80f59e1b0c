// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.security;

/** Bytes as lower-case letters and digits (RFC 4648, without padding), for places that do not preserve upper case. */
final class Base32 {
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int BITS = 5;
    private static final int MASK = 31;

    private Base32() {}

    static String write(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        int buffer = 0;
        int held = 0;
        for (byte next : bytes) {
            buffer = (buffer << Byte.SIZE) | (next & 0xFF);
            held += Byte.SIZE;
            while (held >= BITS) {
                held -= BITS;
                text.append(ALPHABET.charAt((buffer >>> held) & MASK));
            }
        }
        if (held > 0) {
            text.append(ALPHABET.charAt((buffer << (BITS - held)) & MASK));
        }
        return text.toString();
    }

    /** @throws IllegalArgumentException if {@link #write} cannot have written the text */
    static byte[] read(String text) {
        byte[] bytes = new byte[text.length() * BITS / Byte.SIZE];
        int buffer = 0;
        int held = 0;
        int at = 0;
        for (int i = 0; i < text.length(); i++) {
            int value = ALPHABET.indexOf(text.charAt(i));
            if (value < 0) {
                throw new IllegalArgumentException("'" + text.charAt(i) + "' is not a digit in base 32");
            }
            buffer = (buffer << BITS) | value;
            held += BITS;
            if (held >= Byte.SIZE) {
                held -= Byte.SIZE;
                bytes[at++] = (byte) (buffer >>> held);
            }
        }
        if (!write(bytes).equals(text)) {
            throw new IllegalArgumentException("the text has surplus bits");
        }
        return bytes;
    }
}
