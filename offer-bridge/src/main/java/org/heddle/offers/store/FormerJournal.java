// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.store;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the journal of version 0.1.0:
 *
 * <pre>
 * file   = "HDLJ" version(int = 2) batch*
 * batch  = length(int) crc32c(int) body
 * </pre>
 */
final class FormerJournal {
    private static final int MAGIC = 0x48444C4A;
    private static final int VERSION = 2;
    private static final int LARGEST_BATCH = 256 << 20;

    private FormerJournal() {}

    /**
     * All entries; an incomplete batch at the end is left out.
     *
     * @throws IOException one sentence: no journal, of another version, or damaged
     */
    static Map<String, byte[]> read(Path file) throws IOException {
        Map<String, byte[]> live = new TreeMap<>();
        long size = Files.size(file);
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
            if (size < 8) {
                return live;
            }
            if (in.readInt() != MAGIC) {
                throw new IOException(file + " is not a journal of the offer bridge: move it away");
            }
            int version = in.readInt();
            if (version != VERSION) {
                throw new IOException(file + " has format version " + version + ", this bridge converts " + VERSION
                        + ": start the bridge that wrote it, and drain its frameworks");
            }
            long position = 8;
            for (byte[] body = batch(in, file, position, size); body != null; body = batch(in, file, position, size)) {
                Entries.read(body, (name, value) -> {
                    if (value == null) {
                        live.remove(name);
                    } else {
                        live.put(name, value);
                    }
                });
                position += 8L + body.length;
            }
        }
        return live;
    }

    private static byte @Nullable [] batch(DataInputStream in, Path file, long position, long size) throws IOException {
        try {
            int length = in.readInt();
            int crc = in.readInt();
            if (length < 0 || length > LARGEST_BATCH || position + 8L + length > size) {
                return null;
            }
            byte[] body = in.readNBytes(length);
            CRC32C actual = new CRC32C();
            actual.update(body);
            if ((int) actual.getValue() == crc) {
                return body;
            }
            if (position + 8L + length < size) {
                throw new IOException(file + ": the batch at byte " + position + " is damaged and others follow it:"
                        + " restore the file from a copy");
            }
            return null;
        } catch (EOFException e) {
            return null;
        }
    }
}
