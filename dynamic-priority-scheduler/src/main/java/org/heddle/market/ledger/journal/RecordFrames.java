// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.journal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Records of a file: length, CRC-32C of the content, content. An incomplete or damaged record is detected. */
public final class RecordFrames {
    private static final int LARGEST = 256 << 20;
    private static final int HEAD = 8;

    /** Writes one record's content. */
    public interface Content {
        void to(DataOutputStream out) throws IOException;
    }

    private RecordFrames() {}

    /** Adds a record to a buffer. */
    static void add(ByteArrayOutputStream buffer, Content content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        content.to(new DataOutputStream(bytes));
        byte[] record = bytes.toByteArray();
        DataOutputStream out = new DataOutputStream(buffer);
        out.writeInt(record.length);
        out.writeInt(crc(record));
        out.write(record);
    }

    /** The next record; null at the end of the file, and at an incomplete or damaged record. */
    static @Nullable DataInputStream next(InputStream in) throws IOException {
        byte[] head = in.readNBytes(HEAD);
        if (head.length < HEAD) {
            return null;
        }
        DataInputStream fields = new DataInputStream(new ByteArrayInputStream(head));
        int length = fields.readInt();
        int crc = fields.readInt();
        if (length < 0 || length > LARGEST) {
            return null;
        }
        byte[] record = in.readNBytes(length);
        return record.length == length && crc(record) == crc
                ? new DataInputStream(new ByteArrayInputStream(record))
                : null;
    }

    private static int crc(byte[] record) {
        CRC32C crc = new CRC32C();
        crc.update(record, 0, record.length);
        return (int) crc.getValue();
    }
}
