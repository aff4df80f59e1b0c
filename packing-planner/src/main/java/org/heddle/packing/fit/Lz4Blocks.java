// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Decompresses what lz4-java writes as a stream of blocks, which is how Spark compresses with LZ4. Hadoop has neither a
 * jar nor a tool for this form. Checksums are not verified: what is broken shows in the text.
 */
final class Lz4Blocks extends InputStream {
    private static final byte[] MAGIC = "LZ4Block".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER = MAGIC.length + 13;
    private static final int METHOD = 0xf0;
    private static final int RAW = 0x10;
    private static final int LZ4 = 0x20;
    private static final int MOST_BYTES = 1 << 25;
    private static final int LEAST_MATCH = 4;

    private final InputStream in;
    private byte[] block = new byte[0];
    private int at;

    Lz4Blocks(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        while (at == block.length) {
            byte[] header = in.readNBytes(HEADER);
            if (header.length == 0) {
                return -1;
            }
            block = next(header);
            at = 0;
        }
        int bytes = Math.min(length, block.length - at);
        System.arraycopy(block, at, to, offset, bytes);
        at += bytes;
        return bytes;
    }

    /** Empty at the end of a stream, behind which another one may begin. */
    private byte[] next(byte[] header) throws IOException {
        if (header.length < HEADER || !Arrays.equals(header, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw broken();
        }
        ByteBuffer numbers = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        int method = header[MAGIC.length] & METHOD;
        int compressed = numbers.getInt(MAGIC.length + 1);
        int original = numbers.getInt(MAGIC.length + 5);
        if (compressed < 0 || compressed > MOST_BYTES || original < 0 || original > MOST_BYTES) {
            throw broken();
        }
        byte[] bytes = in.readNBytes(compressed);
        if (bytes.length < compressed) {
            throw new EOFException("it is cut");
        }
        if (method == RAW && compressed == original) {
            return bytes;
        }
        if (method != LZ4) {
            throw broken();
        }
        try {
            return decompress(bytes, original);
        } catch (IndexOutOfBoundsException e) {
            throw new IOException(broken().getMessage(), e);
        }
    }

    private static IOException broken() {
        return new IOException("it is no LZ4 as Spark writes it, or is broken");
    }

    /** The block format of LZ4: literals, then a match in what is already there, again and again. */
    private static byte[] decompress(byte[] from, int size) throws IOException {
        byte[] to = new byte[size];
        int in = 0;
        int out = 0;
        while (in < from.length) {
            int token = from[in++] & 0xff;
            int literals = token >>> 4;
            if (literals == 15) {
                int more;
                do {
                    more = from[in++] & 0xff;
                    literals += more;
                } while (more == 255);
            }
            System.arraycopy(from, in, to, out, literals);
            in += literals;
            out += literals;
            if (in == from.length) {
                break; // the last part has no match
            }
            int distance = (from[in++] & 0xff) | (from[in++] & 0xff) << 8;
            int length = token & 0x0f;
            if (length == 15) {
                int more;
                do {
                    more = from[in++] & 0xff;
                    length += more;
                } while (more == 255);
            }
            for (int end = out + length + LEAST_MATCH; out < end; out++) {
                to[out] = to[out - distance]; // may overlap
            }
        }
        if (out != size) {
            throw broken();
        }
        return to;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
