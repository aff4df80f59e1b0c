// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The bytes of a file.
 *
 * <pre>
 * file   = "HDLG" version(int = 1) head record*
 * head   = a record with the number 0, whose body is epoch(long) first(long) owner(UTF)
 * record = length(int) crc32c(int) number(long) synced(long) body
 * </pre>
 *
 * The length is that of the body; the checksum covers all after it. {@code synced} is the number of the last record
 * that was on disks when this one was written. So a damaged record is known to have been on disks, if a later one says
 * so; otherwise it is the unfinished end of the file.
 */
final class Frames {
    static final int MAGIC = 0x48444C47;
    static final int VERSION = 1;
    static final int START = 8;
    /** Bytes of a record before its body. */
    static final int HEAD = 24;

    /** Bytes of the body of an appended record. A snapshot may have more. */
    static final int LARGEST = 256 << 20;

    private Frames() {}

    static byte[] start(String owner, long epoch, long first) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream fields = new DataOutputStream(body);
        fields.writeLong(epoch);
        fields.writeLong(first);
        fields.writeUTF(owner);
        byte[] start = new byte[START + HEAD + body.size()];
        ByteBuffer.wrap(start).putInt(MAGIC).putInt(VERSION);
        put(start, START, 0, 0, body.toByteArray());
        return start;
    }

    /** Puts a record into bytes with enough room. @return the position after it */
    static int put(byte[] to, int at, long number, long synced, byte[] body) {
        ByteBuffer record = ByteBuffer.wrap(to, at, HEAD + body.length);
        record.putInt(body.length).putInt(0).putLong(number).putLong(synced).put(body);
        record.putInt(at + 4, crc(to, at + 8, HEAD - 8 + body.length));
        return record.position();
    }

    /** A whole file with the state after a number of records. */
    static byte[] snapshot(String owner, long epoch, long last, byte[] state) throws IOException {
        byte[] start = start(owner, epoch, last);
        byte[] content = Arrays.copyOf(start, start.length + HEAD + state.length);
        put(content, start.length, last, last, state);
        return content;
    }

    static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    /** Whether a record that was written after {@code number} was synced begins somewhere in these bytes. */
    static boolean laterThanSynced(byte[] bytes, long number) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        for (int at = 0; at + HEAD <= bytes.length; at++) {
            int length = in.getInt(at);
            if (length >= 0
                    && length <= bytes.length - at - HEAD
                    && in.getLong(at + 16) >= number
                    && in.getLong(at + 8) > in.getLong(at + 16)
                    && in.getInt(at + 4) == crc(bytes, at + 8, HEAD - 8 + length)) {
                return true;
            }
        }
        return false;
    }
}
