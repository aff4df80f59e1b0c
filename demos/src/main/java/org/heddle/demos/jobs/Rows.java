// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.jobs;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/** Rows of 100 bytes whose content follows from a seed and their number, so that they can be made again. */
public final class Rows {
    /** Bytes of a key. */
    public static final int KEY = 10;

    /** Bytes of a value. */
    public static final int VALUE = 90;

    private Rows() {}

    /** Fills key and value of a row; keys are uniformly random. */
    static void fill(long seed, long number, byte[] key, byte[] value) {
        SplittableRandom random = new SplittableRandom(seed ^ (number * 0x9E3779B97F4A7C15L));
        random.nextBytes(key);
        random.nextBytes(value);
        ByteBuffer.wrap(value).putLong(number);
    }

    /** A number for a row; the sum over rows does not depend on their order. */
    static long checksum(byte[] key, int keyLength, byte[] value, int valueLength) {
        CRC32C crc = new CRC32C();
        crc.update(key, 0, keyLength);
        crc.update(value, 0, valueLength);
        return crc.getValue();
    }

    /** The sum of the checksums of rows 0 to {@code count} - 1. */
    public static long checksum(long seed, long count) {
        byte[] key = new byte[KEY];
        byte[] value = new byte[VALUE];
        long sum = 0;
        for (long number = 0; number < count; number++) {
            fill(seed, number, key, value);
            sum += checksum(key, KEY, value, VALUE);
        }
        return sum;
    }
}
